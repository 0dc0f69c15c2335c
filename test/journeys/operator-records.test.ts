import { beforeAll, expect, test } from 'vitest';

import { DeviceStore } from '../../models/vehicles/device.ts';
import { GroupStore } from '../../models/account/group.ts';
import { unrestricted, accountAccessScope } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';
import { addDevice } from '../../resolvers/devices/write-device.ts';
import { createGroup, updateGroup } from '../../resolvers/groups/group-resolver.ts';
import { addSubscription } from '../../resolvers/account/subscription-resolver.ts';
import { addUser, disableUser, enableUser } from '../../resolvers/users/manage-user.ts';
import { addVehicle } from '../../resolvers/vehicles/write-vehicle.ts';
import { updateVehicle } from '../../resolvers/vehicles/write-vehicle.ts';
import { createAccount } from '../../resolvers/account/create-account.ts';
import { findUserByEmail } from '../../resolvers/account/list-accounts.ts';
import { createGrant } from '../../auth/grants.ts';
import { signIn } from '../../auth/oauth/sign-in.ts';
import { OauthRecordStore } from '../../models/sign-in/oauth-record.ts';
import { useDatabase, testService } from '../services/database.ts';

useDatabase();

const accessScope = unrestricted(testService);
let account: string;
let foreignGroup: string;
let foreignVehicle: string;
let top: string;
let below: string;

beforeAll(async () => {
  account = (await createAccount(testService, { nickname: 'Bakery' })).account_key;
  top = await groupOf(account, 'North');
  below = await groupOf(account, 'Harbour', top);
  const other = (await createAccount(testService, { nickname: 'Rival' })).account_key;
  foreignGroup = await groupOf(other, 'South');
  foreignVehicle = await addVehicle(testService, { account: other, nickname: 'Van' });
});

test('a vehicle knows its groups and all above them, each once', async () => {
  const key = await addVehicle(testService, { account, nickname: 'Van', group_keys: [below, top, below] });
  const vehicle = await VehicleStore.findOne(accessScope, { key });
  expect(vehicle?.group_keys).toEqual([below, top]);
  expect(vehicle?.group_path.toSorted()).toEqual([top, below].toSorted());
});

test('a vehicle is put into exactly the given groups', async () => {
  const key = await addVehicle(testService, { account, nickname: 'Van', group_keys: [top] });
  await updateVehicle(accountAccessScope(testService, account), key, { group_keys: [below] });
  expect(await VehicleStore.findOne(accessScope, { key })).toMatchObject({
    group_keys: [below],
    group_path: [top, below],
  });
  await updateVehicle(accountAccessScope(testService, account), key, { group_keys: [] });
  expect(await VehicleStore.findOne(accessScope, { key })).toMatchObject({
    group_keys: [],
    group_path: [],
  });
});

test('a user is restricted to groups, and shut out', async () => {
  const signIn = { email: 'Bob@Bakery.example', password: 'rye bread at dawn' };
  const key = await personOf(signIn, [below]);
  const stored = () => UserStore.findOne(accessScope, { key });
  expect(await stored()).toMatchObject({ group_keys: [below], group_path: [top, below], disabled: false });
  await expect(personOf({ ...signIn, email: 'BOB@bakery.example' })).rejects.toThrow('email is taken');
  await disableUser(testService, key);
  await disableUser(testService, key);
  expect(await stored()).toMatchObject({ disabled: true });
});

test('a user who is disabled comes back with the same address', async () => {
  const signIn = { email: 'Cora@Bakery.example', password: 'rye bread at dawn' };
  const key = await personOf(signIn);
  await disableUser(testService, key);
  expect(await enableUser(testService, { user: key, revokesGrants: false })).toBe('Cora@Bakery.example');
  expect(await enableUser(testService, { user: key, revokesGrants: false })).toBe('Cora@Bakery.example');
  expect(await signInAs(signIn)).toMatchObject({ kind: 'user', user_key: key });
});

test('the address of a disabled user is free; who comes back later takes another', async () => {
  const signIn = { email: 'Dora@Bakery.example', password: 'rye bread at dawn' };
  const first = await personOf(signIn);
  await disableUser(testService, first);
  const second = await personOf({ ...signIn, email: 'DORA@bakery.example' });
  await expect(enableUser(testService, { user: first, revokesGrants: false })).rejects.toThrow(
    'email has been taken by another user of the account in the meantime; give another address',
  );
  expect(await signInAs(signIn)).toMatchObject({ kind: 'user', user_key: second });
  await enableUser(testService, { user: first, email: 'dora2@bakery.example', revokesGrants: false });
  expect(await signInAs({ ...signIn, email: 'Dora2@bakery.example' })).toMatchObject({ kind: 'user', user_key: first });
});

test('an address of users of several accounts names no single one', async () => {
  const signIn = { email: 'Flora@Bakery.example', password: 'rye bread at dawn' };
  const key = await personOf(signIn);
  expect(await findUserByEmail(testService, 'flora@bakery.example')).toMatchObject({ key, account_key: account });
  const other = await createAccount(testService, { nickname: 'Mill', signIn });
  await expect(findUserByEmail(testService, 'flora@bakery.example')).rejects.toThrow(
    `Users of several accounts have this e-mail address (${account}, ${other.account_key})`,
  );
});

