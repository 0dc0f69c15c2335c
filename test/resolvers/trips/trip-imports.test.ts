import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { unrestricted } from '../../../models/store/tenancy.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { TripImportStore } from '../../../models/trips/trip-import.ts';
import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { AccountClient, type Headers } from '../../clients/account-client.ts';
import { graphqlClient } from '../../clients/graphql-client.ts';
import { openHost } from '../../hosts/open-host.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

let app: FastifyInstance;
let client: AccountClient;
let owner: Awaited<ReturnType<typeof account>>;
let van: string;

beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
  client = await AccountClient.of(app);
  owner = await account();
  van = await vehicle(owner.key);
});
afterAll(() => app.close());

const gpx = (positions: number, lat = 53) => {
  const points = Array.from({ length: positions }, (_, i) => {
    const time = new Date(Date.UTC(2026, 2, 1, 12) + i * 5000).toISOString();
    return `<trkpt lat="${lat + i * 0.0001}" lon="8"><time>${time}</time></trkpt>`;
  });
  return `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points.join('\n')}</trkseg></trk></gpx>`;
};

const send = (file: string | Buffer, query = '', headers: Headers = owner.headers, key = van) =>
  client.send('POST', `/vehicle/${key}/imports${query}`, headers, Buffer.from(file));

const show = async (key: string) => (await client.get(`/import/${key}`, owner.headers)).json();

/** Sends a file, and returns its import once it has ended. */
async function imported(file: string | Buffer, query = '', key = van) {
  const answer = await send(file, query, owner.headers, key);
  expect([answer.statusCode, answer.json()]).toEqual([
    202,
    expect.objectContaining({ status: 'running', ended: null }),
  ]);
  return ended(answer.json().key);
}

async function ended(key: string) {
  await expect.poll(async () => (await show(key)).ended, { timeout: 60_000 }).not.toBeNull();
  return show(key);
}

const tripsOf = (vehicle_key: string) => TripStore.find(unrestricted(testService), { vehicle_key });

test('A file becomes trips of the vehicle, and the import tells how many, and what was odd', async () => {
  const file = gpx(40).replace('lat="53"', 'lat="x"');
  expect(await imported(file)).toMatchObject({
    status: 'succeeded',
    vehicle_key: van,
    bytes_total: Buffer.byteLength(file),
    bytes_read: Buffer.byteLength(file),
    trip_count: 1,
    created_count: 1,
    point_count: 39,
    faults: [{ kind: 'no_position', count: 1, trip_count: 1, line: 1 }],
    error: null,
  });
  expect(await tripsOf(van)).toMatchObject([{ staged: false, point_count: 39 }]);
  expect(await imported(file)).toMatchObject({ status: 'succeeded', trip_count: 1, created_count: 0 });
});

test('The parameters describe columns, times and units', async () => {
  const key = await vehicle(owner.key);
  const csv = 'when;lat;lon;v;km\n1.3.2026 13:00:00;53;8;36;10\n1.3.2026 13:00:05;53.001;8;36;11\n';
  const query = new URLSearchParams({ format: 'csv', zone: 'Europe/Berlin', time_format: 'DD.MM.YYYY hh:mm:ss' });
  for (const column of ['time=when', 'speed=v', 'odometer=km']) query.append('map', column);
  query.append('speed_unit', 'km/h');
  query.append('odometer_unit', 'km');
  expect(await imported(csv, `?${query}`, key)).toMatchObject({ status: 'succeeded', point_count: 2, faults: [] });
  const [trip] = await tripsOf(key);
  expect(trip?.start_point).toMatchObject({ timestamp: new Date('2026-03-01T12:00:00Z'), odometer: 6.214 });
});

