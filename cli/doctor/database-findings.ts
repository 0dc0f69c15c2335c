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
import type { Service } from '../../models/store/service.ts';
import { DeviceStore } from '../../models/vehicles/device.ts';
import { IngestRejectionStore } from '../../models/vehicles/ingest-rejection.ts';
import { REJECTIONS, RejectionReason } from '../../schema/vehicles/ingest-rejection.ts';

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

const DAY_MS = 86_400_000;
/** Maximum number of devices that a finding names. */
const MAX_NAMED = 10;
const REJECTING = Object.values(RejectionReason).filter((reason) => REJECTIONS[reason].outcome === 'rejected');

/** Finds devices, and unknown serials, of which no position of the last day was stored. */
export async function rejectionFinding(service: Service, now: number): Promise<Finding> {
  const since = new Date(now - DAY_MS);
  const all = unrestricted(service);
  const those = { last: { $gt: since }, reason: { $in: REJECTING } };
  const rejected = await IngestRejectionStore.find(all, those).sort({ last: -1 });
  const keys = rejected.flatMap(({ device_key }) => device_key ?? []);
  const devices = await DeviceStore.find(all, { key: { $in: keys } }, 'key serial last_transmission');
  const silent = new Map(
    devices
      .filter(({ last_transmission }) => last_transmission === null || last_transmission < since)
      .map(({ key, serial }) => [key, serial]),
  );
  const named = rejected.flatMap(({ device_key, serial, reason }) => {
    const name = device_key === null ? serial || 'a message without a serial' : silent.get(device_key);
    return name === undefined ? [] : [`${name} (${reason})`];
  });
  if (named.length === 0) return sound('positions', 'no device has had all positions of the last day rejected');
  const others = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  const advice = `"waybridge device rejections --account ${rejected[0]?.account_key}" shows what came, and what to do.`;
  const detail = `all positions of the last day were rejected: ${named.slice(0, MAX_NAMED).join(', ')}${others}`;
  return warning('positions', detail, advice);
}
