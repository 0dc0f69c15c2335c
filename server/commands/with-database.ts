import { type Config, readConfig } from '../config.ts';

/**
 * Does something with the database that the settings name, and closes it; beside a running service, too.
 *
 * What needs Mongoose is loaded here and not before, so that help and refusals come at once.
 */
export async function withDatabase<Result>(work: (config: Config) => Promise<Result>): Promise<Result> {
  const config = readConfig(process.env);
  const { openDatabase } = await import('../database.ts');
  const database = await openDatabase(config);
  try {
    return await work(config);
  } finally {
    await database.close();
  }
}
