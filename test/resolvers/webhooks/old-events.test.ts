import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { AddressRanges } from '../../../http/requests/address-ranges.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { sendBehind, sendDue } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { notificationSender } from '../../../server/database/notification-sender.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { INGEST_PATHS } from '../../hosts/ingest-paths.ts';
import { webhookReceiver } from '../../hosts/webhook-receiver.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { sendNotificationsBy, testService, useDatabase } from '../../services/database.ts';
import { request } from '../places/visit-world.ts';

useDatabase({ webhookMaxAge: 60 });

let host: Awaited<ReturnType<typeof ingestHost>>;
let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
beforeAll(async () => {
  host = await ingestHost();
  receiver = await webhookReceiver();
  sendNotificationsBy(notificationSender(AddressRanges.parse('127.0.0.0/8, ::1') ?? AddressRanges.NONE, receiver.ca));
});
afterAll(async () => {
  await host.app.close();
  await receiver.close();
});
beforeEach(() => {
  receiver.received.length = 0;
});

type Device = Awaited<ReturnType<typeof recordingDevice>>;

const EVENTS = [
  ...['trip_start', 'trip_end', 'vehicle_geofence_arrival', 'vehicle_geofence_departure'],
  ...['device_unplug', 'trip_over_speeding', 'device_silent'],
];

const MINUTE_MS = 60_000;

/** A position so many minutes ago, on a road that leads east through a place. */
function ago(minutes: number, east: number, ...events: string[]) {
  const timestamp = new Date(Date.now() - minutes * MINUTE_MS).toISOString();
  return { point: { lat: 53, lon: 8.8 + east * 0.01 }, timestamp, speed: 60, events };
}

/** A device whose account has a place, rules, and a webhook for all events, and a cursor of its changes. */
async function watchedDevice() {
  const device = await recordingDevice();
  const { headers } = device.owner;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 30 * 86_400_000 });
  await request(host, 'POST', '/places', headers, { name: 'Depot', point: ago(0, 1).point, radius: 100 });
  await request(host, 'POST', '/rules', headers, { name: 'Fast', speed_limit: 50 });
  vi.useRealTimers();
  await request(host, 'POST', '/webhooks', headers, { url: receiver.url, events: EVENTS });
  const { body } = await request(host, 'GET', '/changes', headers);
  return { ...device, cursor: (body as { cursor: string }).cursor };
}

/** Sends positions and what webhooks are to be sent then; returns the events that arrived. */
async function send({ secret }: Device, ...points: ReturnType<typeof ago>[]): Promise<string[]> {
  expect(await host.post(secret, { points })).toMatchObject({ status: 200 });
  await leasedWorkEnded(testService);
  return dispatched();
}

async function dispatched(): Promise<string[]> {
  receiver.received.length = 0;
  await numberChanges(testService);
  await sendBehind(testService, webhookEvents);
  await sendDue(testService, webhookEvents);
  return receiver.received.map(({ body }) => body.event);
}

/** The kinds of records that the feed has of a device, late ones and others. */
async function feed({ owner, cursor }: Awaited<ReturnType<typeof watchedDevice>>) {
  const { body } = await request(host, 'GET', `/changes?cursor=${cursor}&size=200`, owner.headers);
  const { changes } = body as { changes: { kind: string; late: boolean }[] };
  const kinds = (isLate: boolean) => changes.filter(({ late }) => late === isLate).map(({ kind }) => kind);
  return { late: [...new Set(kinds(true))].toSorted(), news: [...new Set(kinds(false))].toSorted() };
}

/** A drive through the place, from so many minutes ago. */
const driveFrom = (minutes: number) => [
  ago(minutes, 0, 'engine_start'),
  ago(minutes - 1, 1, 'device_unplug'),
  ago(minutes - 2, 2, 'engine_stop'),
];

const ALL = ['trip_start', 'trip_over_speeding', 'vehicle_geofence_arrival', 'device_unplug'];
const ENDS = ['vehicle_geofence_departure', 'trip_end'];

test('the buffer of a device that was offline for some minutes is news', async () => {
  const device = await watchedDevice();
  expect((await send(device, ...driveFrom(50))).toSorted()).toEqual([...ALL, ...ENDS].toSorted());
  expect(await feed(device)).toEqual({ late: [], news: ['event', 'trip', 'visit'] });
});

test('a buffer of some days is posted to nobody, and is late in the feed of changes', async () => {
  const device = await watchedDevice();
  expect(await send(device, ...driveFrom(5 * 1440))).toEqual([]);
  expect(await feed(device)).toEqual({ late: ['event', 'trip', 'visit'], news: [] });
  const { body } = await request(host, 'GET', '/events', device.owner.headers);
  expect((body as { events: unknown[] }).events).toHaveLength(ALL.length + ENDS.length);
});

