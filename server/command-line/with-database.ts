import { type Config, readConfig } from '../configuration/config.ts';
import type { OpenOptions } from '../database/database.ts';

/**
 * Does something with the database that the settings name, and closes it; beside a running service, too.
 *
 * What needs Mongoose is loaded here and not before, so that help and refusals come at once.
 *
 * @param makesIndexes whether to make the indexes that are missing: the command may be the first to write
 * @param options data that needs a migration is refused unless they say otherwise
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
