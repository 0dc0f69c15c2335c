import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { builtModule } from '../../processes/built-module.ts';
import { signTripToken } from '../../../auth/trip-token.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { closeOfflineTrips } from '../../../tracking/recording/close-offline-trips.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { createPrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { deletePrivacyZone } from '../../../resolvers/vehicles/privacy-zone-resolver.ts';
import { importTrips } from '../../../tracking/import/import-trips.ts';
import { appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ORIGIN } from '../../clients/graphql-client.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { useGpxFiles } from '../../fixtures/gpx-file.ts';
import { ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();
const gpx = useGpxFiles();

const PAGE = 'https://fleet.example';
const MINUTE = 60_000;
const START = Date.UTC(2026, 2, 1, 8);
const TRIPS = `query ($vehicle_key: String!, $started_after: String) {
  trips(vehicle_key: $vehicle_key, started_after: $started_after, first: 1000) {
    nodes { key point_count distance_meters bounding_box start_point { timestamp } end_point { timestamp }
      path(tolerance_meters: 0) { points breaks } stops { arrival } }
  }
}`;

/** A vehicle with its device, and a page that shows its trips. */
interface Shown {
  readonly vehicle: Awaited<ReturnType<typeof recordingDevice>>;
  readonly headers: Readonly<Record<string, string>>;
}

let host: Awaited<ReturnType<typeof ingestHost>>;
let shown: Shown;
beforeAll(async () => {
  host = await ingestHost();
});
beforeEach(async () => {
  shown = await newShown();
});

async function newShown(): Promise<Shown> {
  const vehicle = await recordingDevice();
  const { client_id, grant } = await appFor(await user(vehicle.owner.key), ['account_activity.read']);
  const token = (scope: string) => tokenOf({ vehicle_key: vehicle.vehicle_key, client_id, grant, scope });
  return { vehicle, headers: { authorization: `Bearer ${await token('loc-past')}`, origin: PAGE } };
}

function tokenOf({ vehicle_key, client_id, grant, scope }: TokenFor): Promise<string> {
  const claims = { sub: `vehicle:${vehicle_key}`, aud: PAGE, scope, client_id, grant: grant.grant_hash };
  return signTripToken(testService, ORIGIN, claims);
}

interface TokenFor {
  readonly vehicle_key: string;
  readonly client_id: string;
  readonly grant: { readonly grant_hash: string };
  readonly scope: string;
}

async function send(query: string, variables: object, headers: Readonly<Record<string, string>>) {
  const response = await host.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { host: 'localhost', ...headers },
    payload: { query, variables },
  });
  return { status: response.statusCode, headers: response.headers, body: response.body, bytes: response.rawPayload };
}

const ask = ({ vehicle, headers }: Shown, query = TRIPS, form: Readonly<Record<string, string>> = {}) =>
  send(query, { vehicle_key: vehicle.vehicle_key }, { ...headers, ...form });

/** The same question by a name that nobody has given it before, so that the answer is worked out. */
let names = 0;
const askAnew = (one: Shown) => ask(one, TRIPS.replace('query', `query Anew${names++}`));

/** Positions a second apart along a street, from a minute of the day on. */
const drive = (minute: number) =>
  Array.from({ length: 5 }, (_, i) => ({
    point: { lat: 53 + i / 1000, lon: 8.8 },
    timestamp: new Date(START + minute * MINUTE + i * 1000).toISOString(),
  }));

async function record({ vehicle }: Shown, minute: number): Promise<void> {
  expect(await host.post(vehicle.secret, { points: drive(minute) })).toMatchObject({ status: 200 });
}

async function goOffline({ vehicle }: Shown): Promise<void> {
  const filter = { key: vehicle.device_key, care: { $ne: null } };
  const care = { by: null, until: new Date(0) };
  await DeviceStore.updateOne(accountAccessScope(testService, vehicle.owner.key), filter, { care });
  await closeOfflineTrips(testService);
}

async function importDrive({ vehicle }: Shown, minute: number): Promise<void> {
  const positions = drive(minute).map(({ point, timestamp }) => ({ ...point, time: Date.parse(timestamp) }));
  const files = [await gpx.write(`${minute}.gpx`, [positions])];
  await importTrips(testService, { files, vehicle: { account_key: vehicle.owner.key, key: vehicle.vehicle_key } });
}

