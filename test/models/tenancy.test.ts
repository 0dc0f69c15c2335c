import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { AccountModel } from '../../models/account/account.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { GroupModel } from '../../models/account/group.ts';
import { readOneShown, readShown } from '../../models/read-shown.ts';
import { SigningKeyModel } from '../../models/sign-in/signing-key.ts';
import { VisitModel } from '../../models/places/visit.ts';
import {
  type AccessScope,
  UNRESTRICTED,
  findStoredOfEach,
  isAccessible,
  narrow,
  accountAccessScope,
  vehicleAccessScope,
} from '../../models/tenancy.ts';
import { TripPointsBucketModel } from '../../models/trips/trip-points-bucket.ts';
import { VehicleModel } from '../../models/vehicles/vehicle.ts';
import { account, device, group, vehicle } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';

useDatabase();

const NOW = new Date('2026-03-01T12:00:00Z');

let mine: string;
let others: string;
let inside: string;
beforeAll(async () => {
  mine = (await account()).key;
  others = (await account()).key;
  const north = await group(mine, 'North');
  inside = (await device(mine, { groups: [north] })).key;
  await device(mine);
  await device(others);
});
afterAll(() => DeviceModel.deleteMany({}).setOptions({ accessScope: UNRESTRICTED }));

describe('a query without a sight is refused', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['find', () => DeviceModel.find({}).exec()],
    ['findOne', () => DeviceModel.findOne({}).exec()],
    ['countDocuments', () => DeviceModel.countDocuments({}).exec()],
    ['distinct', () => DeviceModel.distinct('key').exec()],
    ['updateOne', () => DeviceModel.updateOne({}, { serial: 'x' }).exec()],
    ['updateMany', () => DeviceModel.updateMany({}, { serial: 'x' }).exec()],
    ['deleteOne', () => DeviceModel.deleteOne({}).exec()],
    ['deleteMany', () => DeviceModel.deleteMany({}).exec()],
    ['findOneAndUpdate', () => DeviceModel.findOneAndUpdate({}, { serial: 'x' }).exec()],
    ['findOneAndDelete', () => DeviceModel.findOneAndDelete({}).exec()],
    ['findOneAndReplace', () => DeviceModel.findOneAndReplace({}, {}).exec()],
    ['replaceOne', () => DeviceModel.replaceOne({}, {}).exec()],
    ['exists', () => DeviceModel.exists({}).exec()],
    ['aggregate', () => DeviceModel.aggregate([]).exec()],
    ['estimatedDocumentCount', async () => DeviceModel.estimatedDocumentCount()],
    ['bulkWrite', async () => DeviceModel.bulkWrite([])],
  ])('%s', async (_, ask) => {
    await expect((async () => ask())()).rejects.toThrow('Rejected');
    expect(await DeviceModel.countDocuments({}, { accessScope: UNRESTRICTED })).toBe(3);
  });
});

