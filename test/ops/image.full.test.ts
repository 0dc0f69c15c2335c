import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { packageVersion } from '../../http/package-file.ts';
import { readyService, spawnWaybridge } from '../processes/waybridge-process.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { type Instruction, readStages } from './dockerfile.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** Maximum compressed bytes of what the image adds to its base, which has 80 MB: together less than 250 MB. */
const MAX_BYTES = 100e6;
/** Folders of the stage of the build, which stand below a temporary folder here. */
const FOLDERS = /(?<![\w.])\/(?:src|opt\/waybridge)\b/g;

// It installs and builds everything: minutes on a busy machine.
test('the commands of the build stage make a program that runs, and a small image', { timeout: 900_000 }, async () => {
  const root = await temporaryFolder();
  const clone = join(root, 'clone');
  await run('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone]);
  await leaveOutIgnored(clone);
  const [build] = readStages('Dockerfile');
  let folder = root;
  for (const { name, text } of build?.instructions ?? []) {
    const words = text.replaceAll(FOLDERS, (path) => join(root, path));
    if (name === 'WORKDIR') folder = words;
    await mkdir(folder, { recursive: true });
    if (name !== 'WORKDIR') await execute({ name, text: words }, clone, folder);
  }
  const program = join(root, 'opt/waybridge/build/bundle/waybridge.js');
  // The image starts the file itself.
  expect((await run(program, ['--version'])).stdout).toBe(`${packageVersion()}\n`);
  const settings = { DATA_DIR: join(root, 'data'), PORT: '0' };
  const service = await readyService(spawnWaybridge(['serve', '--no-demo'], settings, program), settings);
  expect(await service.end()).toMatchObject({ code: 0 });
  const { stdout } = await run('bash', ['-c', 'tar -cz opt | wc -c'], { cwd: root });
  expect(Number(stdout)).toBeLessThan(MAX_BYTES);
});

/** Removes from a clone what `.dockerignore` leaves out. */
async function leaveOutIgnored(clone: string): Promise<void> {
  const script = `grep -v '^#' .dockerignore | sed 's|^/||' | while read -r name; do rm -rf -- $name; done`;
  await run('bash', ['-c', script], { cwd: clone });
}

/** Executes COPY and RUN as the builder of an image does; packages come from the cache of npm alone. */
async function execute({ name, text }: Instruction, clone: string, folder: string): Promise<void> {
  if (name === 'RUN') {
    await run('bash', ['-ec', text], {
      cwd: folder,
      env: { ...process.env, npm_config_offline: 'true' },
      maxBuffer: 2 ** 26,
    });
    return;
  }
  expect(name).toBe('COPY');
  const sources = text.split(' ');
  const target = sources.pop() ?? '';
  for (const source of sources) {
    const to = target.endsWith('/') ? join(folder, target, source) : join(folder, target);
    await mkdir(dirname(to), { recursive: true });
    await cp(join(clone, source), to, { recursive: true });
  }
}
