import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';

import { expect, test } from 'vitest';

import { temporaryFolder } from '../../processes/temporary-folder.ts';

/** Runs a shell with a file system of its own, as a user who may mount. */
function inNamespace(script: string, ...args: string[]) {
  const command = ['--mount', '--map-root-user', 'sh', '-c', script, 'sh', ...args];
  return spawnSync('unshare', command, { encoding: 'utf8', env: { PATH: process.env.PATH } });
}

const CAN_MOUNT = inNamespace(`mount -t tmpfs none ${tmpdir()}`).status === 0;
const MODULE = new URL('../../../build/bundle/embedded-database.js', import.meta.url).href;

/** Fills the disk of a database that has been closed, and opens it again. */
const SCRIPT = `
  import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
  import { createRequire } from 'node:module';
  const { startEmbeddedDatabase } = await import(${JSON.stringify(MODULE)});
  const { mongo } = createRequire(${JSON.stringify(import.meta.filename)})('mongoose');
  const file = process.argv[1] + '/test.db';
  const using = async (work) => {
    const database = await startEmbeddedDatabase({ file });
    const client = new mongo.MongoClient(database.uri);
    const outcome = await work(client.db('test').collection('items')).catch(({ code }) => code);
    await client.close();
    await database.close();
    console.log(JSON.stringify(outcome));
  };
  await using((items) => items.insertOne({ _id: 1 }));
  for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
  const fill = process.argv[1] + '/fill';
  try {
    for (;;) appendFileSync(fill, Buffer.alloc(4096));
  } catch {}
  await using((items) => items.findOne({}));
  await using((items) => items.insertOne({ _id: 2, text: 'x'.repeat(1_000_000) }));
  rmSync(fill);
  await using((items) => items.insertOne({ _id: 3 }));
  process.exit();
`;

test.skipIf(!CAN_MOUNT)(
  'a database on a full disk can be opened and read, and takes writes again with room',
  async () => {
    const folder = await temporaryFolder();
    const run = 'mount -t tmpfs -o size=4m none "$1" && exec "$2" --input-type=module -e "$3" "$1"';
    const { stdout, stderr } = inNamespace(run, folder, process.execPath, SCRIPT);
    expect([
      stderr,
      ...stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ]).toEqual(['', { acknowledged: true, insertedId: 1 }, { _id: 1 }, 14031, { acknowledged: true, insertedId: 3 }]);
  },
);
