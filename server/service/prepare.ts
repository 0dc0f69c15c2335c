import type { FastifyBaseLogger } from 'fastify';

import { currentSigningKey } from '../../auth/signing-keys.ts';
import { completeChanges } from '../../content/items/pending/pending-changes.ts';
import { ensureDefaultCategory } from '../../content/terms/default-category.ts';
import { isLoopbackHost } from '../../http/requests/loopback.ts';
import { completeMoves } from '../../models/groups/move-group.ts';
import { serviceSecret } from '../../models/service-secret.ts';
import { completeInterrupted } from '../../tracking/recording/complete-interrupted.ts';

import type { Config } from '../configuration/config.ts';
import { makeDataFolder } from '../database/data-folder.ts';
import { type Database, driverOf, openDatabase } from '../database/database.ts';
import { logMigrations } from '../database/migration-log.ts';
import { type Demo, type DemoOption, ensureDemo } from '../demo/ensure-demo.ts';
import { tlsCertificate } from '../start/tls-certificate.ts';
import type { Service } from '../../models/store/service.ts';

/** Parts of a service that are created once before it answers, regardless of the number of processes. */
export interface Prepared {
  readonly database: Database;
  readonly demo: Demo | null;
  readonly certificate: Awaited<ReturnType<typeof tlsCertificate>>;
}

/**
 * Opens the database with its data upgraded, completes interrupted work of ended processes, and creates demonstration, signing
 * key and certificate if they are missing.
 *
 * @throws ConfigError, DatabaseError or StartError
 */
export async function prepare(config: Config, demoOption: DemoOption, log: FastifyBaseLogger): Promise<Prepared> {
  await makeDataFolder(config.dataDir);
  const database = await openDatabase(config, true, {
    migrations: 'run',
    onProgress: logMigrations(log),
    answers: true,
  });
  try {
    if (!database.isEmbedded) await warnOfMissing(database, log);
    await currentSigningKey(database.service);
    // Readers need it while the database takes no writes.
    await serviceSecret(database.service, 'list cursors');
    warnOfPlainKeys(config, log);
    await completeWork(database.service, log);
    const demo = await ensureDemo(database.service, config.dataDir, demoOption, database);
    await ensureDefaultCategory(database.service);
    return { database, demo, certificate: await tlsCertificate(config) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Completes interrupted work of ended processes of this machine. Faults are logged: other processes complete it later. */
export async function completeWork(service: Service, log: FastifyBaseLogger): Promise<void> {
  const logged = (message: string) => (err: unknown) => log.error({ err }, message);
  await completeInterrupted(service).catch(logged('interrupted trips'));
  await completeMoves(service).catch(logged('moved groups'));
  await completeChanges(service).catch(logged('interrupted changes of content'));
}

async function warnOfMissing({ service }: Database, log: FastifyBaseLogger): Promise<void> {
  const { missingCapabilities } = await import('../database/capabilities.ts');
  for (const { name, cost } of await missingCapabilities(driverOf(service)))
    log.warn({ capability: name }, `the database lacks ${name}: ${cost}`);
}

function warnOfPlainKeys({ keyEncryptionSecret, authUrl, lan }: Config, log: FastifyBaseLogger): void {
  if (keyEncryptionSecret === null && lan === null && !isLoopbackHost(new URL(authUrl).hostname)) {
    log.warn('signing keys are stored unencrypted; set KEY_ENCRYPTION_SECRET');
  }
}
