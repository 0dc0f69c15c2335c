import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { UserStore } from '../../../models/account/user.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { type Change, ENDPOINTS, FleetClient, type Headers } from '../../clients/fleet-client.ts';
import { account, appFor, group, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { queriesDuring } from '../../services/queries-during.ts';

useDatabase();

let client: FleetClient;
let own: Awaited<ReturnType<typeof account>>;
let north: Awaited<ReturnType<typeof group>>;
let harbour: typeof north;
let south: typeof north;
beforeAll(async () => {
  client = await FleetClient.open();
});
afterAll(() => client.close());
beforeEach(async () => {
  own = await account();
  north = await group(own.key, 'North');
  harbour = await group(own.key, 'Harbour', north);
  south = await group(own.key, 'South');
});

const SCOPES = ['account.read', 'account.manage', 'vehicles.read'];

function application(action: string, group_keys: readonly string[], member_keys: readonly string[]): Change {
  const body = { group_keys, member_keys };
  return {
    row: ['POST', `/groups/apply?action=${action}`],
    body,
    mutation: 'applyGroups',
    args: { input: ['GroupMembersInput!', { action, ...body }] },
    fields: 'key member_counts { car user }',
  };
}

const accessScope = unrestricted(testService);
const groupsOfVehicle = async (key: string) =>
  (await VehicleStore.findOne(accessScope, { key }, { group_keys: 1 }))?.group_keys;
const groupsOfUser = async (key: string) =>
  (await UserStore.findOne(accessScope, { key }, { group_keys: 1 }))?.group_keys;

describe.each(ENDPOINTS)('By %s', (endpoint) => {
  const apply = (change: Change, headers: Headers = own.headers) => client.send(endpoint, change, headers);

  test('vehicles and users are put into groups, taken out, and put into others', async () => {
    const van = await vehicle(own.key, [north]);
    const someone = await user(own.key, [north], { account_role: 'viewer' });
    await apply(application('add', [harbour.key, south.key], [van, someone]));
    expect(await groupsOfVehicle(van)).toEqual([north.key, harbour.key, south.key]);
    expect(await groupsOfUser(someone)).toEqual([north.key, harbour.key, south.key]);
    await apply(application('remove', [north.key, south.key], [van, someone]));
    expect([await groupsOfVehicle(van), await groupsOfUser(someone)]).toEqual([[harbour.key], [harbour.key]]);
    await apply(application('replace', [south.key], [van, someone]));
    const stored = await VehicleStore.findOne(accessScope, { key: van });
    expect(stored).toMatchObject({ group_keys: [south.key], group_path: [south.key] });
    await apply(application('replace', [], [van, someone]));
    expect([await groupsOfVehicle(van), await groupsOfUser(someone)]).toEqual([[], []]);
  });

  test('the groups are answered with their new members', async () => {
    const { record } = await apply(
      application('add', [south.key], [await vehicle(own.key), await user(own.key, [north])]),
    );
    const groups = [{ key: south.key, member_counts: { car: 1, user: 1 } }];
    expect(endpoint === 'REST' ? record.groups : record).toMatchObject(groups);
  });

  test.each([
    ['a group that is none', () => application('add', ['none'], ['van']), 'group_keys must be the key of a group'],
    ['a member that is none', () => application('add', [north.key], ['none']), 'member_keys must be the key of'],
    ['no member', () => application('add', [north.key], []), 'member_keys must have 1 to 1000 keys'],
  ])('%s is rejected with 400', async (_, change, message) => {
    const outcome = await apply(change());
    expect(outcome).toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining(message) });
  });

  test('only an unrestricted administrator takes a user out of its last group, by remove or by replace []', async () => {
    const someone = await user(own.key, [harbour], { account_role: 'viewer' });
    const { headers } = await appFor(await user(own.key, [north]), SCOPES);
    const outOfLast = [application('remove', [harbour.key], [someone]), application('replace', [], [someone])];
    for (const change of outOfLast) expect(await apply(change, headers)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await groupsOfUser(someone)).toEqual([harbour.key]);
    const unrestricted = await appFor(await user(own.key), SCOPES);
    expect((await apply(application('replace', [], [someone]), unrestricted.headers)).code).toBe('OK');
    expect(await groupsOfUser(someone)).toEqual([]);
  });

  test('a restricted administrator gives no group out of sight, and touches nobody who sees more', async () => {
    const someone = await user(own.key, [harbour], { account_role: 'viewer' });
    const wider = await user(own.key, [harbour, south], { account_role: 'viewer' });
    const { headers } = await appFor(await user(own.key, [north]), SCOPES);
    for (const [change, code] of [
      [application('add', [south.key], [someone]), 'BAD_REQUEST'],
      [application('add', [north.key], [wider]), 'FORBIDDEN'],
      [application('add', [north.key], [await user(own.key)]), 'BAD_REQUEST'],
      [application('add', [north.key], [await vehicle(own.key, [south])]), 'BAD_REQUEST'],
      [application('add', [north.key], [someone]), 'OK'],
    ] as const) {
      expect(await apply(change, headers)).toMatchObject({ code });
    }
    expect(await groupsOfUser(someone)).toEqual([harbour.key, north.key]);
    expect(await groupsOfUser(wider)).toEqual([harbour.key, south.key]);
  });

  test('a restricted administrator keeps vehicles in sight; groups out of its sight stay', async () => {
    const both = await vehicle(own.key, [harbour, south]);
    const { headers } = await appFor(await user(own.key, [north]), SCOPES);
    expect(await apply(application('replace', [], [both]), headers)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await apply(application('remove', [harbour.key], [both]), headers)).toMatchObject({ code: 'FORBIDDEN' });
    await apply(application('replace', [north.key], [both]), headers);
    expect((await groupsOfVehicle(both))?.toSorted()).toEqual([north.key, south.key].toSorted());
  });

  test('an app makes no administrator of further groups, and the last administrator is not restricted', async () => {
    const last = await UserStore.findOne(accessScope, { account_key: own.key }, { key: 1 });
    expect(await apply(application('add', [north.key], [last?.key ?? '']))).toMatchObject({ code: 'BAD_REQUEST' });
    const restricted = await user(own.key, [harbour]);
    const { headers } = await appFor(await user(own.key), SCOPES);
    for (const change of [
      application('add', [south.key], [restricted]),
      application('replace', [], [restricted]),
      application('remove', [harbour.key], [restricted]),
    ]) {
      expect(await apply(change, headers)).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await groupsOfUser(restricted)).toEqual([harbour.key]);
  });

  test('where one member may not be changed, none is', async () => {
    const van = await vehicle(own.key, [harbour]);
    const wider = await user(own.key, [harbour, south], { account_role: 'viewer' });
    const { headers } = await appFor(await user(own.key, [north]), SCOPES);
    expect(await apply(application('add', [north.key], [van, wider]), headers)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await groupsOfVehicle(van)).toEqual([harbour.key]);
  });

  test('it takes account.manage, and an administrator', async () => {
    const van = await vehicle(own.key);
    const reader = await appFor(await user(own.key), ['account.read', 'vehicles.manage']);
    const viewer = await appFor(await user(own.key, [], { account_role: 'viewer' }), SCOPES);
    for (const { headers } of [reader, viewer]) {
      expect(await apply(application('add', [north.key], [van]), headers)).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

test('POST /groups/apply names a missing or unknown action', async () => {
  const { row, ...rest } = application('add', [north.key], ['none']);
  for (const [path, message] of [
    ['/groups/apply', 'action is required'],
    ['/groups/apply?action=mix', 'action must be one of add, remove, replace'],
  ] as const) {
    expect(await client.send('REST', { ...rest, row: [row[0], path] }, own.headers)).toMatchObject({ message });
  }
});

test('the groups of each vehicle are read once', async () => {
  const vans = await Promise.all(Array.from({ length: 3 }, () => vehicle(own.key, [harbour, south])));
  const { headers } = await appFor(await user(own.key, [north]), SCOPES);
  const readsFor = async (members: readonly string[]) => {
    const queries = await queriesDuring(async () => {
      expect(await client.send('GraphQL', application('replace', [north.key], members), headers)).toMatchObject({
        code: 'OK',
      });
    });
    return queries.filter(({ collection, method }) => collection === 'groups' && method === 'find').length;
  };
  const [first = '', ...others] = vans;
  const forOne = await readsFor([first]);
  // For each vehicle: its groups in sight, the new ones, those that stay, and all of them after the change.
  expect((await readsFor(others)) - forOne).toBe(4);
});

test('deactivating the only group of a user does not make it unrestricted', async () => {
  const someone = await user(own.key, [harbour]);
  const { headers } = await appFor(someone, ['vehicles.read']);
  const outside = await vehicle(own.key, [south]);
  const args = { group_key: ['String!', harbour.key] as const };
  const change: Change = { row: ['DELETE', `/group/${harbour.key}`], mutation: 'deactivateGroup', args, fields: 'key' };
  await client.send('REST', change, own.headers);
  expect(await groupsOfUser(someone)).toEqual([harbour.key]);
  expect(await client.get(`/vehicle/${outside}`, headers)).toMatchObject({ status: 404 });
});
