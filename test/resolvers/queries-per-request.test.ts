import { beforeAll, expect, test } from 'vitest';

import { account, appFor, device, group, subscription, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { signTripToken } from '../../auth/trip-token.ts';
import { numberChanges } from '../../notifying/changes/number-changes.ts';
import { TRIPS_QUERY } from '../../schema/trips/trips-query.ts';
import { type AskGraphql, graphqlClient, ORIGIN } from '../clients/graphql-client.ts';
import { drivenPoints } from '../fixtures/driven-points.ts';
import { storeTrip } from '../fixtures/stored-trip.ts';
import { stepClock } from '../services/event-loop-turns.ts';
import { queriesDuring } from '../services/queries-during.ts';

useDatabase();

let ask: AskGraphql;
let accountKey: string;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  ask = await graphqlClient();
  const made = await account();
  headers = made.headers;
  accountKey = made.key;
  const north = await group(made.key, 'North');
  await subscription(made.key);
  for (let count = 0; count < 10; count++) {
    const key = await vehicle(made.key, [north]);
    await device(made.key, { vehicle_key: key, groups: [north] });
  }
  await ask('{ account { key } }', headers);
});

test.each([
  ['account', '{ account { key nickname user_count } }', 2],
  ['devices', '{ devices { nodes { key serial vehicle_key } } }', 1],
  ['vehicles', '{ vehicles { nodes { key device_keys group_keys } } }', 2],
  ['subscriptions', '{ subscriptions { nodes { key quantity } } }', 2],
  ['groups', '{ groups { key member_counts { car user } } }', 3],
])('%s take a number of queries that does not grow with what they list', async (_, query, expected) => {
  const queries = await queriesDuring(async () => {
    expect((await ask(query, headers)).errors).toBeUndefined();
  });
  const [identification, ...own] = queries.map(({ collection, method }) => `${collection}.${method}`);
  expect(identification).toBe('api_keys.aggregate');
  expect(own).toHaveLength(expected);
});

test.each([
  [
    'last trips',
    '{ vehicles { nodes { key last_trip { key user { key } vehicle { nickname } start_point { place { name } } } } } }',
  ],
  ['visits', '{ vehicles { nodes { key visits(first: 2) { nodes { key } } } } }'],
  ['events', '{ vehicles { nodes { key events(first: 2) { nodes { key } } } } }'],
  ['trips', '{ vehicles { nodes { key trips(first: 2) { nodes { key } } } } }'],
  ['reporting', '{ devices { nodes { key reporting { gap_seconds } } } }'],
])('%s of a list that is completed in slices are read together', async (_, query) => {
  const { key, headers: own } = await account();
  const addVehicle = async (seed: number) => {
    const vehicle_key = await vehicle(key);
    await device(key, { vehicle_key });
    await storeTrip({ account_key: key, vehicle_key, points: drivenPoints(5, seed) });
  };
  await Promise.all(Array.from({ length: 24 }, (__, at) => addVehicle(at)));
  await ask(query, own);
  stepClock(0.2);
  const queries = await queriesDuring(async () => {
    const { data, errors } = await ask(query, own);
    expect(errors).toBeUndefined();
    expect(Object.values(data ?? {})[0]).toMatchObject({ nodes: { length: 24 } });
  });
  expect(queries.length).toBeLessThan(24);
});

test.each([
  ['nodes { vehicle { nickname } }', 0],
  ['nodes { vehicle { vehicle_location { timestamp } } }', 1],
  ['nodes { changed: vehicle { device_keys } }', 1],
  ['edges { node { ... on Change { vehicle { ... { device_keys } } } } }', 1],
])('a page of changes with %s reads devices only to show what is read from them', async (fields, reads) => {
  const { key, headers: own } = await account();
  const vehicle_key = await vehicle(key);
  const inside = await device(key, { vehicle_key });
  const { data } = await ask('{ changes { page_info { end_cursor } } }', own);
  const { page_info } = (data as { readonly changes: { readonly page_info: { readonly end_cursor: string } } }).changes;
  await ask(`mutation { updateVehicle(key: "${vehicle_key}", input: { nickname: "Van" }) { key } }`, own);
  await numberChanges(testService);
  let answer = '';
  const queries = await queriesDuring(async () => {
    answer = JSON.stringify(await ask(`{ changes(after: "${page_info.end_cursor}") { ${fields} } }`, own));
  });
  expect(queries.filter(({ collection, method }) => `${collection}.${method}` === 'devices.find')).toHaveLength(reads);
  expect(answer.includes(inside.key)).toBe(fields.includes('device_keys'));
});

test('an app is identified by one query', async () => {
  const acting = await appFor(await user(accountKey), ['account.read']);
  const queries = await queriesDuring(async () => {
    expect((await ask('{ devices { nodes { key } } }', acting.headers)).errors).toBeUndefined();
  });
  expect(queries.map(({ collection, method }) => `${collection}.${method}`)).toEqual([
    'oauth_records.aggregate',
    'devices.find',
    'privacy_zones.find',
  ]);
});

test('a trip map takes three queries, however many trips it shows: caller, devices at work, trips', async () => {
  const { client_id, grant } = await appFor(await user(accountKey), ['account_activity.read']);
  const vehicle_key = await vehicle(accountKey);
  for (const seed of [1, 2, 3]) {
    await storeTrip({ account_key: accountKey, vehicle_key, points: drivenPoints(60, seed) });
  }
  const claims = { sub: `vehicle:${vehicle_key}`, aud: 'https://fleet.example', scope: 'loc-past', client_id };
  const token = await signTripToken(testService, ORIGIN, { ...claims, grant: grant.grant_hash });
  const page = { authorization: `Bearer ${token}`, origin: claims.aud };
  for (const tolerance_meters of [1, 5]) {
    const queries = await queriesDuring(async () => {
      const { data } = await ask(TRIPS_QUERY, page, { vehicle_key, first: 50, tolerance_meters });
      expect(data).toMatchObject({ trips: { nodes: [{ vehicle_key }, { vehicle_key }, { vehicle_key }] } });
    });
    expect(queries.map(({ collection, method }) => `${collection}.${method}`).slice(-3)).toEqual([
      'oauth_records.aggregate',
      'devices.find',
      'trips.find',
    ]);
  }
});
