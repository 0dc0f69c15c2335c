import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import { spawnWaybridge } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

test('a reader who has gone away ends help quietly', async () => {
  const child = spawnWaybridge(['trips', 'import', '--help'], {});
  child.stdout.destroy();
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('a refusal that nobody reads still has its exit code', async () => {
  const child = spawnWaybridge(['user', 'disable', 'nope'], { DATA_DIR: await temporaryFolder() });
  child.stderr.destroy();
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
});