const part = (name: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const form = (...parts: readonly Buffer[]) => Buffer.concat([...parts, Buffer.from('--x--\r\n')]);
const FORM = (): Headers => ({ ...owner.headers, 'content-type': 'multipart/form-data; boundary=x' });

test('A form has the file and its parameters, which may also be in the query', async () => {
  const key = await vehicle(owner.key);
  const csv = Buffer.from(
    'L\u00e4nge,lat,lon,time\n,53,8,2026-03-01 12:00\n,53.001,8,2026-03-01 12:01\n,53.002,8,20',
    'latin1',
  );
  const fields = [part('encoding', 'windows-1252'), part('map', 'heading=Länge'), part('salvage', 'true')];
  const body = form(...fields, part('file"; filename="Monday.CSV', csv));
  const { statusCode, ...answer } = await send(body, '?zone=Europe/Berlin', FORM(), key);
  expect([statusCode, answer.json()]).toEqual([202, expect.objectContaining({ bytes_total: csv.length })]);
  expect(await ended(answer.json().key)).toMatchObject({ status: 'succeeded', trip_count: 1, point_count: 2 });
  expect(await tripsOf(key)).toMatchObject([{ start_point: { timestamp: new Date('2026-03-01T11:00:00Z') } }]);
});

test('The parameters say what becomes of damaged files, of old receivers, and of drives that were recorded already', async () => {
  const key = await vehicle(owner.key);
  expect(await imported(gpx(20).slice(0, -30), '?salvage=true', key)).toMatchObject({
    status: 'succeeded',
    faults: expect.arrayContaining([expect.objectContaining({ kind: 'damaged' })]),
  });
  for (const [query, created_count, kind] of [
    ['', 1, 'recorded_part'],
    ['?overlap=skip', 0, 'recorded_trip'],
    ['?overlap=keep', 1, 'overlapping_trip'],
  ] as const) {
    const again = await imported(gpx(40, 53.0001), query, key);
    expect(again).toMatchObject({ created_count, faults: [expect.objectContaining({ kind })] });
  }
  const early = gpx(5).replaceAll(
    '2026-03-01',
    new Date(Date.now() - 1025 * 7 * 86_400_000).toISOString().slice(0, 10),
  );
  expect(await imported(early, '', key)).toMatchObject({
    created_count: 0,
    faults: [{ kind: 'week_rollover', description: expect.stringContaining('; give week_rollover correct, or keep') }],
  });
  expect(await imported(early, '?week_rollover=correct', key)).toMatchObject({ created_count: 1 });
});

test('A file that breaks off leaves nothing, and the error names the place', async () => {
  const key = await vehicle(owner.key);
  expect(await imported(gpx(20).slice(0, -30), '', key)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^20:\d+: .*; salvage imports what is whole before it$/),
    trip_count: 0,
  });
  expect(await imported('hello', '', key)).toMatchObject({
    status: 'failed',
    error: expect.stringMatching(/^neither its name nor its content reveals its format; give format gpx, kml/),
  });
  expect(await tripsOf(key)).toEqual([]);
});

describe('A request is refused', () => {
  test.each([
    ['?format=xls', 'format must be one of gpx, kml'],
    ['?map=time', 'map must be field=column'],
    ['?map=vehicle%3Dcar', 'map must not name vehicle'],
    ['?map=coordinates%3Dpath', 'map coordinates= requires interval'],
    ['?map=speed%3Dv', 'map speed= requires speed_unit'],
    ['?speed_unit=knots', 'speed_unit must be one of m/s, km/h, mph, kn'],
    ['?odometer_unit=km', 'map odometer= and odometer_unit belong together'],
    ['?overlap=mix', 'overlap must be one of merge, skip, keep'],
    ['?week_rollover=yes', 'week_rollover must be one of correct, keep'],
    ['?map=lat%3Da&map=lat%3Db', 'map must not name lat twice'],
    ['?interval=0', 'interval must be greater than 0'],
    ['?interval=soon', 'interval must be a number'],
    ['?zone=Middle/Earth', 'zone must be an offset'],
    ['?time_format=noon', 'time_format must be iso'],
  ])('for %s', async (query, message) => {
    const answer = await send(gpx(2), query);
    expect([answer.statusCode, answer.json().errors]).toEqual([400, expect.stringContaining(message)]);
  });

  test('without a file, or with a form that has none, or several, or no end', async () => {
    const empty = await client.send('POST', `/vehicle/${van}/imports`, owner.headers);
    expect([empty.statusCode, empty.json().errors]).toEqual([400, 'The body must be a file, or a form with one']);
    const file = part('file"; filename="a.gpx', gpx(2));
    for (const [body, message] of [
      [form(part('format', 'gpx')), 'The body must be a file, or a form with one'],
      [form(file, file), 'The form must have one file'],
      [file, 'The form is incomplete'],
      ['', 'The form is incomplete'],
      [form(part('overlap', 'mix'), file), 'overlap must be one of merge, skip, keep'],
    ] as const) {
      const answer = await send(body, '', FORM());
      expect([answer.statusCode, answer.json().errors]).toEqual([400, message]);
    }
  });

  test('for more than 100 MB, announced or not', async () => {
    const announced = { ...owner.headers, 'content-length': String(101 * 1024 * 1024) };
    expect((await client.send('POST', `/vehicle/${van}/imports`, announced, 'a')).statusCode).toBe(413);
    const large = Buffer.alloc(100 * 1024 * 1024 + 1, 32);
    expect((await send(large)).statusCode).toBe(413);
    expect((await send(form(part('file"; filename="a.gpx', large)), '', FORM())).statusCode).toBe(413);
  });

  test('for those who do not see the vehicle, or may not change it', async () => {
    const north = await group(owner.key, 'North');
    const hidden = await vehicle(owner.key);
    const seen = await vehicle(owner.key, [north]);
    const person = await user(owner.key, [north]);
    const manager = (await appFor(person, ['account_activity.read', 'account_activity.manage'])).headers;
    const stranger = (await account()).headers;
    expect((await send(gpx(2), '', manager, seen)).statusCode).toBe(202);
    expect((await send(gpx(2), '', manager, hidden)).statusCode).toBe(404);
    expect((await send(gpx(2), '', stranger)).statusCode).toBe(404);
    expect((await send(gpx(2), '', {})).statusCode).toBe(401);
    const reader = (await appFor(person, ['account_activity.read'])).headers;
    expect((await send(gpx(2), '', reader, seen)).statusCode).toBe(403);
    const { key } = await imported(gpx(2), '', hidden);
    for (const headers of [manager, stranger]) {
      expect((await client.get(`/import/${key}`, headers)).statusCode).toBe(404);
      expect((await client.delete(`/import/${key}`, headers)).statusCode).toBe(404);
    }
  });
});

