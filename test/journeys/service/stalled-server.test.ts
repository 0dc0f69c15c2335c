import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { databaseFile } from '../../../server/database/data-folder.ts';
import { account } from '../../services/account-fixture.ts';
import { httpsClient } from '../../clients/https-client.ts';
import { at, ingestHost, recordingDevice, type SentPoint, seenTrips } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';
import { openStallingProxy, type StallingProxy, type StallPoint } from '../../hosts/stalling-proxy.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';
import { testService } from '../../services/database.ts';

/** Of the points before and after each command of a case, one in so many is stalled at. */
const ONE_IN = runSize(46, 1);

type Device = Awaited<ReturnType<typeof recordingDevice>>;

/** Work of the server that stalls, and what others acknowledge meanwhile. */
interface Case {
  readonly before: readonly (readonly SentPoint[])[];
  /** Request to the server that stalls; none where it closes the trips of a silent device. */
  readonly request?: readonly SentPoint[];
  readonly meanwhile: readonly (readonly SentPoint[])[];
  /** The positions before were written days ago, those of a parked vehicle among them. */
  readonly isOld?: boolean;
  /** It takes no lease that could be lost. */
  readonly isAppended?: boolean;
  /** Its open trips are closed before. */
  readonly isSilent?: boolean;
}

const start = (seconds: number) => at(seconds, 'engine_start');
const stop = (seconds: number) => at(seconds, 'engine_stop');
const parked = (seconds: number) => at(seconds, 'ignition_off');
const drive = (from: number, count: number) => Array.from({ length: count }, (_, second) => at(from + second));

const CASES: Readonly<Record<string, Case>> = {
  'adds to an open trip': {
    before: [[start(0), at(1)]],
    request: [at(2), at(3), at(61)],
    meanwhile: [[at(3), at(4)], [at(62)]],
    isAppended: true,
  },
  'adds to an open trip what comes late': {
    before: [[start(0), at(5)], [at(70)]],
    request: [at(2), at(3), at(71)],
    meanwhile: [[at(3), at(4)], [at(72)]],
  },
  'opens a trip': { before: [], request: [at(0), at(1)], meanwhile: [[at(1), at(2)], [at(70)]] },
  'closes a trip': {
    before: [[start(0), at(2)]],
    request: [at(4), stop(6)],
    meanwhile: [[at(4), stop(6)], [at(3)], [start(400), at(401)]],
  },
  'closes the trip of a silent device': {
    before: [[start(0), at(1), at(2)]],
    meanwhile: [[at(3)], [stop(5)], [at(4)]],
  },
  'opens a trip again that goes on': {
    before: [[start(0), at(1)]],
    isSilent: true,
    request: [at(2000)],
    meanwhile: [[at(2001)], [at(1000), stop(2002)]],
  },
  'adds to a closed trip what comes late': {
    before: [[start(0), stop(90)]],
    request: [at(30), at(40)],
    meanwhile: [[at(50)], [at(60), at(30)]],
  },
  'makes two trips of one': {
    before: [[start(0), at(10), at(20), at(70), stop(90)]],
    request: [stop(30), at(80)],
    meanwhile: [[at(40)], [at(85), at(25)]],
  },
  'makes two trips of an open one': {
    before: [[start(0), at(10), at(20), at(70)]],
    request: [stop(30)],
    meanwhile: [[at(75)], [stop(90)], [at(25)]],
  },
  'makes one trip of two': {
    before: [[at(0), at(10)], [at(400), at(410)], [start(1000)]],
    request: [at(200)],
    meanwhile: [[at(205)], [at(1001)]],
  },
  'ends many trips at once': {
    before: [[at(0)], [at(60_000)]],
    request: [at(30_000), at(60_010), at(90_000), at(120_000)],
    meanwhile: [[at(30_001)], [at(90_001), at(60_005)]],
  },
  'purges where a vehicle was parked': {
    before: [[start(0), stop(10)], [parked(3000)]],
    isOld: true,
    request: [parked(9000)],
    meanwhile: [
      [start(3030), at(3040)],
      [at(3050), at(8800)],
    ],
  },
  'closes a trip of several buckets': {
    before: [[start(-1), ...drive(0, 500)], drive(501, 1000), drive(1501, 1000)],
    isSilent: true,
    request: [at(2600), stop(2601)],
    meanwhile: [[at(500)], [stop(2700)]],
  },
};

