import { type Config, readConfig } from '../../server/configuration/config.ts';
import type { Service } from '../../models/store/service.ts';
import type { OpenOptions } from '../../server/database/database.ts';

/** A service that answers no requests, and its configuration. */
export interface OpenedService {
  readonly config: Config;
  readonly service: Service;
}

/**
 * Runs work on the configured database, also beside a running service. Only now is Mongoose loaded.
 *
 * @param makesIndexes true if it may be the first to write
 * @param options data that needs a migration is rejected unless they allow it
 */
export async function withDatabase<Result>(
  work: (opened: OpenedService) => Promise<Result>,
  makesIndexes = false,
  options: OpenOptions = {},
): Promise<Result> {
  const config = readConfig(process.env);
  const { openDatabase } = await import('../../server/database/database.ts');
  const database = await openDatabase(config, makesIndexes, options);
  try {
    return await work({ config, service: database.service });
  } finally {
    await database.close();
  }
}