test.each([
  [true, 0],
  [false, 1],
])('with revokesGrants %j a user comes back with %i of one grant', async (revokesGrants, left) => {
  const user_key = await personOf({ email: `e${left}@a.example`, password: 'rye bread at dawn' });
  await createGrant(testService, { user_key, client_id: 'planner', scopes: ['account.read'] });
  await disableUser(testService, user_key);
  await enableUser(testService, { user: user_key, revokesGrants });
  expect(await OauthRecordStore.countDocuments(testService, { kind: 'Grant', user_key })).toBe(left);
});

async function groupOf(account_key: string, name: string, parent?: string): Promise<string> {
  return (await createGroup(accountAccessScope(testService, account_key), name, parent)).key;
}

function personOf({ email, password }: { email: string; password: string }, group_keys: string[] = []) {
  return addUser(testService, account, { email, group_keys }, password);
}

function signInAs({ email, password }: { email: string; password: string }) {
  return signIn(testService, { email, password, address: '192.0.2.1' });
}

test("a device is on the account's oldest active subscription, pending without a vehicle and installed in one", async () => {
  const vehicle = await addVehicle(testService, { account, nickname: 'Van' });
  const later = await addSubscription(testService, { account, plan: 'Fleet' });
  const keys = [
    await addDevice(testService, { account, serial: 'A-1', groups: [] }),
    await addDevice(testService, { account, serial: 'A-2', vehicle, groups: [below] }),
    await addDevice(testService, {
      account,
      serial: 'A-3',
      vehicle,
      groups: [],
      status: 'removed',
      subscription: later,
    }),
  ];
  const devices = await DeviceStore.find(accessScope, { key: { $in: keys } }).sort({ _id: 1 });
  expect(devices).toMatchObject([
    { serial_folded: 'a-1', status: 'pending', vehicle_key: null, subscription_key: expect.any(String) },
    { status: 'installed', vehicle_key: vehicle, group_keys: [below], group_path: [top, below] },
    { status: 'removed', subscription_key: later },
  ]);
  expect(devices[0]?.subscription_key).not.toBe(later);
  expect(devices[1]?.subscription_key).toBe(devices[0]?.subscription_key);
});

test('of several devices added simultaneously with one serial, in any case, one is added', async () => {
  const serials = ['X-ray', 'x-RAY', ' X-Ray '];
  const outcomes = await Promise.allSettled(
    serials.map((serial) => addDevice(testService, { account, serial, groups: [] })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'BAD_REQUEST', message: expect.stringMatching(/^serial ".*" is taken by another device/) },
  });
  const other = (await createAccount(testService, { nickname: 'Third' })).account_key;
  await expect(addDevice(testService, { account: other, serial: 'X-ray', groups: [] })).resolves.toEqual(
    expect.any(String),
  );
});

test('a group is renamed, deactivated and activated; what is left out stays', async () => {
  const key = await groupOf(account, 'East');
  const stored = () => GroupStore.findOne(accountAccessScope(testService, account), { key });
  await updateGroup(accountAccessScope(testService, account), key, { name: ' West ' });
  expect(await stored()).toMatchObject({ name: 'West', active: true });
  await updateGroup(accountAccessScope(testService, account), key, { active: false });
  expect(await stored()).toMatchObject({ name: 'West', active: false });
  await expect(groupOf(account, 'Below', key)).rejects.toThrow('must name an active group');
});

/** Keys of nothing, and of what belongs to another account. */
const REFUSED: [what: string, call: () => Promise<unknown>, parameter: string][] = [
  ['a vehicle of no account', () => addVehicle(testService, { account: 'nope', nickname: 'V' }), 'account'],
  [
    'a vehicle in a foreign group',
    () => addVehicle(testService, { account, nickname: 'V', group_keys: [top, foreignGroup] }),
    'group_keys',
  ],
  [
    'a foreign vehicle',
    () => addDevice(testService, { account, serial: 'F-1', vehicle: foreignVehicle, groups: [] }),
    'vehicle',
  ],
  ['a device in no group', () => addDevice(testService, { account, serial: 'F-1', groups: ['nope'] }), 'group'],
  [
    'a device on nothing',
    () => addDevice(testService, { account, serial: 'F-1', groups: [], subscription: 'nope' }),
    'subscription',
  ],
  [
    'a device of no status',
    () => addDevice(testService, { account, serial: 'F-1', groups: [], status: 'lost' }),
    'status',
  ],
  ['a group below a foreign one', () => groupOf(account, 'G', foreignGroup), 'parent_group_key'],
  ['a group without a name', () => updateGroup(accountAccessScope(testService, account), top, { name: '' }), 'name'],
  ['a subscription to nothing', () => addSubscription(testService, { account, plan: ' ' }), 'plan'],
];

test.each(REFUSED)('%s is refused by the name of its parameter, and nothing is written', async (_, call, parameter) => {
  const before = await count();
  await expect(call()).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(new RegExp(`^${parameter} must `)),
  });
  expect(await count()).toEqual(before);
});

function count(): Promise<number[]> {
  return Promise.all([
    VehicleStore.countDocuments(accessScope),
    DeviceStore.countDocuments(accessScope),
    GroupStore.countDocuments(accessScope),
  ]);
}
