import { beforeAll, describe, expect, test } from 'vitest';

import { SCOPES } from '../../auth/scopes/scope.ts';
import { newKey } from '../../models/key.ts';
import { VisitStore } from '../../models/places/visit.ts';
import { OPEN_END } from '../../models/trips/trip.ts';
import { type AskGraphql, graphqlClient } from '../clients/graphql-client.ts';
import { account, appFor, device, group, subscription, user, vehicle } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { unrestricted } from '../../models/store/tenancy.ts';

useDatabase();

/** Records that a key finds, with what shows that it is the one; names after `$` are keys of the world. */
const RECORDS: readonly (readonly [query: string, record: Readonly<Record<string, unknown>>])[] = [
  ['apiKey(key: "$api_key") { key name }', { name: 'Books' }],
  ['deviceKey(key: "$device_key") { key name }', { name: 'Spare' }],
  ['forwarderKey(key: "$forwarder_key") { key name creates_devices }', { name: 'Traccar', creates_devices: true }],
  ['app(client_id: "$app") { client_id name is_public }', { name: 'Route planner', is_public: false }],
  ['appGrant(key: "$grant") { key app_name scopes }', { app_name: 'Route planner', scopes: Object.keys(SCOPES) }],
  ['privacyZone(key: "$zone") { key name radius_meters }', { name: 'Home', radius_meters: 100 }],
  ['subscription(key: "$subscription") { key quantity plan { name } }', { quantity: 1, plan: { name: 'Fleet' } }],
];

/** Changes of records of which an account has nobody else make one. */
const CHANGES: readonly string[] = [
  'updateApiKey(key: "$api_key", input: { name: "Books" }) { key name }',
  'updateDeviceKey(key: "$device_key", input: {}) { key name }',
  'updateForwarderKey(key: "$forwarder_key", input: {}) { key name creates_devices }',
  'updatePrivacyZone(key: "$zone", input: {}) { key name radius_meters }',
];

type World = Awaited<ReturnType<typeof world>>;

let ask: AskGraphql;
let own: World;
let other: World;
beforeAll(async () => {
  ask = await graphqlClient();
  own = await world();
  other = await world();
});

async function world() {
  const made = await account();
  const plan = await subscription(made.key);
  const { key: box } = await device(made.key, { subscription_key: plan.key } as never);
  const create = async (mutation: string) => {
    const { data } = await ask(`mutation { made: ${mutation} { key } }`, made.headers);
    return (data?.made as { key: string } | undefined)?.key ?? '';
  };
  const app = await appFor(await user(made.key), Object.keys(SCOPES));
  return {
    ...{ made, app },
    keys: {
      api_key: await create('issueApiKey(name: " Books ")'),
      device_key: await create(`issueDeviceKey(device_key: "${box}", name: "Spare")`),
      forwarder_key: await create('issueForwarderKey(creates_devices: true, name: "Traccar")'),
      zone: await create('createPrivacyZone(input: { lat: 53, lon: 8, radius_meters: 100, name: "Home" })'),
      subscription: plan.key,
      app: app.client_id,
      grant: app.grant.id_hash,
    },
  };
}

function naming(query: string, { keys }: World): string {
  return query.replace(/\$(\w+)/g, (_, name: keyof World['keys']) => keys[name]);
}

function codesOf({ errors }: Awaited<ReturnType<AskGraphql>>): readonly unknown[] {
  return errors?.map(({ extensions }) => extensions.code) ?? [];
}

describe.each(RECORDS)('%s', (query, record) => {
  const [field = ''] = query.split('(');

  test('is found by its key, in its account alone', async () => {
    const found = await ask(`{ ${naming(query, own)} }`, own.made.headers);
    expect(found.data?.[field]).toMatchObject(record);
    expect(codesOf(await ask(`{ ${naming(query, other)} }`, own.made.headers))).toEqual(['NOT_FOUND']);
  });

  test('is for apps where the list is', async () => {
    const isOfOwner = field !== 'subscription';
    const answer = await ask(`{ ${naming(query, own)} }`, own.app.headers);
    expect(codesOf(answer)).toEqual(isOfOwner ? ['FORBIDDEN'] : []);
  });
});

test.each(CHANGES)('%s changes a record of the own account alone, and for no app', async (change) => {
  const changed = await ask(`mutation { changed: ${naming(change, own)} }`, own.made.headers);
  expect(changed).toMatchObject({ data: { changed: { name: expect.any(String) } } });
  expect(codesOf(await ask(`mutation { ${naming(change, other)} }`, own.made.headers))).toEqual(['NOT_FOUND']);
  expect(codesOf(await ask(`mutation { ${naming(change, own)} }`, own.app.headers))).toEqual(['FORBIDDEN']);
});

test('a key of a device is none of a forwarder, and the other way round', async () => {
  const { device_key, forwarder_key } = own.keys;
  for (const query of [
    `{ deviceKey(key: "${forwarder_key}") { key } }`,
    `{ forwarderKey(key: "${device_key}") { key } }`,
  ])
    expect(codesOf(await ask(query, own.made.headers))).toEqual(['NOT_FOUND']);
});

test('a name of a key is a name: it is trimmed, emptied by null, and not longer than others', async () => {
  const rename = (name: unknown) =>
    ask(
      `mutation { updateApiKey(key: "${own.keys.api_key}", input: { name: ${JSON.stringify(name)} }) { name } }`,
      own.made.headers,
    );
  expect((await rename(' Ledger ')).data).toEqual({ updateApiKey: { name: 'Ledger' } });
  expect((await rename(null)).data).toEqual({ updateApiKey: { name: null } });
  for (const name of [' ', 'x'.repeat(256)])
    expect((await rename(name)).errors?.map(({ message }) => message)).toEqual(['name must have 1 to 255 characters']);
  await rename('Books');
});

test('a visit is seen by those who see the vehicle, and by nobody else in an account with privacy zones', async () => {
  const { key: account_key, headers } = await account();
  const [north, south] = [await group(account_key, 'North'), await group(account_key, 'South')];
  const [vehicle_key, key] = [await vehicle(account_key, [north]), newKey()];
  await VisitStore.create(unrestricted(testService), {
    ...{ key, account_key, vehicle_key, place_key: newKey(), driver_key: null, device_key: newKey() },
    ...{ entry_timestamp: new Date('2026-03-01T12:00:00Z'), entry_point: { lat: 53, lon: 8 } },
    ...{ exit_timestamp: null, exit_point: null, until: OPEN_END, staged: false, epoch: 0 },
  });
  const query = `{ visit(key: "${key}") { key status vehicle_key } }`;
  const visit = { key, status: 'open', vehicle_key };
  const appIn = async (groups: readonly (typeof north)[]) => appFor(await user(account_key, groups), ['places.read']);
  const [all, near, far] = [await appIn([]), await appIn([north]), await appIn([south])];
  for (const caller of [{ headers }, all, near]) expect((await ask(query, caller.headers)).data).toEqual({ visit });
  for (const caller of [far, other.made]) expect(codesOf(await ask(query, caller.headers))).toEqual(['NOT_FOUND']);
  await ask('mutation { createPrivacyZone(input: { lat: 0, lon: 0, radius_meters: 1 }) { key } }', headers);
  expect((await ask(query, headers)).data).toEqual({ visit });
  for (const caller of [all, near]) expect(codesOf(await ask(query, caller.headers))).toEqual(['NOT_FOUND']);
});