test('a document of nothing but opening brackets is 400 to a trip map, too', async () => {
  for (const depth of [300, 900, 1900, 5000, 100_000]) {
    const lists = `{ trips(vehicle_key: ${'['.repeat(depth)}${']'.repeat(depth)}) { nodes { key } } }`;
    expect((await ask(shown, lists)).status).toBe(400);
  }
});

test('a document that takes all of the stack is none', async () => {
  const module = await builtModule('graphql/endpoint/normalized-document.ts');
  const code = `import { normalizeDocument } from ${JSON.stringify(module)};
    console.log(normalizeDocument('{ a(b: ' + '['.repeat(1900)));`;
  const child = spawn(process.execPath, ['--stack-size=200', '--input-type=module', '-']);
  child.stdin.end(code);
  expect(await text(child.stdout)).toBe('null\n');
});

test('what a trip map asks again is answered as before, by the one query that identifies it', async () => {
  await record(shown, 0);
  const first = await ask(shown);
  let again = first;
  const queries = await queriesDuring(async () => {
    again = await ask(shown);
  });
  expect(first.status).toBe(200);
  expect(queries).toEqual([{ collection: 'oauth_records', method: 'aggregate' }]);
  const { date, 'x-request-id': id, ...same } = first.headers;
  expect(again).toMatchObject({ status: 200, body: first.body, headers: same });
  expect(JSON.parse(again.body).data.trips.nodes).toHaveLength(1);
});

test.each<[string, object]>([
  ['a comment', { query: `${TRIPS} # anew` }],
  ['other white space', { query: TRIPS.replaceAll('\n', ' \r\n\t,') }],
  ['a variable that the operation does not have', { variables: { anew: 1 } }],
  ['a member that nobody reads', { anew: 1 }],
  ['members in another order', { query: undefined, operationName: null }],
])('%s does not make it another question', async (_, more: { variables?: object; query?: string | undefined }) => {
  await record(shown, 0);
  const first = await ask(shown);
  const variables = { ...more.variables, vehicle_key: shown.vehicle.vehicle_key };
  const queries = await queriesDuring(async () => {
    const again = await host.app.inject({
      method: 'POST',
      url: '/graphql',
      headers: { host: 'localhost', ...shown.headers },
      payload: { ...more, variables, query: more.query ?? TRIPS },
    });
    expect(again.body).toBe(first.body);
  });
  expect(queries).toEqual([{ collection: 'oauth_records', method: 'aggregate' }]);
});

test.each<[string, object]>([
  ['variables that are none', { variables: 'x' }],
  ['a document that is none', { query: '{' }],
  ['an operation that is not there', { operationName: 'Other' }],
  ['a document that is no text', { query: 5 }],
  ['a stored document', { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }],
])('%s is refused, whatever is kept', async (_, more) => {
  await ask(shown);
  const answer = await host.app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { host: 'localhost', ...shown.headers },
    payload: { query: TRIPS, variables: { vehicle_key: shown.vehicle.vehicle_key }, ...more },
  });
  expect(answer.statusCode).toBe(400);
});

test.each([
  {},
  { 'accept-encoding': 'br' },
  { 'accept-encoding': 'gzip' },
  { 'accept-encoding': 'x-gzip' },
  { 'accept-encoding': 'identity' },
  { 'accept-encoding': 'br', 'x-no-compression': '1' },
  { accept: 'application/graphql-response+json' },
  { accept: 'text/html' },
])('it is the same in bytes, status and headers, whatever form is asked for: %o', async (form) => {
  for (let hour = 0; hour < 8; hour++) await record(shown, hour * 60);
  const [first, again] = [await ask(shown, TRIPS, form), await ask(shown, TRIPS, form)];
  const { date, 'x-request-id': id, ...same } = first.headers;
  expect(again).toMatchObject({ status: first.status, bytes: first.bytes });
  expect({ ...again.headers, date, 'x-request-id': id }).toEqual({ ...same, date, 'x-request-id': id });
});

