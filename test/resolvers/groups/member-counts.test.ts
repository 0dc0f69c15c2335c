import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { GroupStore } from '../../../models/account/group.ts';
import { UserStore } from '../../../models/account/user.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import type { Group } from '../../../schema/account/group.ts';
import { insertSubscription } from '../../../resolvers/account/subscription-resolver.ts';
import { ORIGIN } from '../../clients/graphql-client.ts';
import { startLocalServer } from '../../embedded/local-server.ts';
import { apiHost } from '../../hosts/api-host.ts';
import { account, appFor, device, group, user, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();

const TREE = `{ groups(show_inactive: true) { ${'key member_counts { car user } children { '.repeat(6)} key ${'}'.repeat(6)} } }`;

type Headers = Readonly<Record<string, string>>;
type Counts = Readonly<Record<string, Group['member_counts']>>;

let app: FastifyInstance;
beforeAll(async () => {
  app = await apiHost();
});
afterAll(() => app.close());

async function send(method: 'POST' | 'GET' | 'DELETE', path: string, headers: Headers, payload?: object) {
  const body = payload && { payload };
  const response = await app.inject({
    method,
    url: `/api/v2${path}`,
    headers: { host: 'localhost', ...headers },
    ...body,
  });
  return { status: response.statusCode, body: response.body && response.json() };
}

function flatten(groups: readonly Group[]): Counts {
  const all = groups.flatMap(({ key, member_counts, children = [] }) => [
    ...(member_counts ? [[key, member_counts] as const] : []),
    ...Object.entries(flatten(children)),
  ]);
  return Object.fromEntries(all);
}

/** The counts that a caller sees by REST, which must be those of GraphQL. */
async function countsFor(headers: Headers): Promise<Counts> {
  const rest = flatten((await send('GET', '/groups?show_inactive=true', headers)).body.groups);
  const request = { method: 'POST', url: '/graphql', payload: { query: TREE } } as const;
  const graphql = await app.inject({ ...request, headers: { host: 'localhost', origin: ORIGIN, ...headers } });
  expect(flatten(graphql.json().data.groups)).toEqual(rest);
  return rest;
}

/** The counts of all groups of an account by its records: the members of each group and of those below it, each once. */
async function countedByHand(account_key: string): Promise<Counts> {
  const scope = accountAccessScope(testService, account_key);
  const groups = await GroupStore.find(scope, {}, 'key group_path');
  const isBelow = (top: string) => (key: string) => groups.find((one) => one.key === key)?.group_path.includes(top);
  const numberIn = (members: readonly { readonly group_keys: readonly string[] }[], top: string) =>
    members.filter(({ group_keys }) => group_keys.some(isBelow(top))).length;
  const vehicles = await VehicleStore.find(scope, {}, 'group_keys');
  const users = await UserStore.find(scope, { disabled: false }, 'group_keys');
  return Object.fromEntries(
    groups.map(({ key }) => [key, { car: numberIn(vehicles, key), user: numberIn(users, key) }]),
  );
}

/** Leaves the counts of the groups at and below some. */
async function below(counts: Counts, account_key: string, tops: readonly string[]): Promise<Counts> {
  const groups = await GroupStore.find(accountAccessScope(testService, account_key), {}, 'key group_path');
  const seen = groups.filter(({ group_path }) => group_path.some((key) => tops.includes(key)));
  return Object.fromEntries(seen.map(({ key }) => [key, counts[key] ?? { car: -1, user: -1 }]));
}

const GROUPS = 5;
const place = fc.nat({ max: GROUPS - 1 });
const number = fc.nat({ max: 5 });
const change = fc.oneof(
  fc.record({ what: fc.constant('create' as const), to: fc.uniqueArray(place, { maxLength: 3 }) }),
  fc.record({ what: fc.constant('regroup' as const), number, to: fc.uniqueArray(place, { maxLength: 3 }) }),
  fc.record({ what: fc.constant('delete' as const), number }),
  fc.record({ what: fc.constant('restore' as const), number }),
  fc.record({ what: fc.constant('move' as const), group: place, under: fc.option(place) }),
  fc.record({ what: fc.constant('disable' as const), disabled: fc.boolean() }),
);

test('counts stay those of the records, whatever is written at the same time', async () => {
  const histories = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 });
  const run = async (history: Parameters<typeof apply>[2][][]) => {
    const own = await account();
    const neighbour = await account();
    const there = await group(neighbour.key, 'Neighbour');
    await vehicle(neighbour.key, [there]);
    const root = await group(own.key, 'Root');
    const groups = [root, await group(own.key, 'One', root), await group(own.key, 'Two', root)];
    groups.push(await group(own.key, 'Three', groups[1]), await group(own.key, 'Four'));
    const [, one, two] = groups;
    const world = {
      ...{ headers: own.headers, groups: groups.map(({ key }) => key), vehicles: [] as string[] },
      user: await user(
        own.key,
        [two, one].flatMap((in_) => in_ ?? []),
      ),
    };
    for (const some of [[root], [one, two], []]) {
      world.vehicles.push(
        await vehicle(
          own.key,
          some.flatMap((in_) => in_ ?? []),
        ),
      );
    }
    await user(own.key, [root], { disabled: true });
    const restricted = await appFor(world.user, ['account.read']);
    for (const together of history) {
      await Promise.all(together.map((each) => apply(own.headers, world, each)));
      const counts = await countedByHand(own.key);
      expect(await countsFor(own.headers)).toEqual(counts);
      const { disabled } =
        (await UserStore.findOne(accountAccessScope(testService, own.key), { key: world.user })) ?? {};
      if (disabled === false) {
        const seen = await below(counts, own.key, [groups[1]?.key ?? '', groups[2]?.key ?? '']);
        expect(await countsFor(restricted.headers)).toEqual(seen);
      }
      expect(await countsFor(neighbour.headers)).toEqual({ [there.key]: { car: 1, user: 0 } });
    }
  };
  await fc.assert(fc.asyncProperty(histories, run), { numRuns: runSize(8, 200) });
});

