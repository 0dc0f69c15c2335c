import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accountEndpoint } from '../../../server/endpoints/account-endpoint.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { gatewayEndpoint } from '../../clients/graphql-client.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';

useDatabase();

const SQUARE = [
  { lat: 53, lon: 8 },
  { lat: 53, lon: 9 },
  { lat: 54, lon: 9 },
  { lat: 54, lon: 8 },
];
const DEPOT = { name: 'Depot', category: 'business', point: { lat: 53.0758, lon: 8.8072 }, radius: 150 };

let app: FastifyInstance;
let client: AccountClient;
let owner: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  const url = new URL('https://localhost/api/v2');
  app = await openHost([
    await accountEndpoint(testService, url, new URL('https://localhost')),
    await gatewayEndpoint(),
  ]);
  client = await AccountClient.of(app);
  owner = await account();
});
afterAll(() => app.close());

const post = (path: string, body: unknown) => client.post(path, body, owner.headers);
const get = (path: string) => client.get(path, owner.headers);
const create = async (body: unknown = DEPOT) => (await post('/places', body)).json() as { key: string };

describe('POST /places', () => {
  test('creates a circle, for all week, and answers 201 with all of it', async () => {
    const response = await post('/places', { ...DEPOT, name: ' Depot ' });
    expect(response.statusCode).toBe(201);
    const place = response.json();
    expect(place).toEqual({
      ...DEPOT,
      key: expect.stringMatching(/^[\w-]{22}$/),
      polygon: [],
      border_meters: 50,
      border_seconds: 300,
      dwell_seconds: 0,
      active_weekdays: [0, 1, 2, 3, 4, 5, 6],
      from_time: null,
      to_time: null,
      time_zone: 'UTC',
      notifying_arrival: true,
      notifying_departure: true,
      created: expect.stringMatching(/^[\d-]{10} [\d:]{8}$/),
      updated: place.created,
    });
    expect((await get(`/place/${place.key}`)).json()).toEqual(place);
  });

  test('creates a polygon, with the hours of its events', async () => {
    const hours = { active_weekdays: [4, 0, 0], from_time: '22:00', to_time: '06:00', time_zone: 'Europe/Berlin' };
    const place = await create({ name: 'Yard', polygon: [...SQUARE, SQUARE[0]], ...hours, notifying_arrival: false });
    expect(place).toMatchObject({
      category: 'other',
      point: null,
      radius: null,
      polygon: SQUARE,
      ...hours,
      active_weekdays: [0, 4],
    });
    expect(place).toMatchObject({ notifying_arrival: false, notifying_departure: true });
  });

  test.each<[fault: string, errors: string, body: Record<string, unknown>]>([
    ['no name', 'name is required', { ...DEPOT, name: undefined }],
    ['an empty name', 'name must have 1 to 255 characters', { ...DEPOT, name: ' ' }],
    ['no area', 'point with radius, or polygon, is required', { name: 'Depot' }],
    ['no radius', 'radius is required with point', { ...DEPOT, radius: undefined }],
    ['no point', 'point is required with radius', { ...DEPOT, point: undefined }],
    ['a circle and a polygon', 'polygon cannot be combined with point or radius', { ...DEPOT, polygon: SQUARE }],
    ['a border below 0', 'border_meters must be 0 to 1000', { ...DEPOT, border_meters: -1 }],
    ['a border for two days', 'border_seconds must be 0 to 86400', { ...DEPOT, border_seconds: 172_800 }],
    ['a dwell time of an hour', 'dwell_seconds must be 0 to 900', { ...DEPOT, dwell_seconds: 3600 }],
    ['a radius of 0', 'radius must be a number from 1 to 100000', { ...DEPOT, radius: 0 }],
    [
      'a latitude beyond the pole',
      'point.lat must be a number from -90 to 90',
      { ...DEPOT, point: { lat: 91, lon: 0 } },
    ],
    ['two corners', 'polygon must have 3 to 1000 points', { name: 'Yard', polygon: SQUARE.slice(2) }],
    [
      'a corner nowhere',
      'polygon[1].lon must be a number from -180 to 180',
      { name: 'Yard', polygon: [SQUARE[0], { lat: 0, lon: 181 }, SQUARE[2]] },
    ],
    ['1,001 corners', 'polygon must have 3 to 1000 points', { name: 'Yard', polygon: roundOf(1001) }],
    [
      'a bow tie',
      'polygon must not touch or cross itself',
      { name: 'Yard', polygon: [0, 2, 1, 3].map((at) => SQUARE[at]) },
    ],
    [
      'a corner on a side',
      'polygon must not touch or cross itself',
      { name: 'Yard', polygon: [...SQUARE, { lat: 53, lon: 8.5 }] },
    ],
    ['a spike', 'polygon must not touch or cross itself', { name: 'Yard', polygon: [...SQUARE, { lat: 55, lon: 8 }] }],
    ['a corner twice', 'polygon must not touch or cross itself', { name: 'Yard', polygon: [SQUARE[0], ...SQUARE] }],
    ['a line', 'polygon must enclose an area', { name: 'Yard', polygon: [0, 1, 2].map((lat) => ({ lat, lon: 8 })) }],
    [
      'half the world',
      'polygon must span less than 180 degrees of longitude',
      { name: 'Yard', polygon: [0, 90, 180].map((lon) => ({ lat: lon / 9, lon })) },
    ],
    [
      'an eighth day',
      'active_weekdays must be numbers from 0 (Monday) to 6 (Sunday)',
      { ...DEPOT, active_weekdays: [7] },
    ],
    ['an hour that is none', 'to_time must be a time of day, such as 07:30', { ...DEPOT, to_time: '24:00' }],
    [
      'a zone that is none',
      'time_zone must be the name of a time zone, such as Europe/Berlin',
      { ...DEPOT, time_zone: 'Mars' },
    ],
  ])('rejects %s: %s', async (_, errors, body) => {
    const response = await post('/places', body);
    expect([response.statusCode, response.json()]).toEqual([400, { errors }]);
  });

  test('takes a polygon of 1,000 corners', async () => {
    expect((await post('/places', { name: 'Round', polygon: roundOf(1000) })).statusCode).toBe(201);
  });
});

