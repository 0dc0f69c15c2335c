import { mkdir } from 'node:fs/promises';

import { StartError } from './start-error.ts';

/**
 * Makes the data folder, for nobody else to look into, unless it is there.
 *
 * @throws StartError where it cannot be made
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new StartError(`The folder ${dataDir} cannot be made (${code}); set DATA_DIR to one that can be written`, {
      cause: error,
    });
  }
}