interface World {
  readonly groups: readonly string[];
  readonly vehicles: string[];
  readonly user: string;
}

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Sends a change; the service may reject it, such as a move of a group below itself. */
async function apply(headers: Headers, { groups, vehicles, user: userKey }: World, change: Change): Promise<void> {
  const keysOf = (places: readonly number[]) => places.map((at) => groups[at] ?? '');
  const vehicleOf = (at: number) => vehicles[at % vehicles.length] ?? '';
  if (change.what === 'create') {
    const { status, body } = await send('POST', '/vehicles', headers, {
      nickname: 'New',
      group_keys: keysOf(change.to),
    });
    expect(status).toBe(201);
    vehicles.push(body.key);
  } else if (change.what === 'regroup') {
    await send('POST', `/vehicle/${vehicleOf(change.number)}`, headers, { group_keys: keysOf(change.to) });
  } else if (change.what === 'delete') await send('DELETE', `/vehicle/${vehicleOf(change.number)}`, headers);
  else if (change.what === 'restore') await send('POST', `/vehicle/${vehicleOf(change.number)}/restore`, headers);
  else if (change.what === 'move') {
    const parent_group_key = change.under === null ? null : groups[change.under];
    await send('POST', `/group/${groups[change.group]}`, headers, { parent_group_key });
  } else await UserStore.updateOne(unrestricted(testService), { key: userKey }, { disabled: change.disabled });
}

test('members of groups and devices of subscriptions are read as numbers that the embedded database keeps', async () => {
  const { key, headers } = await account();
  const root = await group(key, 'Root');
  const below = await group(key, 'Below', root);
  await vehicle(key, [below]);
  await user(key, [below]);
  const { headers: restricted } = await appFor(await user(key, [below]), ['account.read']);
  const subscription_key = await insertSubscription(testService, key, 'Fleet');
  await device(key);
  await DeviceStore.updateMany(accountAccessScope(testService, key), {}, { subscription_key });
  const names = [VehicleStore, UserStore, DeviceStore].map(({ collection }) => collection);
  const sent: { readonly collection: string; readonly stages: mongo.Document[] }[] = [];
  mongoose.set('debug', (collection: string, method: string, stages: mongo.Document[]) => {
    if (method === 'aggregate' && names.includes(collection)) sent.push({ collection, stages });
  });
  const paths = [
    ['/groups', headers],
    ['/groups', restricted],
    ['/subscriptions', headers],
  ] as const;
  for (const [path, sender] of paths) expect((await send('GET', path, sender)).status).toBe(200);
  mongoose.set('debug', false);
  expect(sent.map(({ collection }) => collection).toSorted()).toEqual([
    'devices',
    'users',
    'users',
    'vehicles',
    'vehicles',
  ]);

  const server = await startLocalServer();
  const database = server.client.db('test');
  for (const store of [VehicleStore, UserStore, DeviceStore]) {
    const indexes = store.schema.indexes().map(([fields, options]) => ({ key: fields, ...options }));
    await database.collection(store.collection).createIndexes(indexes as never);
    const documents = await store.driver(testService).find({ account_key: key }).toArray();
    await database.collection(store.collection).insertMany(documents);
  }
  await server.store.write((writer) => {
    const tables = writer.all("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'n[0-9]*'");
    for (const { name } of tables) writer.run(`UPDATE ${String(name)} SET n = n + 1000`);
  });
  for (const { collection, stages } of sent) {
    const counts = await database.collection(collection).aggregate(stages).toArray();
    const numbers = counts.map(({ members, quantity }) => Number(members ?? quantity));
    expect([collection, numbers.length > 0 && numbers.every((count) => count > 1000)]).toEqual([collection, true]);
  }
  await server.close();
});
