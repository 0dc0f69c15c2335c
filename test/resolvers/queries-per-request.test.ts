import { beforeAll, expect, test } from 'vitest';

import { account, appFor, device, group, subscription, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { type AskGraphql, graphqlClient } from '../clients/graphql-client.ts';
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
  ['groups', '{ groups { key member_counts { car user } } }', 4],
])('%s take a number of queries that does not grow with what they list', async (_, query, expected) => {
  const queries = await queriesDuring(async () => {
    expect((await ask(query, headers)).errors).toBeUndefined();
  });
  const [identification, ...own] = queries.map(({ collection, method }) => `${collection}.${method}`);
  expect(identification).toBe('api_keys.aggregate');
  expect(own).toHaveLength(expected);
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
