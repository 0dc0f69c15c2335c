import { beforeAll, expect, test } from 'vitest';

import { DeviceModel } from '../../models/vehicles/device.ts';
import { GroupModel } from '../../models/account/group.ts';
import { UNRESTRICTED, accountAccessScope } from '../../models/tenancy.ts';
import { UserModel } from '../../models/account/user.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { addDevice } from '../../resolvers/devices/add-device.ts';
import { createGroup, updateGroup } from '../../resolvers/groups/manage-group.ts';
import { addSubscription } from '../../resolvers/subscriptions/manage-subscription.ts';
import { addUser, disableUser, enableUser } from '../../resolvers/users/manage-user.ts';
import { addVehicle } from '../../resolvers/vehicles/manage-vehicle.ts';
import { updateVehicle } from '../../resolvers/vehicles/write-vehicle.ts';
import { createAccount } from '../../resolvers/account/create-account.ts';
import { findUserByEmail } from '../../resolvers/account/list-accounts.ts';
import { createGrant } from '../../auth/grants.ts';
import { signIn } from '../../auth/oauth/sign-in.ts';
import { OauthRecordModel } from '../../models/sign-in/oauth-record.ts';
import { useDatabase } from '../services/database.ts';

useDatabase();

const accessScope = UNRESTRICTED;
let account: string;
let foreignGroup: string;
let foreignVehicle: string;
let top: string;
let below: string;

beforeAll(async () => {
  account = (await createAccount({ nickname: 'Bakery' })).account_key;
  top = await groupOf(account, 'North');
  below = await groupOf(account, 'Harbour', top);
  const other = (await createAccount({ nickname: 'Rival' })).account_key;
  foreignGroup = await groupOf(other, 'South');
  foreignVehicle = await addVehicle({ account: other, nickname: 'Van' });
});

test('a vehicle knows its groups and all above them, each once', async () => {
  const key = await addVehicle({ account, nickname: 'Van', group_keys: [below, top, below] });
  const vehicle = await VehicleModel.findOne({ key }, null, { accessScope }).lean();
  expect(vehicle?.group_keys).toEqual([below, top]);
  expect(vehicle?.group_path.toSorted()).toEqual([top, below].toSorted());
});

test('a vehicle is put into exactly the given groups', async () => {
  const key = await addVehicle({ account, nickname: 'Van', group_keys: [top] });
  await updateVehicle(accountAccessScope(account), key, { group_keys: [below] });
  expect(await VehicleModel.findOne({ key }, null, { accessScope }).lean()).toMatchObject({
    group_keys: [below],
    group_path: [top, below],
  });
  await updateVehicle(accountAccessScope(account), key, { group_keys: [] });
  expect(await VehicleModel.findOne({ key }, null, { accessScope }).lean()).toMatchObject({
    group_keys: [],
    group_path: [],
  });
});

test('a user is restricted to groups, and shut out', async () => {
  const signIn = { email: 'Bob@Bakery.example', password: 'rye bread at dawn' };
  const key = await personOf(signIn, [below]);
  const stored = () => UserModel.findOne({ key }, null, { accessScope }).lean();
  expect(await stored()).toMatchObject({ group_keys: [below], group_path: [top, below], disabled: false });
  await expect(personOf({ ...signIn, email: 'BOB@bakery.example' })).rejects.toThrow('email is taken');
  await disableUser(key);
  await disableUser(key);
  expect(await stored()).toMatchObject({ disabled: true });
});

test('a user who is disabled comes back with the same address', async () => {
  const signIn = { email: 'Cora@Bakery.example', password: 'rye bread at dawn' };
  const key = await personOf(signIn);
  await disableUser(key);
  expect(await enableUser({ user: key, revokesGrants: false })).toBe('Cora@Bakery.example');
  expect(await enableUser({ user: key, revokesGrants: false })).toBe('Cora@Bakery.example');
  expect(await signInAs(signIn)).toMatchObject({ kind: 'user', user_key: key });
});

test('the address of a disabled user is free; who comes back later takes another', async () => {
  const signIn = { email: 'Dora@Bakery.example', password: 'rye bread at dawn' };
  const first = await personOf(signIn);
  await disableUser(first);
  const second = await personOf({ ...signIn, email: 'DORA@bakery.example' });
  await expect(enableUser({ user: first, revokesGrants: false })).rejects.toThrow(
    'email has been taken by another user of the account since; give another address',
  );
  expect(await signInAs(signIn)).toMatchObject({ kind: 'user', user_key: second });
  await enableUser({ user: first, email: 'dora2@bakery.example', revokesGrants: false });
  expect(await signInAs({ ...signIn, email: 'Dora2@bakery.example' })).toMatchObject({ kind: 'user', user_key: first });
});

