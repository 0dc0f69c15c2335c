import { rm } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { join } from 'node:path';

import { afterEach, expect, onTestFinished, test, vi } from 'vitest';

import { backupEmbeddedDatabase } from '../../../embedded/backup.ts';
import { createLog } from '../../../http/observing/logs.ts';
import { OPERATOR } from '../../../auth/security-events.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { removeAccount } from '../../../resolvers/account/remove-account.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { changeRetention } from '../../../tracking/retention/change-retention.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { hourlyPurge } from '../../../server/service/housekeeping.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { ORIGIN } from '../../clients/graphql-client.ts';
import { openHost } from '../../hosts/open-host.ts';
import { recordingDevice } from '../../hosts/ingest-host.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { type Area, bytesOfFolder, foundIn, tracesOf } from './position-traces.ts';
import { testService, openTestDatabase } from '../../services/database.ts';
import { driverOf } from '../../../server/database/database.ts';

const DAY_MS = 86_400_000;
const NEVER = new AbortController().signal;

afterEach(() => {
  vi.useRealTimers();
});

/** A service on an empty embedded database, and all that it logs. */
async function service() {
  const DATA_DIR = await temporaryFolder();
  const database = await openTestDatabase(readConfig({ DATA_DIR }), true);
  const lines: string[] = [];
  const destination = new Writable({ write: (line, _, done) => done(void lines.push(String(line))) });
  const endpoints = [await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN))];
  const app = await openHost(endpoints, { log: createLog('trace', destination) });
  onTestFinished(async () => {
    await app.close();
    await leasedWorkEnded(testService);
    await database.close();
  });
  /** All bytes that the service has written, a new backup among them. */
  const bytes = async () => {
    const backup = join(DATA_DIR, 'backup.db');
    await backupEmbeddedDatabase(join(DATA_DIR, 'waybridge.db'), backup);
    const all = Buffer.concat([await bytesOfFolder(DATA_DIR), Buffer.from(lines.join(''))]);
    await rm(backup);
    return all;
  };
  const db = driverOf(database.service);
  /** Erases as later hours do where somebody stands in the way: again, until nobody does. */
  const erase = async (signal: AbortSignal) => {
    while (!(await database.erase(signal)));
    return true;
  };
  return { app, client: await AccountClient.of(app), purge: hourlyPurge(testService, { erase }), db, bytes };
}

/** Positions 20 seconds apart on a road that bends, from a place on; each place has a road of another shape, and other times. */
function drive(lat: number, lon: number, from: number, count: number, ...events: string[]) {
  const start = Date.UTC(2026, 2, 1, 12) - lat * 10_000_000;
  return Array.from({ length: count }, (_, at) => ({
    point: {
      lat: lat + 0.00001 * lat * (from + at) + 0.0007 * Math.sin(lat * at),
      lon: lon + 0.001 * Math.sin(lat * at),
    },
    timestamp: new Date(start + (from + at) * 20_000).toISOString(),
    speed: 30 + (at % 7),
    ...(at === 0 && { events }),
  }));
}

const AREA: Area = { lat: [77.1, 77.9], lon: [-33.9, -33.1] };
const OTHER_AREA: Area = { lat: [52.9, 53.9], lon: [8.1, 9.5] };

/** Records a trip that is packed, and one under way with positions in minutes and in the tail. */
async function record({ client }: Awaited<ReturnType<typeof service>>, secret: string, lat: number, lon: number) {
  const authorization = { authorization: `Bearer ${secret}` };
  const send = async (points: ReturnType<typeof drive>) => {
    const answer = await client.post('/ingest', { points }, authorization);
    expect(answer.statusCode, answer.body).toBe(200);
    await leasedWorkEnded(testService);
  };
  await send([...drive(lat, lon, 0, 60, 'engine_start'), ...drive(lat, lon, 60, 1, 'engine_stop')]);
  await send(drive(lat, lon, 200, 30, 'engine_start'));
  for (let at = 230; at < 260; at += 5) await send(drive(lat, lon, at, 5));
}

/** Some of the forms in which positions are stored. */
const FORMS = [
  'devices.position.lat',
  'devices.tail.packed',
  'device_minutes.packed',
  'trip_points.packed',
  'trip_points.line',
  'trips.outline',
  'trips.paths.meter_1.points',
  'trips.start_point.point.lon',
];

/**
 * Records trips of a vehicle, and of another elsewhere; returns the traces of the first, all of which are found. The places
 * have many digits, since a log also has durations such as 77.3 ms.
 */
async function recordedWorld() {
  const world = await service();
  const driven = await recordingDevice();
  const other = await recordingDevice(driven.owner);
  await record(world, other.secret, 53.1482937, 8.8172645);
  await record(world, driven.secret, 77.3826415, -33.5371928);
  const traces = await tracesOf(driven.vehicle_key, world.db, AREA);
  const found = async () => foundIn(await world.bytes(), traces, AREA);
  const before = await found();
  expect([...before].sort()).toEqual([...traces.keys(), 'decoded'].sort());
  for (const form of FORMS) expect(before).toContain(form);
  return { ...world, driven, other, found };
}

test('of a vehicle that was deleted long ago, or whose account was, no position is anywhere in the files, in new backups and logs', async () => {
  const { client, purge, db, bytes, driven, other, found } = await recordedWorld();
  const { headers, key } = driven.owner;
  await client.get('/ingest/osmand?id=unknown&lat=77.4412345&lon=-33.4412345&timestamp=1772366400');
  const { trips } = (await client.get(`/trips?vehicle_key=${driven.vehicle_key}`, headers)).json();
  const change = { ...headers, 'idempotency-key': '"change-1"' };
  expect((await client.post(`/trip/${trips.at(-1).key}`, { tags: [] }, change)).json()).toHaveProperty('key');

  await client.delete(`/vehicle/${driven.vehicle_key}`, headers);
  await purge(NEVER);
  expect(await found()).toContain('trip_points.packed');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * DAY_MS });
  await purge(NEVER);
  expect([...(await found())]).toEqual([]);

  // The other vehicle goes with the whole account.
  const others = await tracesOf(other.vehicle_key, db, OTHER_AREA);
  expect(await foundIn(await bytes(), others, OTHER_AREA)).toContain('trip_points.packed');
  await removeAccount(testService, key);
  vi.setSystemTime(Date.now() + 31 * DAY_MS);
  await purge(NEVER);
  expect([...(await foundIn(await bytes(), others, OTHER_AREA))]).toEqual([]);
});

test('of trips that are older than their account keeps positions, none is anywhere either, and their facts stay', async () => {
  const { client, purge, driven, found } = await recordedWorld();
  const { headers, key } = driven.owner;
  const trips = async () => (await client.get(`/trips?vehicle_key=${driven.vehicle_key}`, headers)).json().trips;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * DAY_MS });
  await closeOfflineTrips(testService);
  const before = await trips();
  vi.setSystemTime(Date.now() - 7 * DAY_MS);
  await changeRetention(accountAccessScope(testService, key), { positions_days: 4, trips: 'keep_facts' }, OPERATOR);
  vi.setSystemTime(Date.now() + 7 * DAY_MS);
  await purge(NEVER);
  expect([...(await found())]).toEqual([]);
  const distances = (list: { gps_distance: number }[]) => list.map(({ gps_distance }) => gps_distance);
  expect(distances(await trips())).toEqual(distances(before));
});
