import { beforeAll, expect, test } from 'vitest';

import { account, device, group, subscription, vehicle } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';
import { type AskGraphql, graphqlClient } from '../clients/graphql-client.ts';
import { queriesDuring } from '../services/queries-during.ts';

useDatabase();

let ask: AskGraphql;
let headers: Readonly<Record<string, string>>;
beforeAll(async () => {
  ask = await graphqlClient();
  const made = await account();
  headers = made.headers;
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
  const identification = ['api_keys.findOne', 'accounts.findOne'];
  const own = queries.map(({ collection, method }) => `${collection}.${method}`).slice(identification.length);
  expect(queries.slice(0, 2).map(({ collection, method }) => `${collection}.${method}`)).toEqual(identification);
  expect(own).toHaveLength(expected);
});