test.each(Object.entries(INGEST_PATHS))('a buffer of some days by %s is posted to nobody', async (_, sending) => {
  const device = await watchedDevice();
  const { secret } = await issueIngestKey(testService, { account_key: device.owner.key, device_key: null });
  for (const at of [0, 1, 2, 3]) {
    const place = [53, 8.8 + at * 0.01] as const;
    const saying = { at: new Date(Date.now() - (5 * 1440 - at) * MINUTE_MS), place, speed: 27 };
    expect(await sending(host, device, saying, secret)).toMatchObject({ status: 200 });
  }
  await leasedWorkEnded(testService);
  expect(await dispatched()).toEqual([]);
  expect(await feed(device)).toEqual({ late: ['event', 'trip', 'visit'], news: [] });
});

test('of a drive of some hours that a device sends at its end, what happened in the last hour is posted', async () => {
  const device = await watchedDevice();
  const points = Array.from({ length: 40 }, (_, at) => ago(180 - at * 4, 0, ...(at === 0 ? ['engine_start'] : [])));
  const slow = points.map((point) => ({ ...point, speed: 20 }));
  expect(await send(device, ...slow, { ...ago(5, 2, 'engine_stop'), speed: 20 })).toEqual(['trip_end']);
  expect(await feed(device)).toEqual({ late: [], news: ['trip'] });
});

test('the end of what was posted is posted whenever it becomes known, and so is a correction of it', async () => {
  const device = await watchedDevice();
  const began = ['trip_over_speeding', 'trip_start', 'vehicle_geofence_arrival'];
  const [early, ...first] = [ago(11, 0.9), ago(10, 0.95), ago(9, 1)];
  const end = [ago(8, 1), ago(7, 2, 'engine_stop')];
  expect((await send(device, ...first)).toSorted()).toEqual(began);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60 * MINUTE_MS });
  onTestFinished(() => void vi.useRealTimers());
  expect((await send(device, ...end)).toSorted()).toEqual(ENDS.toSorted());
  await send(device, early);
  const told = receiver.received.map(({ body }) => `${body.event}${body.deleted ? ' is none' : ''}`);
  // A visit that begins earlier is another one.
  const visit = ['vehicle_geofence_arrival', 'vehicle_geofence_departure'];
  const corrected = ['trip_over_speeding', ...visit].flatMap((event) => [event, `${event} is none`]);
  expect(told.toSorted()).toEqual([...corrected, 'trip_start'].toSorted());
});

test('a silence that a rule names is news when it is found, however long it has lasted', async () => {
  const device = await watchedDevice();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 30 * 86_400_000 });
  await request(host, 'POST', '/rules', device.owner.headers, { name: 'Silent', silent_minutes: 120 });
  vi.useRealTimers();
  await send(device, { ...ago(500, 0), speed: 20 }, { ...ago(499, 0), speed: 20 });
  expect(await send(device, { ...ago(1, 0), speed: 20 })).toContain('device_silent');
  expect(await send(device, ...[3000, 2999, 2000].map((minutes) => ({ ...ago(minutes, 0), speed: 20 })))).toEqual([]);
});

test.each([
  ['of years ago', 3_000_000],
  ['of the last hour', 30],
])('imported trips %s are posted to nobody', async (_, minutes) => {
  const device = await watchedDevice();
  const file = join(await temporaryFolder(), 'drive.csv');
  const rows = driveFrom(minutes).map(({ point: { lat, lon }, timestamp }) => [timestamp, lat, lon].join(','));
  await writeFile(file, ['time,lat,lon', ...rows, ''].join('\n'));
  const vehicle = { account_key: device.owner.key, key: device.vehicle_key };
  const { trips } = await importTrips(testService, { files: [file], vehicle });
  expect(trips).toHaveLength(1);
  expect(await dispatched()).toEqual([]);
  const isLate = minutes > 60;
  expect(await feed(device)).toEqual({ late: isLate ? ['trip'] : [], news: isLate ? [] : ['trip'] });
});

test.each([
  ['removes them', 'minimum_meters: 10000', ['deleted'], []],
  ['joins them', 'gap_seconds: 1200', ['deleted', 'updated'], ['trip_end']],
])(
  'cutting trips of the last hour again is posted to nobody if it %s, but the feed has it',
  async (_, settings, happened, next) => {
    const device = await watchedDevice();
    const drive = (from: number) => [0, 1, 2].map((minute) => ago(from - minute, (30 - from + minute) / 2));
    await send(device, ...drive(30), ...drive(15));
    const { headers } = device.owner;
    const { body } = await request(host, 'GET', '/changes', headers);
    const { cursor } = body as { cursor: string };
    await host.ask(`mutation { updateTripSettings(input: { ${settings} }) { key } }`, headers);
    await host.ask(`mutation { recutTrips(vehicle_key: "${device.vehicle_key}") { trips_after } }`, headers);
    await leasedWorkEnded(testService);
    expect(await dispatched()).toEqual([]);
    const { body: feed } = await request(host, 'GET', `/changes?cursor=${cursor}&size=200`, headers);
    const { changes } = feed as { changes: { kind: string; happened: string }[] };
    const trips = changes.filter(({ kind }) => kind === 'trip').map((change) => change.happened);
    expect([...new Set(trips)].toSorted()).toEqual(happened);
    expect(await send(device, ...[100, 99, 98].map((minutes) => ago(minutes, minutes)))).toEqual([]);
    expect(await send(device, ...drive(5), ago(2, 3, 'engine_stop'))).toEqual(expect.arrayContaining([...next]));
  },
);