/** Cases of `npm test`: one of each kind of work. */
const SAMPLE = [
  'adds to an open trip',
  'closes the trip of a silent device',
  'makes two trips of one',
  'makes one trip of two',
];

let proxy: StallingProxy;
let direct: mongoose.Connection;
let host: Awaited<ReturnType<typeof ingestHost>>;
let owner: Awaited<ReturnType<typeof account>>;
let toOther: (device: Device, points: readonly SentPoint[]) => Promise<number>;
const closers: (() => Promise<unknown>)[] = [];

/** One server of its own process, and this one, which reaches the same database through what makes it stall. */
beforeAll(async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'waybridge-'));
  closers.push(() => rm(DATA_DIR, { recursive: true, force: true }));
  const other = await serveProcess({ DATA_DIR, LOG_LEVEL: 'error' }, '--no-demo');
  closers.push(() => other.end());
  const database = await startEmbeddedDatabase({ file: databaseFile(DATA_DIR) });
  closers.push(() => database.close());
  direct = await mongoose.createConnection(database.uri, { dbName: 'waybridge' }).asPromise();
  closers.push(() => direct.close());
  proxy = await openStallingProxy(database.uri);
  closers.push(() => proxy.close());
  await testService.connection.openUri(proxy.uri, { dbName: 'waybridge', autoCreate: false, autoIndex: false });
  closers.push(() => testService.connection.close());
  host = await ingestHost();
  host.app.log.level = 'silent';
  closers.push(() => host.app.close());
  owner = await account();
  const ask = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));
  toOther = async ({ secret }, points) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ points });
    return (await ask(`${other.url}/api/v2/ingest`, { method: 'POST', headers, body })).status;
  };
});
afterAll(async () => {
  for (const close of closers.toReversed()) await close();
});

const setDevice = (key: string, filter: object, set: object) =>
  direct.collection('devices').updateOne({ key, ...filter }, { $set: set });

/** Has trips closed of a device, and of no other, as if it were silent. */
async function closeSilently({ device_key }: Device): Promise<number> {
  await setDevice(device_key, { 'care.by': null }, { care: { by: null, until: new Date(0) } });
  return closeOfflineTrips(testService).then(
    () => 200,
    () => 503,
  );
}

async function deviceBefore({ before, isOld, isSilent }: Case): Promise<Device> {
  const device = await recordingDevice(owner);
  for (const points of before) await send(device, points);
  if (isSilent) await closeSilently(device);
  const { device_key } = device;
  const written = new Date(Date.now() - 2 * 86_400_000);
  if (isOld) await direct.collection('device_minutes').updateMany({ device_key }, { $set: { written } });
  return device;
}

async function send(device: Device, points: readonly SentPoint[]): Promise<number> {
  const { status } = await host.post(device.secret, { points });
  await leasedWorkEnded(testService);
  return status;
}

/** Stalls this server at a point of its work, lets the other take over, and lets this one go on. */
async function stalledAt(point: StallPoint, one: Case) {
  const device = await deviceBefore(one);
  const { request } = one;
  if (!request) await setDevice(device.device_key, {}, { care: { by: null, until: new Date(0) } });
  const stall = proxy.stall(point);
  const work = request
    ? send(device, request)
    : closeOfflineTrips(testService).then(
        () => 200,
        () => 503,
      );
  const isReached = await Promise.race([stall.reached.then(() => true), work.then(() => false)]);
  if (isReached) {
    await setDevice(device.device_key, { 'care.by': { $type: 'string' } }, { 'care.until': new Date(0) });
    for (const points of one.meanwhile) expect(await toOther(device, points)).toBe(200);
  }
  const commands = stall.commands().slice(0, point.at + 1);
  stall.end();
  return { device, isReached, commands, status: await work };
}