describe('a query sees', () => {
  test('the account, whatever its filter asks for', async () => {
    const accessScope = accountAccessScope(mine);
    expect(await DeviceModel.countDocuments({}, { accessScope })).toBe(2);
    expect(await DeviceModel.countDocuments({ account_key: others }, { accessScope })).toBe(0);
    expect(
      await DeviceModel.find({ $or: [{ account_key: others }, { account_key: mine }] }, null, { accessScope }),
    ).toHaveLength(2);
    expect(await DeviceModel.aggregate([{ $match: {} }]).option({ accessScope })).toHaveLength(2);
    expect(await AccountModel.find({}, { key: 1 }, { accessScope }).lean()).toMatchObject([{ key: mine }]);
  });

  test('the same when the driver reads', async () => {
    const accessScope = accountAccessScope(mine);
    expect(await readShown(DeviceModel, { accessScope, filter: {} }, { sort: { _id: 1 } })).toHaveLength(2);
    expect(await readOneShown(DeviceModel, { accessScope, filter: { account_key: others } })).toBeNull();
    expect(await readOneShown(DeviceModel, { accessScope, filter: { key: inside } })).toMatchObject({ key: inside });
    const elsewhere = { ...accessScope, group_keys: [] };
    expect(await readOneShown(DeviceModel, { accessScope: elsewhere, filter: { key: inside } })).toBeNull();
    expect(await readOneShown(AccountModel, { accessScope, filter: {} })).toMatchObject({ key: mine });
  });

  test('nothing by a filter that could take the place of the condition of its access scope', async () => {
    const accessScope = accountAccessScope(mine);
    const read = (key: string) => readOneShown(DeviceModel, { accessScope, filter: { $and: [{ account_key: key }] } });
    expect(await read(others)).toBeNull();
    expect(await read(mine)).toMatchObject({ key: expect.any(String) });
  });

  test('nothing when the driver reads a model that belongs to no tenant', async () => {
    const read = () => readOneShown(SigningKeyModel, { accessScope: accountAccessScope(mine), filter: {} });
    await expect(read).rejects.toThrow('Rejected: the model has no tenancy');
  });

  test('of it the groups and those below them, if it is restricted', async () => {
    const [north] = await GroupModel.find({}, null, { accessScope: accountAccessScope(mine) }).lean();
    const accessScope = { account_key: mine, group_keys: [north?.key ?? ''] };
    expect(await DeviceModel.distinct('key', {}, { accessScope })).toEqual([inside]);
    expect(await DeviceModel.countDocuments({}, { accessScope: { ...accessScope, group_keys: [] } })).toBe(0);
  });

  test('of vehicles that are read together only those in its access scope, and of their records only its own', async () => {
    const [north, south] = [await group(mine, 'North'), await group(mine, 'South')];
    const [near, far, foreign] = [
      await vehicle(mine, [north]),
      await vehicle(mine, [south]),
      await vehicle(others, [north]),
    ];
    const visit = { place_key: 'depot', device_key: 'box', driver_key: null, epoch: 0, staged: false, until: NOW };
    const at = { entry_timestamp: NOW, exit_timestamp: null, entry_point: { lat: 53, lon: 8 }, exit_point: null };
    const visits = [near, near, far, foreign].map((vehicle_key, number) => {
      const account_key = vehicle_key === foreign ? others : mine;
      return { ...visit, ...at, key: `${number}`, account_key, vehicle_key, driver_key: number === 0 ? 'ada' : null };
    });
    await VisitModel.create([...visits, { ...visit, ...at, key: 'astray', account_key: others, vehicle_key: near }]);
    const read = async (accessScope: AccessScope) => {
      const first = { filter: {}, projection: { _id: 0, key: 1 }, sort: { key: 1 }, limit: 5 } as const;
      const models = { vehicles: VehicleModel, model: VisitModel };
      const found = await findStoredOfEach(models, accessScope, [near, far, foreign], first);
      return Object.fromEntries([...found].map(([key, documents]) => [key, documents.map((one) => one.key)]));
    };
    expect(await read(accountAccessScope(mine))).toEqual({ [near]: ['0', '1'], [far]: ['2'] });
    expect(await read({ account_key: mine, group_keys: [north.key] })).toEqual({ [near]: ['0', '1'] });
    expect(await read({ ...accountAccessScope(mine), driver_key: 'ada' })).toEqual({ [near]: ['0'], [far]: [] });
    const models = { vehicles: VehicleModel, model: TripPointsBucketModel };
    const ofOne = findStoredOfEach(models, accountAccessScope(mine), [near], {
      ...{ filter: {}, projection: {}, sort: { number: 1 }, limit: 1 },
    });
    await expect(ofOne).rejects.toThrow('Rejected: this query needs the access scope of one vehicle');
  });

  test('no other collection', async () => {
    const lookup = { $lookup: { from: 'accounts', localField: 'account_key', foreignField: 'key', as: 'accounts' } };
    await expect(DeviceModel.aggregate([lookup]).option({ accessScope: accountAccessScope(mine) })).rejects.toThrow(
      'Rejected',
    );
  });
});

test('what was read otherwise is in sight exactly where a query would have found it', async () => {
  const north = (await group(mine, 'Depot')).key;
  const all = await DeviceModel.find({}, null, { accessScope: UNRESTRICTED }).lean();
  const [restricted] = all.flatMap(({ group_path }) => group_path);
  for (const account_key of [mine, others]) {
    for (const group_keys of [null, [], [north], [restricted ?? ''], [north, restricted ?? '']]) {
      const accessScope = { account_key, group_keys };
      const found = await DeviceModel.find({}, 'key', { accessScope }).lean();
      const accessible = all.filter((one) => isAccessible(accessScope, one)).map(({ key }) => key);
      expect(accessible.toSorted()).toEqual(found.map(({ key }) => key).toSorted());
    }
  }
});

test('records of a vehicle need the sight of that vehicle', () => {
  const accessScope = accountAccessScope('a');
  expect(() => narrow('vehicle', accessScope)).toThrow('Rejected');
  expect(narrow('vehicle', vehicleAccessScope(accessScope, { key: 'v' }))).toEqual({
    account_key: 'a',
    vehicle_key: 'v',
  });
});
