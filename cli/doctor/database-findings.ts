import { existsSync } from 'node:fs';

import { readMigrationStatus } from '../../models/migrations/migration-status.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { WebhookStore } from '../../models/webhooks/webhook.ts';

import type { Config } from '../../server/configuration/config.ts';
import { databaseFile } from '../../server/database/data-folder.ts';
import { missingCapabilities } from '../../server/database/capabilities.ts';
import { driverOf, openDatabase } from '../../server/database/database.ts';
import { missingIndexes } from '../../server/database/indexes.ts';
import { type Finding, problem, sound, warning } from './finding.ts';
import { rejectionFinding } from './rejection-findings.ts';
import type { Service } from '../../models/store/service.ts';

/** Difference between clocks from which leases and times of changes are no longer reliable, in milliseconds. */
const MAX_CLOCK_MS = 2000;

/** Looks at the database: whether it answers, its clock, the version of its data, its indexes, webhooks that are not sent, refused positions. */
export async function databaseFindings(config: Config): Promise<readonly Finding[]> {
  if (config.mongodbUri === null && !existsSync(databaseFile(config.dataDir))) {
    return [sound('database', 'there is no data yet: the service creates the database when it starts')];
  }
  const database = await openDatabase(config, false, { migrations: 'ignore' }).catch((error: unknown) =>
    problem(
      'database',
      error instanceof Error ? error.message : String(error),
      'Follow that advice, then run the command again.',
    ),
  );
  if ('check' in database) return [database];
  const { service } = database;
  try {
    return [
      sound('database', database.description),
      ...(database.isEmbedded ? [] : [await capabilityFinding(service)]),
      await clockFinding(service),
      await dataFinding(service),
      await indexFinding(service),
      await webhookFinding(service),
      await rejectionFinding(service, Date.now()),
    ];
  } finally {
    await database.close();
  }
}

async function capabilityFinding(service: Service): Promise<Finding> {
  const missing = await missingCapabilities(driverOf(service));
  if (missing.length === 0) return sound('capabilities', 'the database has all that the service uses');
  const detail = missing.map(({ name, cost }) => `it lacks ${name}, so that ${cost}`).join('; ');
  return warning('capabilities', detail, 'docs/scale.md compares databases.');
}

async function clockFinding(service: Service): Promise<Finding> {
  const asked = Date.now();
  const { localTime } = await driverOf(service).command({ hello: 1 });
  const answered = Date.now();
  // A date, or in DocumentDB a number of milliseconds.
  const clock = Number(localTime);
  const apart = Math.max(asked - clock, clock - answered, 0);
  if (apart <= MAX_CLOCK_MS) return sound('clock', 'it agrees with that of the database');
  const detail = `it differs from that of the database by ${(apart / 1000).toFixed(1)} seconds`;
  return problem('clock', detail, 'Synchronize the clocks of all servers, by NTP.');
}

async function dataFinding(service: Service): Promise<Finding> {
  const { data_version, program_version, migrations } = await readMigrationStatus(driverOf(service), {});
  if (data_version > program_version) {
    const detail = `the data has version ${data_version}, which this program cannot read`;
    return problem('data', detail, 'Run the newer version of the program.');
  }
  const pending = migrations.filter(({ state }) => state !== 'done').length;
  if (pending === 0) return sound('data', `it has version ${data_version}`);
  return warning('data', `${pending} migrations are pending`, 'Run "waybridge migrate", or start the service.');
}

async function indexFinding(service: Service): Promise<Finding> {
  const missing = await missingIndexes(service);
  if (missing.length === 0) return sound('indexes', 'all exist');
  return warning('indexes', `${missing.join(', ')} are missing`, 'Start the service once: it creates them.');
}

async function webhookFinding(service: Service): Promise<Finding> {
  const paused = await WebhookStore.countDocuments(unrestricted(service), { status: { $ne: 'active' } });
  if (paused === 0) return sound('webhooks', 'all are active');
  const advice =
    '"waybridge webhook list" shows why; "waybridge webhook update KEY --status active" sends the pending events.';
  return warning('webhooks', `${paused} are paused or disabled`, advice);
}