/** When the positions of all trips were recorded that are seen of a device. */
async function timesSeen({ owner: { headers }, vehicle_key }: Device): Promise<string[]> {
  const nodesOf = async (field: string, selection: string) => {
    const { data } = await host.graphql(
      `{ seen: ${field} { nodes { ${selection} } page_info { end_cursor } } }`,
      headers,
    );
    return data.seen as { nodes: Record<string, string>[]; page_info: { end_cursor: string | null } };
  };
  const times: string[] = [];
  for (const { key } of (await nodesOf(`trips(vehicle_key: "${vehicle_key}", first: 1000)`, 'key')).nodes) {
    let after: string | null = null;
    do {
      const range: string = after === null ? '' : `, after: "${after}"`;
      const page = await nodesOf(`tripPoints(trip_key: "${key}"${range})`, 'timestamp');
      times.push(...page.nodes.map(({ timestamp = '' }) => timestamp));
      after = page.nodes.length === 1000 ? page.page_info.end_cursor : null;
    } while (after !== null);
  }
  return times;
}

const timeOf = ({ timestamp }: SentPoint) => timestamp.replace(/\.\d+Z$/, '+00:00');
/** Records all positions of a case without a fault, and reads the trips that result. */
async function undisturbed(points: readonly SentPoint[]) {
  const device = await recordingDevice(owner);
  const sorted = points.toSorted((one, two) => Date.parse(one.timestamp) - Date.parse(two.timestamp));
  for (let from = 0; from < sorted.length; from += 1000) await send(device, sorted.slice(from, from + 1000));
  return { trips: await seenTrips(host, device), times: new Set(await timesSeen(device)) };
}

test.each(Object.entries(CASES).filter(([name]) => runSize(SAMPLE.includes(name), true)))(
  'a server that stalls while it %s loses and doubles nothing that another acknowledges',
  async (name, one) => {
    const { before, request = [], meanwhile } = one;
    const others = [...before, ...meanwhile].flat();
    const whole = await undisturbed([...others, ...request]);
    // A position may be in no trip as long as others are missing.
    const without = await undisturbed(others);
    const devices: Device[] = [];
    const statuses = new Set<number>();
    const offset = Object.keys(CASES).indexOf(name);
    for (let number = offset % ONE_IN; ; number += ONE_IN) {
      const point: StallPoint = { at: number >> 1, when: number % 2 === 0 ? 'before' : 'after' };
      const { device, isReached, commands, status } = await stalledAt(point, one);
      if (!isReached) break;
      const where = `${point.when} ${commands.length}: ${commands.at(-1)}`;
      expect([where, status === 200 || status === 503]).toEqual([where, true]);
      statuses.add(status);

      const acknowledged = [...others, ...(status === 200 ? request : [])].map(timeOf);
      const seen = await timesSeen(device);
      expect([where, seen.toSorted()]).toEqual([where, [...new Set(seen)].toSorted()]);
      const mustSee = (time: string) => whole.times.has(time) && (status === 200 || without.times.has(time));
      expect([where, acknowledged.filter((time) => mustSee(time) && !seen.includes(time))]).toEqual([where, []]);

      if (request.length > 0) expect([where, await send(device, request)]).toEqual([where, 200]);
      expect([where, await seenTrips(host, device)]).toEqual([where, whole.trips]);
      devices.push(device);
    }
    for (const device of devices) await closeSilently(device);
    for (const device of devices) expect(await seenTrips(host, device)).toEqual(whole.trips);
    if (ONE_IN === 1) expect(statuses).toEqual(new Set(one.isAppended ? [200] : [200, 503]));
    expect(devices.length).toBeGreaterThan(0);
  },
  runSize(undefined, 1_800_000),
);
