import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { account, SHORT_TRIPS } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { atTime, type Border, circle, pointAt, request, stays, timeAt, visitsOf } from './visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());
afterEach(() => {
  vi.useRealTimers();
});

type Device = Awaited<ReturnType<typeof recordingDevice>>;

/** The border of the circles is 150 metres from their center. */
const EDGE = 1.5;

/** Sends positions one after the other, as a device does. */
async function send({ secret }: Device, ...points: ReturnType<typeof pointAt>[]): Promise<void> {
  for (const point of points) expect(await host.post(secret, { points: [point] })).toMatchObject({ status: 200 });
  await leasedWorkEnded(testService);
}

/** Arrivals and departures of a vehicle, the oldest first. */
async function events({ owner, vehicle_key }: Device): Promise<string[]> {
  const { body } = await request(host, 'GET', `/events?vehicle_key=${vehicle_key}&size=200`, owner.headers);
  const found = body.events as { event: string; timestamp: string }[];
  return found
    .toReversed()
    .filter(({ event }) => event.startsWith('vehicle_geofence_'))
    .map(({ event, timestamp }) => `${event.replace('vehicle_geofence_', '')} ${timestamp}`);
}

async function deviceNear(border: Partial<Border> = {}): Promise<Device & { readonly place: string }> {
  // A trip that standing does not end: visits follow from the positions of trips.
  const owner = await account({ trip_settings: { ...SHORT_TRIPS, stop_seconds: 86_400 } });
  const device = await recordingDevice(owner);
  return { ...device, place: await circle(host, device.owner.headers, 0, -3600, border) };
}

/** Positions every ten seconds, so many hundred metres east of the center. */
const drive = (...east: number[]) => east.map((one, at) => pointAt(at * 10, one));

describe('a vehicle on the border', () => {
  test.each<[what: string, east: number[]]>([
    ['that stands on it', [-5, 1.46, 1.54, 1.46, 1.54, 1.46, 1.54, 1.46, 1.54, 1.46, 1.54]],
    ['whose position strays once', [-5, 0, 0.1, 1.89, 0.1, 0]],
    ['whose positions stray for minutes', [-5, 0, ...Array<number>(29).fill(EDGE + 0.3), 0]],
  ])('%s arrives once, and does not leave', async (_, east) => {
    const device = await deviceNear();
    await send(device, ...drive(...east));
    expect(await events(device)).toEqual([`arrival ${timeAt(10)}`]);
    expect(stays(await visitsOf(host, device))).toEqual([[device.place, timeAt(10), null]]);
  });

  test('that stays there has left after some minutes, at its first position outside', async () => {
    const device = await deviceNear();
    const outside = Array.from({ length: 31 }, (_, at) => EDGE + 0.3 + (at % 2) * 0.02);
    await send(device, ...drive(-5, 0, ...outside));
    expect(await events(device)).toEqual([`arrival ${timeAt(10)}`, `departure ${timeAt(20)}`]);
  });

  test('that crosses it has left at its first position outside', async () => {
    const device = await deviceNear();
    await send(device, ...drive(-5, 0, EDGE + 0.2, EDGE + 0.4, 5));
    expect(stays(await visitsOf(host, device))).toEqual([[device.place, timeAt(10), timeAt(20)]]);
  });

  test('of a place without one leaves with each position outside', async () => {
    const device = await deviceNear({ border_meters: 0 });
    await send(device, ...drive(-5, 1.46, 1.54, 1.46));
    expect(await events(device)).toEqual([`arrival ${timeAt(10)}`, `departure ${timeAt(20)}`, `arrival ${timeAt(30)}`]);
  });

  test('of a polygon is as far from its sides', async () => {
    const device = await recordingDevice();
    const corners = [pointAt(0, -1.5), pointAt(0, 1.5)].map(({ point }) => point);
    const ring = [...corners, ...corners.toReversed().map(({ lat, lon }) => ({ lat: lat + 0.01, lon }))];
    const polygon = ring.map(({ lat, lon }) => ({ lat: lat - 0.005, lon }));
    await atTime(-60, () => request(host, 'POST', '/places', device.owner.headers, { name: 'Yard', polygon }));
    await send(device, ...drive(-5, 0, EDGE + 0.45, 0, EDGE + 0.55, 0));
    expect(await events(device)).toEqual([`arrival ${timeAt(10)}`, `departure ${timeAt(40)}`, `arrival ${timeAt(50)}`]);
  });
});

