import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder for what the files of a worker share; it is removed at the end of the run. */
    runFolder: string;
  }
}

/** Linux's file system in memory, where a database waits for no disk. */
const MEMORY = '/dev/shm';

/** Bytes that the databases of a run may need; containers often have less there. */
const NEEDED_BYTES = 2 ** 30;

/** Makes the folder of a run before its first test, and returns what removes it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const memory = await statfs(MEMORY).catch(() => null);
  const isRoomy = memory !== null && memory.bavail * memory.bsize >= NEEDED_BYTES;
  const folder = await mkdtemp(join(isRoomy ? MEMORY : tmpdir(), 'waybridge-run-'));
  project.provide('runFolder', folder);
  return () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