describe('is worked out anew', () => {
  test.each<[string, (one: Shown) => Promise<unknown>]>([
    ['a position', (one) => record(one, 1)],
    ['a position that came late', (one) => record(one, -1)],
    ['an end by silence', goOffline],
    ['an import', (one) => importDrive(one, 60)],
    [
      'a privacy zone',
      ({ vehicle }) =>
        createPrivacyZone(accountAccessScope(testService, vehicle.owner.key), {
          lat: 53,
          lon: 8.8,
          radius_meters: 150,
        }),
    ],
  ])('after %s', async (_, change) => {
    await record(shown, 0);
    const before = await ask(shown);
    await change(shown);
    const after = await ask(shown);
    expect(after.body).toBe((await askAnew(shown)).body);
    if (change !== goOffline) expect(after.body).not.toBe(before.body);
  });

  test('after a privacy zone was taken away', async () => {
    await record(shown, 0);
    const accessScope = accountAccessScope(testService, shown.vehicle.owner.key);
    const { key } = await createPrivacyZone(accessScope, { lat: 53, lon: 8.8, radius_meters: 150 });
    const before = await ask(shown);
    await deletePrivacyZone(accessScope, key);
    expect((await ask(shown)).body).not.toBe(before.body);
  });

  test('for another window, another vehicle and another form of answer', async () => {
    await record(shown, 0);
    const { vehicle } = shown;
    const other = await recordingDevice(vehicle.owner);
    const { client_id, grant } = await appFor(await user(vehicle.owner.key), ['account_activity.read']);
    const { body } = await ask(shown);
    const late = await tokenOf({ ...vehicle, client_id, grant, scope: 'loc-past-gte:2026-03-01T08:00:02Z' });
    const cut = await ask({ ...shown, headers: { ...shown.headers, authorization: `Bearer ${late}` } });
    expect(JSON.parse(cut.body).data.trips.nodes).toMatchObject([{ point_count: 3 }]);
    const foreign = await tokenOf({ ...other, client_id, grant, scope: 'loc-past' });
    const headers = { ...shown.headers, authorization: `Bearer ${foreign}` };
    expect((await ask({ vehicle: other, headers })).body).not.toBe(body);
    expect(JSON.parse((await ask({ vehicle, headers })).body)).toMatchObject({
      errors: [{ extensions: { code: 'UNAUTHENTICATED' } }],
    });
    const accept = 'application/graphql-response+json';
    const typed = await ask({ ...shown, headers: { ...shown.headers, accept } });
    expect(typed.headers['content-type']).toContain(accept);
  });

  test('where it contained an error, or more than trips', async () => {
    const wrong = { vehicle_key: shown.vehicle.vehicle_key, started_after: 'noon' };
    for (const [query, variables] of [
      [TRIPS, wrong],
      ['{ __schema { queryType { name } } }', {}],
    ] as const) {
      const answers = [await send(query, variables, shown.headers), await send(query, variables, shown.headers)];
      expect(answers[0]?.body).toBe(answers[1]?.body);
    }
    const refused = await send(TRIPS, wrong, shown.headers);
    expect(JSON.parse(refused.body)).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
  });
});

