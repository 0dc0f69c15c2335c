import { type Config, readConfig } from '../configuration/config.ts';
import type { OpenOptions } from '../database/database.ts';

/**
 * Runs work on the configured database, also beside a running service. Only now is Mongoose loaded.
 *
 * @param makesIndexes true if it may be the first to write
 * @param options data that needs a migration is rejected unless they say otherwise
 */
export async function withDatabase<Result>(
  work: (config: Config) => Promise<Result>,
  makesIndexes = false,
  options: OpenOptions = {},
): Promise<Result> {
  const config = readConfig(process.env);
  const { openDatabase } = await import('../database/database.ts');
  const database = await openDatabase(config, makesIndexes, options);
  try {
    return await work(config);
  } finally {
    await database.close();
  }
}
