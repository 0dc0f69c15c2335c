import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder for what the files of a worker share; it is removed at the end of the run. */
    runFolder: string;
    /** True in `npm run test:full`. */
    isFullRun: boolean;
  }
}

const PREFIX = 'waybridge-run-';

/** Linux's file system in memory, where a database waits for no disk. */
const MEMORY = '/dev/shm';

/** Bytes that the databases of a run may need; containers often have less there. */
const NEEDED_BYTES = 2 ** 31;

/** Makes the folder of a run before its first test, and returns what removes it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const memory = await statfs(MEMORY).catch(() => null);
  const isRoomy = memory !== null && memory.bavail * memory.bsize >= NEEDED_BYTES;
  const parent = isRoomy ? MEMORY : tmpdir();
  await removeStaleFolders(parent);
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  project.provide('runFolder', folder);
  return () => remove(folder);
}

/** Removes the folders of runs that were killed. */
async function removeStaleFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (!Number.isNaN(pid) && !isRunning(pid)) await remove(join(parent, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
