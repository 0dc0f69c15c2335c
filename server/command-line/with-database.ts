import { type Config, readConfig } from '../configuration/config.ts';
import type { OpenOptions } from '../database/database.ts';

/**
 * Runs work on the configured database; only now is Mongoose loaded.
 *
 * @param makesIndexes if it may write first
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