test('an address of users of several accounts names no single one', async () => {
  const signIn = { email: 'Flora@Bakery.example', password: 'rye bread at dawn' };
  const key = await personOf(signIn);
  expect(await findUserByEmail('flora@bakery.example')).toMatchObject({ key, account_key: account });
  const other = await createAccount({ nickname: 'Mill', signIn });
  await expect(findUserByEmail('flora@bakery.example')).rejects.toThrow(
    `Users of several accounts have this e-mail address (${account}, ${other.account_key})`,
  );
});

test.each([
  [true, 0],
  [false, 1],
])('with revokesGrants %j a user comes back with %i of one grant', async (revokesGrants, left) => {
  const user_key = await personOf({ email: `e${left}@a.example`, password: 'rye bread at dawn' });
  await createGrant({ user_key, client_id: 'planner', scopes: ['account.read'] });
  await disableUser(user_key);
  await enableUser({ user: user_key, revokesGrants });
  expect(await OauthRecordModel.countDocuments({ kind: 'Grant', user_key })).toBe(left);
});

async function groupOf(account_key: string, name: string, parent?: string): Promise<string> {
  return (await createGroup(accountAccessScope(account_key), name, parent)).key;
}

function personOf({ email, password }: { email: string; password: string }, group_keys: string[] = []) {
  return addUser(account, { email, group_keys }, password);
}

function signInAs({ email, password }: { email: string; password: string }) {
  return signIn({ email, password, address: '192.0.2.1' });
}

test("a device is on the account's oldest active subscription, pending without a vehicle and installed in one", async () => {
  const vehicle = await addVehicle({ account, nickname: 'Van' });
  const later = await addSubscription({ account, plan: 'Fleet' });
  const keys = [
    await addDevice({ account, serial: 'A-1', groups: [] }),
    await addDevice({ account, serial: 'A-2', vehicle, groups: [below] }),
    await addDevice({ account, serial: 'A-3', vehicle, groups: [], status: 'removed', subscription: later }),
  ];
  const devices = await DeviceModel.find({ key: { $in: keys } }, null, { accessScope })
    .sort({ _id: 1 })
    .lean();
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
  const outcomes = await Promise.allSettled(serials.map((serial) => addDevice({ account, serial, groups: [] })));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'BAD_REQUEST', message: expect.stringMatching(/^serial ".*" is taken by another device/) },
  });
  const other = (await createAccount({ nickname: 'Third' })).account_key;
  await expect(addDevice({ account: other, serial: 'X-ray', groups: [] })).resolves.toEqual(expect.any(String));
});

test('a group is renamed, deactivated and activated; what is left out stays', async () => {
  const key = await groupOf(account, 'East');
  const stored = () => GroupModel.findOne({ key }, null, { accessScope: accountAccessScope(account) }).lean();
  await updateGroup(accountAccessScope(account), key, { name: ' West ' });
  expect(await stored()).toMatchObject({ name: 'West', active: true });
  await updateGroup(accountAccessScope(account), key, { active: false });
  expect(await stored()).toMatchObject({ name: 'West', active: false });
  await expect(groupOf(account, 'Below', key)).rejects.toThrow('must name an active group');
});

/** Keys of nothing, and of what belongs to another account. */
const REFUSED: [what: string, call: () => Promise<unknown>, parameter: string][] = [
  ['a vehicle of no account', () => addVehicle({ account: 'nope', nickname: 'V' }), 'account'],
  [
    'a vehicle in a foreign group',
    () => addVehicle({ account, nickname: 'V', group_keys: [top, foreignGroup] }),
    'group_keys',
  ],
  ['a foreign vehicle', () => addDevice({ account, serial: 'F-1', vehicle: foreignVehicle, groups: [] }), 'vehicle'],
  ['a device in no group', () => addDevice({ account, serial: 'F-1', groups: ['nope'] }), 'group'],
  [
    'a device on nothing',
    () => addDevice({ account, serial: 'F-1', groups: [], subscription: 'nope' }),
    'subscription',
  ],
  ['a device of no status', () => addDevice({ account, serial: 'F-1', groups: [], status: 'lost' }), 'status'],
  ['a group below a foreign one', () => groupOf(account, 'G', foreignGroup), 'parent_group_key'],
  ['a group without a name', () => updateGroup(accountAccessScope(account), top, { name: '' }), 'name'],
  ['a subscription to nothing', () => addSubscription({ account, plan: ' ' }), 'plan'],
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
    VehicleModel.countDocuments({}, { accessScope }),
    DeviceModel.countDocuments({}, { accessScope }),
    GroupModel.countDocuments({}, { accessScope }),
  ]);
}