describe('a dwell time', () => {
  test('has a vehicle that passes neither arrive nor leave, and one that strays far stay', async () => {
    const device = await deviceNear({ dwell_seconds: 60 });
    await send(device, ...drive(-5, 0, 0, 0, 0, 5));
    expect(await events(device)).toEqual([]);
    const inside = Array<number>(8).fill(0);
    await send(device, ...drive(...Array<number>(9).fill(5), ...inside, 5, 5, 5, ...inside).slice(6));
    expect(await events(device)).toEqual([`arrival ${timeAt(90)}`]);
    await send(device, ...[280, 340].map((seconds) => pointAt(seconds, 5)));
    expect(await events(device)).toEqual([`arrival ${timeAt(90)}`, `departure ${timeAt(280)}`]);
  });

  test('passes for a vehicle that sends nothing more', async () => {
    const device = await deviceNear({ dwell_seconds: 60 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(timeAt(15)) });
    await send(device, ...drive(-5, 0));
    expect(await events(device)).toEqual([]);
    vi.setSystemTime(Date.parse(timeAt(1000)));
    await closeOfflineTrips(testService);
    expect(await events(device)).toEqual([`arrival ${timeAt(10)}`]);
  });
});

describe('a place that is drawn around a parked vehicle', () => {
  test.each<[what: string, east: number[]]>([
    ['whose next trip begins there', [0, 0.2, 5, 9]],
    ['whose next position is far away', [5, 9]],
  ])('%s: has a visit from then on, and a departure, but no arrival', async (_, east) => {
    const device = await recordingDevice();
    await send(device, pointAt(0, -5, 'engine_start'), pointAt(10, 0, 'engine_stop'));
    const place = await circle(host, device.owner.headers, 0, 25);
    const drive = east.map((one, at) => pointAt(1000 + at * 10, one, ...(at === 0 ? ['engine_start'] : [])));
    await send(device, ...drive);
    const left = timeAt(1000 + east.indexOf(5) * 10);
    expect(await events(device)).toEqual([`departure ${left}`]);
    expect(stays(await visitsOf(host, device))).toEqual([[place, timeAt(25), left]]);
  });

  test('has an arrival of a vehicle that was elsewhere', async () => {
    const device = await recordingDevice();
    await send(device, ...drive(-5, -5));
    await circle(host, device.owner.headers, 0, 15);
    await send(device, pointAt(20, 0));
    expect(await events(device)).toEqual([`arrival ${timeAt(20)}`]);
  });

  test('is one that is moved there, too', async () => {
    const device = await recordingDevice();
    const place = await circle(host, device.owner.headers, 20);
    await send(device, ...drive(-5, 0));
    const moved = { point: pointAt(0, 0).point };
    await atTime(15, () => request(host, 'POST', `/place/${place}`, device.owner.headers, moved));
    await send(device, pointAt(20, 0), pointAt(30, 5));
    expect(await events(device)).toEqual([`departure ${timeAt(30)}`]);
  });
});

test('a place that a vehicle passes between two positions has no visit', async () => {
  const device = await deviceNear();
  await send(device, ...drive(-5, 5));
  expect(await visitsOf(host, device)).toEqual([]);
});

test('a border that is changed is for positions from then on', async () => {
  const owner = await account();
  const devices = [await recordingDevice(owner), await recordingDevice(owner)] as const;
  const place = await circle(host, owner.headers, 0, -3600, { border_meters: 0 });
  const points = drive(0, 1.6, 0, 1.6, 0);
  await send(devices[0], ...points.slice(0, 3));
  const wider = { border_meters: 50 };
  await atTime(25, () => request(host, 'POST', `/place/${place}`, owner.headers, wider));
  await send(devices[0], ...points.slice(3));
  await send(devices[1], ...points.toReversed());
  for (const device of devices) {
    expect(stays(await visitsOf(host, device))).toEqual([
      [place, timeAt(0), timeAt(10)],
      [place, timeAt(20), null],
    ]);
  }
});
