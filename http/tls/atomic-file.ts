import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';

/** The text of a file; null when there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/**
 * Creates a file unless it exists, and returns its final text: of several concurrent processes
 * one wins, and all of them return the winner's text. A reader never sees an incomplete file.
 */
export async function createOnce(path: string, text: string, mode: number): Promise<string> {
  await withTemporary(path, text, mode, async (temporary) => {
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  });
  return readFile(path, 'utf8');
}

/** Replaces a file; a reader sees the old text or the new one, never a mixture. */
export async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  await withTemporary(path, text, mode, (temporary) => rename(temporary, path));
}

async function withTemporary(path: string, text: string, mode: number, use: (temporary: string) => Promise<void>) {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, text, { mode, flag: 'wx', flush: true });
    await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}