describe('where a privacy zone hides what happens', () => {
  const HOME = { lat: 53.05, lon: 8.8 };
  const at = (minute: number, point = HOME, ...events: string[]) => ({
    point,
    timestamp: new Date(START + minute * MINUTE).toISOString(),
    events,
  });
  /** Drives to a zone and in: what is known of the vehicle when others ask. */
  const cameHome = async (...events: string[]) => {
    await createPrivacyZone(accountAccessScope(testService, shown.vehicle.owner.key), { ...HOME, radius_meters: 150 });
    await record(shown, 0);
    await post(at(2, HOME, ...events));
  };
  const post = async (...points: ReturnType<typeof at>[]) => {
    expect(await host.post(shown.vehicle.secret, { points })).toMatchObject({ status: 200 });
  };
  const importHome = async () => {
    const trip = [0, 1, 2].map((second) => ({ ...HOME, time: START + 300 * MINUTE + second * 1000 }));
    const files = [await gpx.write('home.gpx', [trip])];
    const { vehicle } = shown;
    await importTrips(testService, { files, vehicle: { account_key: vehicle.owner.key, key: vehicle.vehicle_key } });
  };

  test.each<[string, () => Promise<unknown>]>([
    ['a position of the trip under way', () => post(at(3))],
    ['a position that was known', () => post(at(2))],
    ['one that says more of what happened', () => post(at(2, HOME, 'harsh_brake'))],
    ['the end of the engine', () => post(at(3, HOME, 'engine_stop'))],
    ['a parked tracker', () => post(at(3, HOME, 'ignition_off'), at(30, HOME, 'ignition_off'))],
    ['a new trip that starts there', () => post(at(60, HOME, 'engine_start'))],
    ['a trip that starts and ends there', () => post(at(60, HOME, 'engine_start'), at(61, HOME, 'engine_stop'))],
    ['a position that came late', () => post(at(1))],
    ['silence', () => goOffline(shown)],
    ['an import', importHome],
  ])('the same answer is given again after %s', async (_, change) => {
    await cameHome();
    const before = await ask(shown);
    await change();
    await leasedWorkEnded(testService);
    const queries = await queriesDuring(async () => {
      expect((await ask(shown)).body).toBe(before.body);
    });
    expect(queries).toEqual([{ collection: 'oauth_records', method: 'aggregate' }]);
    expect((await askAnew(shown)).body).toBe(before.body);
  });

  test.each<[string, () => Promise<unknown>]>([
    ['a position outside', () => record(shown, 5)],
    ['a position outside among others', () => post(at(3), at(5, { lat: 53, lon: 8.8 }))],
    ['a stop that parts a trip', () => post(at(2, HOME, 'engine_stop'))],
    ['a position that joins two trips', () => post(at(9))],
    ['an import', () => importDrive(shown, 300)],
  ])('another is worked out after %s', async (_, change) => {
    await cameHome();
    await record(shown, 4);
    await post(at(6));
    await record(shown, 12);
    const before = await ask(shown);
    await change();
    expect((await ask(shown)).body).not.toBe(before.body);
    expect((await ask(shown)).body).toBe((await askAnew(shown)).body);
  });

  test('nothing is given again where a zone hides whole trips', async () => {
    await record(shown, 0);
    const zone = { ...HOME, radius_meters: 150, trips: 'hide' } as const;
    await createPrivacyZone(accountAccessScope(testService, shown.vehicle.owner.key), zone);
    const before = await ask(shown);
    expect(JSON.parse(before.body).data.trips.nodes).toHaveLength(1);
    await post(at(2));
    expect(JSON.parse((await ask(shown)).body).data.trips.nodes).toHaveLength(0);
  });
});

test('nobody is given it whose token does not hold', async () => {
  await record(shown, 0);
  expect((await ask(shown)).status).toBe(200);
  const elsewhere = { ...shown, headers: { ...shown.headers, origin: 'https://other.example' } };
  expect(await ask(elsewhere)).toMatchObject({ status: 401 });
  expect(await ask({ ...shown, headers: { origin: PAGE } })).toMatchObject({ status: 401 });
});

test('whatever is recorded, imported, closed and hidden in whatever order, it is what would be worked out', async () => {
  const zones: string[] = [];
  const change = fc.oneof(
    fc.record({ kind: fc.constant('record' as const), minute: fc.integer({ min: 0, max: 90 }) }),
    fc.record({ kind: fc.constant('import' as const), minute: fc.integer({ min: 0, max: 90 }) }),
    fc.record({ kind: fc.constantFrom('silence', 'hide', 'show'), minute: fc.constant(0) }),
  );
  const apply = async (one: Shown, { kind, minute }: { kind: string; minute: number }) => {
    const accessScope = accountAccessScope(testService, one.vehicle.owner.key);
    if (kind === 'record') await record(one, minute);
    else if (kind === 'import') await importDrive(one, minute);
    else if (kind === 'silence') await goOffline(one);
    else if (kind === 'hide') {
      zones.push((await createPrivacyZone(accessScope, { lat: 53.002, lon: 8.8, radius_meters: 80 })).key);
    } else await deletePrivacyZone(accessScope, zones.pop() ?? '');
  };
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
      const one = await newShown();
      for (const each of changes) {
        await ask(one);
        await apply(one, each);
        expect((await ask(one)).body).toBe((await askAnew(one)).body);
      }
    }),
    { numRuns: runSize(4, 20) },
  );
});
