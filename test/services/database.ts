import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mongoose from 'mongoose';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

import { readConfig } from '../../server/configuration/config.ts';
import { clearSigningKeys } from '../../auth/signing-keys.ts';
import { allStores, type AnyStore } from '../../models/store/plain-store.ts';
import { clearServiceSecrets } from '../../models/service-secret.ts';
import { Service, type ServiceParts, type ServiceSettings } from '../../models/store/service.ts';
import { NO_SENDER, type NotificationSender } from '../../models/store/notification-sender.ts';
import { type Database, openDatabase } from '../../server/database/database.ts';
import { inDatabase } from './in-database.ts';

/** Address of the database server of this process, started by the first file that needs one. */
let server: Promise<string> | undefined;

const dbName = `test_${randomUUID().slice(0, 8)}`;

/** Names of stores whose indexes are there: they are made once a process, since those of thirty collections take a third of a second. */
const indexed = new Set<string>();

/** Those of tests that drove months ago are news. */
const SETTINGS = readConfig({ WEBHOOK_MAX_AGE: '5256000' });

/** Settings and sender of a service under test; those of a service without any unless given. */
export interface TestServiceParts extends Partial<ServiceSettings>, Partial<Pick<ServiceParts, 'sender' | 'now'>> {}

/** The sender of the services under test. */
const sending = { by: NO_SENDER };

/** Sets how the services under test post notifications, until the test file ends. */
export function sendNotificationsBy(sender: NotificationSender): void {
  sending.by = sender;
}

const SENDER: NotificationSender = {
  post: (request) => sending.by.post(request),
  mayReach: (url) => sending.by.mayReach(url),
};

function newService({ sender = SENDER, now, ...settings }: TestServiceParts = {}): Service {
  const connection = mongoose.createConnection();
  return new Service({ connection, settings: { ...SETTINGS, ...settings }, sender, ...(now && { now }) });
}

/** The service of the test file that runs: each file has another. */
export let testService: Service = newService();

/**
 * Gives a test file an empty database, on the server of `MONGODB_URI`, or on an embedded one that the files of a worker
 * share. Stores must have been imported; their indexes are there before the first test.
 */
export function useDatabase(parts: TestServiceParts = {}): void {
  const service = newService(parts);
  testService = service;
  beforeAll(async () => {
    await connect(service);
    const others = allStores().filter(({ name }) => !indexed.has(name));
    await Promise.all(others.map((store) => store.model(service).createIndexes()));
    for (const { name } of others) indexed.add(name);
  });

  afterAll(async () => {
    sending.by = NO_SENDER;
    // A server that others use keeps nothing; the embedded one ends with this process.
    if (process.env.MONGODB_URI) await service.connection.dropDatabase();
    // Where the database was dropped, here or by the file, there are no indexes.
    if ((await emptyDatabase()) < indexed.size) indexed.clear();
    await service.connection.close();
  });
}

/** Settings of a service on the server of `MONGODB_URI`, in a database of its own that the test drops; none without that server. */
export function serverSettings(): Readonly<Record<string, string>> {
  const { MONGODB_URI } = process.env;
  if (!MONGODB_URI) return {};
  const uri = inDatabase(MONGODB_URI, `test_${randomUUID().slice(0, 8)}`);
  onTestFinished(async () => {
    const connection = await mongoose.createConnection(uri).asPromise();
    await connection.dropDatabase();
    await connection.close();
  });
  return { MONGODB_URI: uri };
}

/** Opens the database of a data folder, whose service is the one of the test file from then on. */
export async function openTestDatabase(...options: Parameters<typeof openDatabase>): Promise<Database> {
  const database = await openDatabase(...options);
  testService = database.service;
  return database;
}

/** Changes settings of the service of the test file. */
export function changeSettings(changes: Partial<ServiceSettings>): void {
  Object.assign(testService.settings, changes);
}

/** Opens another service on the database of the test file, such as that of another server; the test closes it. */
export async function openService(parts: TestServiceParts = {}): Promise<Service> {
  const service = newService(parts);
  await connect(service);
  onTestFinished(() => service.connection.close());
  return service;
}

async function connect({ connection }: Service): Promise<void> {
  server ??= startServer();
  await connection.openUri(await server, { dbName, autoCreate: false, autoIndex: false });
}

/** The store with a name. */
export function storeNamed(name: string): AnyStore {
  const found = allStores().find((store) => store.name === name);
  if (!found) throw new TypeError(`No store is named ${name}`);
  return found;
}

/** Removes all documents; returns the number of collections. */
export async function emptyDatabase(): Promise<number> {
  const collections = (await testService.connection.db?.collections()) ?? [];
  await Promise.all(collections.map((collection) => collection.deleteMany()));
  clearSigningKeys(testService);
  clearServiceSecrets(testService);
  return collections.length;
}

/** Starts a server that ends with this process, on a file that is removed with the folder of the run. */
async function startServer(): Promise<string> {
  const { MONGODB_URI } = process.env;
  if (MONGODB_URI) return MONGODB_URI;
  const { startEmbeddedDatabase } = await import('../../embedded/embedded-database.ts');
  const folder = await mkdtemp(join(tmpdir(), 'database-'));
  // Tests set the clock back: what they have just stored may be expired by that of the machine.
  return (await startEmbeddedDatabase({ file: join(folder, 'test.db'), ttlMonitorEnabled: false })).uri;
}
