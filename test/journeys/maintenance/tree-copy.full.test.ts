import { expect, test } from 'vitest';

import { useTreeCopy } from './tree-copy.ts';

const tree = useTreeCopy();

test('a copy of the tree compiles as it is, and no longer with a mistake', async () => {
  expect(await tree.run('tsc', '-p', '.')).toMatchObject({ code: 0 });
  await tree.add('schema/mistake.ts', "export const mistake: number = 'text';\n");
  const mistaken = await tree.run('tsc', '-p', '.');
  expect(mistaken.code).not.toBe(0);
  expect(mistaken.output).toContain('mistake.ts');
});