describe('POST /place/{key}', () => {
  test('changes the fields that are given', async () => {
    const { key } = await create();
    const response = await post(`/place/${key}`, { name: 'Yard', radius: 20, from_time: '08:00' });
    expect(response.json()).toMatchObject({ ...DEPOT, name: 'Yard', radius: 20, from_time: '08:00' });
    expect((await post(`/place/${key}`, { from_time: null })).json()).toMatchObject({ name: 'Yard', from_time: null });
  });

  test('makes a polygon of a circle, and a circle of a polygon', async () => {
    const { key } = await create();
    expect((await post(`/place/${key}`, { polygon: SQUARE })).json()).toMatchObject({
      point: null,
      radius: null,
      polygon: SQUARE,
    });
    expect((await post(`/place/${key}`, { radius: 5 })).json()).toEqual({ errors: 'point is required with radius' });
    const { point, radius } = DEPOT;
    expect((await post(`/place/${key}`, { point, radius })).json()).toMatchObject({ point, radius, polygon: [] });
  });

  test('is 404 for a place of another account', async () => {
    const { key } = await create();
    const other = await account();
    expect((await client.post(`/place/${key}`, { name: 'Mine' }, other.headers)).statusCode).toBe(404);
    expect((await client.delete(`/place/${key}`, other.headers)).statusCode).toBe(404);
    expect((await get(`/place/${key}`)).json()).toMatchObject({ name: 'Depot' });
  });

  test('keeps all of the changes that are made at once', async () => {
    const { key } = await create();
    const changes = [{ radius: 11 }, { name: 'Yard' }, { point: { lat: 1, lon: 2 } }, { from_time: '09:00' }];
    const answers = await Promise.all(changes.map((change) => post(`/place/${key}`, change)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect((await get(`/place/${key}`)).json()).toMatchObject({
      radius: 11,
      name: 'Yard',
      point: { lat: 1, lon: 2 },
      from_time: '09:00',
    });
  });
});

test('DELETE /place/{key} answers {key, deleted: true}, and 404 from then on', async () => {
  const { key } = await create();
  const response = await client.delete(`/place/${key}`, owner.headers);
  expect([response.statusCode, response.json()]).toEqual([200, { key, deleted: true }]);
  expect((await client.delete(`/place/${key}`, owner.headers)).statusCode).toBe(404);
  expect((await get(`/place/${key}`)).statusCode).toBe(404);
});

test('GET /places lists the places in order of creation, a page at a time', async () => {
  const { headers } = await account();
  const keys: string[] = [];
  for (const name of ['A', 'B', 'C']) keys.push((await client.post('/places', { ...DEPOT, name }, headers)).json().key);
  const first = (await client.get('/places?size=2', headers)).json();
  const second = (await client.get(`/places?size=2&cursor=${first.cursor}`, headers)).json();
  expect([...first.places, ...second.places].map(({ key }: { key: string }) => key)).toEqual(keys);
  expect(second).not.toHaveProperty('cursor');
});

test('GraphQL creates, changes, reads and deletes places', async () => {
  const ask = async (query: string, variables: object = {}) => {
    const headers = { host: 'localhost', ...owner.headers };
    const answer = await app.inject({ method: 'POST', url: '/graphql', headers, payload: { query, variables } });
    return answer.json().data;
  };
  const made = await ask('mutation ($input: PlaceInput!) { createPlace(input: $input) { key category } }', {
    input: DEPOT,
  });
  const { key } = made.createPlace;
  expect(made.createPlace.category).toBe('business');
  const changed = `mutation { updatePlace(key: "${key}", input: { category: home }) { category radius } }`;
  expect(await ask(changed)).toEqual({ updatePlace: { category: 'home', radius: 150 } });
  expect(await ask(`{ place(key: "${key}") { point { lat } } }`)).toEqual({ place: { point: { lat: 53.0758 } } });
  expect(await ask(`mutation { deletePlace(key: "${key}") { key deleted } }`)).toEqual({
    deletePlace: { key, deleted: true },
  });
});

test.each<[method: 'GET' | 'POST' | 'DELETE', path: string, scope: string]>([
  ['GET', '/places', 'places.read'],
  ['GET', '/place/none', 'places.read'],
  ['POST', '/places', 'places.manage'],
  ['POST', '/place/none', 'places.manage'],
  ['DELETE', '/place/none', 'places.manage'],
])('%s %s is open to apps with %s, and not without', async (method, path, scope) => {
  const status = async (scopes: readonly string[], groups: Parameters<typeof user>[1] = []) => {
    const { headers } = await appFor(await user(owner.key, groups), scopes);
    return (
      await client.send(
        method,
        path,
        { 'content-type': 'application/json', ...headers },
        method === 'POST' ? '{}' : undefined,
      )
    ).statusCode;
  };
  const expected = path === '/places' ? (method === 'GET' ? 200 : 400) : 404;
  expect(await status([scope])).toBe(expected);
  expect(await status(['account.read', 'account.manage', 'vehicles.manage'])).toBe(403);
  // Places are the account's: users who are restricted to groups see them, and change none.
  expect(await status([scope], [await group(owner.key, 'North')])).toBe(method === 'GET' ? expected : 403);
});

/** Corners of a round polygon. */
function roundOf(count: number) {
  return Array.from({ length: count }, (_, at) => {
    const angle = (2 * Math.PI * at) / count;
    return { lat: 50 + Math.sin(angle), lon: 10 + Math.cos(angle) };
  });
}
