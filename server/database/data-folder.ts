import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { StartError } from '../configuration/start-error.ts';

/** The file of the embedded database in a data folder. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'waybridge.db');
}

/**
 * Creates the data folder, readable only by its owner, unless it exists.
 *
 * @throws StartError if that fails
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new StartError(`The folder ${dataDir} cannot be created (${code}); set DATA_DIR to a writable folder`, {
      cause: error,
    });
  }
}