test('An import that is canceled leaves nothing, and others of the account wait for it', async () => {
  const other = await account();
  const key = await vehicle(other.key);
  // So many that they are not read when the import is canceled.
  const rows = Array.from(
    { length: 600_000 },
    (_, i) => `${new Date(Date.UTC(2025, 0, 1) + i * 1000).toISOString()},${10 + i / 1e5},20`,
  );
  const csv = `time,lat,lon\n${rows.join('\n')}`;
  const first = (await send(csv, '?format=csv', other.headers, key)).json().key;
  await send(csv, '?format=csv', other.headers, key);
  expect((await send(gpx(2), '', other.headers, key)).statusCode).toBe(429);
  const imports = await TripImportStore.find(unrestricted(testService), { account_key: other.key }, 'key');
  for (const one of imports) {
    expect((await client.delete(`/import/${one.key}`, other.headers)).json().status).toBe('canceling');
  }
  const of = async () => (await client.get(`/import/${first}`, other.headers)).json();
  await expect.poll(async () => (await of()).status, { timeout: 60_000 }).toBe('canceled');
  await expect
    .poll(() => TripImportStore.countDocuments(unrestricted(testService), { account_key: other.key, ended: null }), {
      timeout: 60_000,
    })
    .toBe(0);
  expect(await tripsOf(key)).toEqual([]);
  expect((await client.delete(`/import/${first}`, other.headers)).json().status).toBe('canceled');
});

test('An import whose process was killed says that it was interrupted', async () => {
  const { key } = await imported(gpx(5));
  const killed = { status: 'running', ended: null, touched: new Date(Date.now() - 60_000) } as const;
  await TripImportStore.updateOne(unrestricted(testService), { key }, killed);
  expect(await show(key)).toMatchObject({ status: 'interrupted', ended: null });
});

test('GraphQL reads and cancels imports', async () => {
  const ask = await graphqlClient();
  const { key } = await imported(gpx(6, 54));
  const fields = 'key status trip_count point_count faults { kind description }';
  const expected = { key, status: 'succeeded', trip_count: 1, point_count: 6, faults: [] };
  expect((await ask(`{ tripImport(key: "${key}") { ${fields} } }`, owner.headers)).data).toEqual({
    tripImport: expected,
  });
  expect((await ask(`mutation { cancelTripImport(key: "${key}") { ${fields} } }`, owner.headers)).data).toEqual({
    cancelTripImport: expected,
  });
});

test('No file remains', async () => {
  await expect
    .poll(async () => (await readdir(tmpdir())).filter((name) => name.includes('waybridge-body-')))
    .toEqual([]);
});
