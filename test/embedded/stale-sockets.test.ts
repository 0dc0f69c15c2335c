import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import { socketFolderPrefix } from '../../embedded/stale-sockets.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

/** Leaves the socket folder of a process that is killed while it listens. */
const KILLED = `
  const { mkdtempSync } = require('node:fs');
  const folder = mkdtempSync(process.argv[1].replace('PID', process.pid));
  require('node:net').createServer().listen(folder + '/db.sock', () => {
    require('node:fs').writeSync(1, folder);
    process.kill(process.pid, 'SIGKILL');
  });
`;

test('a start removes the socket folder of a killed process, and none that is in use', async () => {
  const folder = await temporaryFolder();
  const used = await startEmbeddedDatabase({ file: join(folder, 'one.db') });
  const prefix = socketFolderPrefix(0).replace('-0-', '-PID-');
  const left = spawnSync(process.execPath, ['-e', KILLED, prefix], { encoding: 'utf8' }).stdout;
  expect(existsSync(join(left, 'db.sock'))).toBe(true);
  const next = await startEmbeddedDatabase({ file: join(folder, 'two.db') });
  const path = decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(used.uri)?.[1] ?? '');
  expect([existsSync(left), existsSync(path)]).toEqual([false, true]);
  await Promise.all([used.close(), next.close()]);
});
