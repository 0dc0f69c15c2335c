import type { Service } from '../models/store/service.ts';
import { readConfig } from '../server/configuration/config.ts';
import { openDatabase } from '../server/database/database.ts';
import { type ServiceProcess, serveProcess } from '../test/processes/waybridge-process.ts';

/** Does work on the database of these settings, beside no server. */
export async function withService<Result>(
  env: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(readConfig(env), true);
  try {
    return await work(database.service);
  } finally {
    await database.close();
  }
}

/** Starts a service with these settings and without a demonstration. */
export async function benchService(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const service = await serveProcess({ LOG_LEVEL: 'warn', ...env }, '--no-demo');
  // Nothing else ends it if this process ends early.
  process.once('exit', () => service.child.kill('SIGKILL'));
  return service;
}
