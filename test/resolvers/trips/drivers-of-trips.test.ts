import { afterAll, beforeAll, expect, test } from 'vitest';

import { appFor, user } from '../../services/account-fixture.ts';
import { useDatabase } from '../../services/database.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { pointAt, request, type SeenVisit, timeAt, visitWorld } from '../places/visit-world.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

type World = Awaited<ReturnType<typeof drivenWorld>>;

/** An account with a depot, a device in a vehicle that Ada drives, and another driver, Bo. */
async function drivenWorld() {
  const world = await visitWorld(host);
  const ask = (method: 'GET' | 'POST', path: string, input?: object) =>
    request(host, method, path, world.owner.headers, input);
  const add = async (first_name: string) => (await ask('POST', '/users', { first_name, ...DRIVER })).body.key as string;
  const [ada, bo] = [await add('Ada'), await add('Bo')];
  const drivenBy = (driver_key: string) => ask('POST', `/vehicle/${world.vehicle_key}`, { driver_key });
  await drivenBy(ada);
  return { ...world, ask, ada, bo, drivenBy };
}
let emails = 0;
const DRIVER = {
  account_role: 'driver',
  get email() {
    return `driver-${++emails}@bakery.example`;
  },
};

async function send({ secret }: World, ...points: ReturnType<typeof pointAt>[]): Promise<void> {
  expect(await host.post(secret, { points })).toMatchObject({ status: 200 });
}

/** Drivers of the trips of a vehicle, the oldest first. */
async function driversOf({ ask, vehicle_key }: World): Promise<string[]> {
  const { body } = await ask('GET', `/trips?vehicle_key=${vehicle_key}`);
  return (body.trips as { user_key: string }[]).map(({ user_key }) => user_key).toReversed();
}

/** Drivers and entries of visits, the oldest first. */
async function visits({ ask, vehicle_key }: World, query = '') {
  const { body } = await ask('GET', `/places/visits?vehicle_key=${vehicle_key}${query}`);
  const found = body.visits as (SeenVisit & { driver_key: string })[];
  return found.map((visit) => [visit.driver_key, visit.entry_timestamp]).toReversed();
}

test('a trip is driven by the driver of the vehicle at the time of the recording, and stays so', async () => {
  const world = await drivenWorld();
  await send(world, pointAt(0, -9, 'engine_start'), pointAt(60, -8), pointAt(120, -7, 'engine_stop'));
  await world.drivenBy(world.bo);
  await send(world, pointAt(7200, 5, 'engine_start'), pointAt(7260, 6));
  expect(await driversOf(world)).toEqual([world.ada, world.bo]);
  // Late positions: the first trip goes on, and is then two.
  await send(world, pointAt(90, -6));
  expect(await driversOf(world)).toEqual([world.ada, world.bo]);
  await send(world, pointAt(60, -8, 'engine_stop'), pointAt(90, -6, 'engine_start'));
  expect(await driversOf(world)).toEqual([world.ada, world.ada, world.bo]);
});

test('who is said to have driven stays, whatever comes late', async () => {
  const world = await drivenWorld();
  await send(world, pointAt(0, -9, 'engine_start'), pointAt(120, 0));
  const { body } = await world.ask('GET', `/trips?vehicle_key=${world.vehicle_key}`);
  await world.ask('POST', `/trip/${body.trips[0].key}`, { user_key: world.bo });
  expect(await visits(world)).toEqual([[world.bo, timeAt(120)]]);
  await send(world, pointAt(60, 0), pointAt(180, 5, 'engine_stop'));
  expect(await driversOf(world)).toEqual([world.bo]);
  expect(await visits(world)).toEqual([[world.bo, timeAt(60)]]);
});

test('a visit has the driver of its entry, by whom visits are listed; a driver sees only these', async () => {
  const world = await drivenWorld();
  await send(world, pointAt(0, 0, 'engine_start'), pointAt(60, 5), pointAt(120, 9, 'engine_stop'));
  await world.drivenBy(world.bo);
  await send(world, pointAt(7200, 9, 'engine_start'), pointAt(7260, 0), pointAt(7320, 9));
  const [ofAda, ofBo] = [
    [world.ada, timeAt(0)],
    [world.bo, timeAt(7260)],
  ];
  expect(await visits(world)).toEqual([ofAda, ofBo]);
  expect(await visits(world, `&driver_key=${world.bo}`)).toEqual([ofBo]);
  const { headers } = await appFor(world.ada, ['places.read']);
  const asAda = { ...world, ask: (method: 'GET' | 'POST', path: string) => request(host, method, path, headers) };
  expect(await visits(asAda)).toEqual([ofAda]);
  expect(await visits(asAda, `&driver_key=${world.bo}`)).toEqual([]);
  const other = (await appFor(await user(world.owner.key), ['account.read'])).headers;
  expect(await request(host, 'GET', '/places/visits', other)).toMatchObject({ status: 403 });
});

test('a trip starts and ends in places, for those who may read places', async () => {
  const world = await drivenWorld();
  const inner = { name: 'Gate', point: pointAt(0, 0).point, radius: 20 };
  await send(world, pointAt(0, 1, 'engine_start'), pointAt(60, 5), pointAt(120, 9, 'engine_stop'));
  await world.ask('POST', '/places', inner);
  const soon = Date.now() + 1000;
  const now = (seconds: number, east: number, ...events: string[]) => ({
    ...pointAt(0, east, ...events),
    timestamp: new Date(soon + seconds * 1000).toISOString(),
  });
  await send(world, now(0, 9, 'engine_start'), now(60, 1), now(120, 0, 'engine_stop'));
  const path = `/trips?vehicle_key=${world.vehicle_key}`;
  const places = ({ body }: Awaited<ReturnType<typeof request>>) =>
    (body.trips as Record<'start_point' | 'end_point', { place: unknown }>[])
      .map(({ start_point, end_point }) => [start_point.place, end_point.place])
      .toReversed();
  const depot = { key: world.depot, name: 'Circle 0' };
  const [first, second] = places(await world.ask('GET', path));
  expect(first).toEqual([depot, null]);
  expect(second).toEqual([null, { key: expect.any(String), name: 'Gate' }]);
  await world.ask('POST', `/place/${world.depot}`, { name: 'Depot' });
  expect(places(await world.ask('GET', path))[0]).toEqual([{ ...depot, name: 'Depot' }, null]);
  const person = await user(world.owner.key);
  const as = async (...scopes: string[]) => request(host, 'GET', path, (await appFor(person, scopes)).headers);
  expect(places(await as('account_activity.read'))[0]).toEqual([null, null]);
  expect(places(await as('account_activity.read', 'places.read'))[0]).toEqual([{ ...depot, name: 'Depot' }, null]);
});
