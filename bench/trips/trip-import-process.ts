import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

import mongoose from 'mongoose';

import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import { AccountStore } from '../../models/account/account.ts';
import { newKey } from '../../models/key.ts';
import { importTrips } from '../../tracking/import/import-trips.ts';
import { readFile } from '../../tracking/import/read-file.ts';
import type { ReadOptions } from '../../tracking/import/rows/read-options.ts';
import { readConfig } from '../../server/configuration/config.ts';
import { createIndexes } from '../../server/database/indexes.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { Service } from '../../models/store/service.ts';
import { NO_SENDER } from '../../models/store/notification-sender.ts';

const READ: ReadOptions = { columns: { vehicle: 'vehicle' }, speedUnit: 'm/s' };

/** Parses a file into positions, and drops them. Answers how many there were. */
async function parse(file: string): Promise<number> {
  let points = 0;
  for await (const items of readFile(file, READ, () => {})) points += items.length;
  return points;
}

/** Imports a file into an embedded database of its own. Answers how many positions it held. */
async function importInto(file: string, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const embedded = await startEmbeddedDatabase({ file: join(folder, 'bench.db') });
  const connection = mongoose.createConnection();
  const service = new Service({ connection, settings: readConfig({}), sender: NO_SENDER });
  await connection.openUri(embedded.uri, { dbName: 'bench', autoCreate: false, autoIndex: false });
  await createIndexes(service);
  const account_key = newKey();
  await AccountStore.create(unrestricted(service), {
    key: account_key,
    nickname: 'Bench',
    created: new Date(),
    updated: new Date(),
  });
  const { point_count, failures } = await importTrips(service, {
    files: [file],
    account_key,
    createsVehicles: true,
    read: READ,
  });
  for (const failure of failures) throw failure;
  await connection.close();
  await embedded.close();
  return point_count;
}

const [what = '', file = '', folder = ''] = process.argv.slice(2);
const start = performance.now();
const points = what === 'parse' ? await parse(file) : await importInto(file, folder);
const seconds = (performance.now() - start) / 1000;
const peak_megabytes = process.resourceUsage().maxRSS / 1000;
process.stdout.write(JSON.stringify({ seconds, peak_megabytes, points }));
