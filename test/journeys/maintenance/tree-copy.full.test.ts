import { afterAll, beforeAll, expect, test } from 'vitest';

import { TreeCopy } from './tree-copy.ts';

let tree: TreeCopy;

beforeAll(async () => {
  tree = await TreeCopy.make();
});

afterAll(async () => {
  await tree.remove();
});

test('a copy of the tree compiles as it is, and no longer with a mistake', async () => {
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  await tree.add('schema/mistake.ts', "export const mistake: number = 'text';\n");
  const mistaken = await tree.run('tsc', '-p', '.');
  expect(mistaken.code).not.toBe(0);
  expect(mistaken.output).toContain('mistake.ts');
});
