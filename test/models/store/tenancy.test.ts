import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { AccountStore } from '../../../models/account/account.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { GroupStore } from '../../../models/account/group.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import {
  type AccessScope,
  unrestricted,
  isAccessible,
  narrow,
  accountAccessScope,
  vehicleAccessScope,
} from '../../../models/store/tenancy.ts';
import { TripPointsBucketStore } from '../../../models/trips/trip-points-bucket.ts';
import { VehicleStore } from '../../../models/vehicles/vehicle.ts';
import { account, device, group, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

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
afterAll(() => DeviceStore.deleteMany(unrestricted(testService), {}));

describe('a query of Mongoose without an access scope is rejected', () => {
  const devices = () => DeviceStore.model(testService);
  test.each<[string, () => Promise<unknown>]>([
    ['find', () => devices().find({}).exec()],
    ['findOne', () => devices().findOne({}).exec()],
    ['countDocuments', () => devices().countDocuments({}).exec()],
    ['distinct', () => devices().distinct('key').exec()],
    ['updateOne', () => devices().updateOne({}, { serial: 'x' }).exec()],
    ['updateMany', () => devices().updateMany({}, { serial: 'x' }).exec()],
    ['deleteOne', () => devices().deleteOne({}).exec()],
    ['deleteMany', () => devices().deleteMany({}).exec()],
    ['findOneAndUpdate', () => devices().findOneAndUpdate({}, { serial: 'x' }).exec()],
    ['findOneAndDelete', () => devices().findOneAndDelete({}).exec()],
    ['findOneAndReplace', () => devices().findOneAndReplace({}, {}).exec()],
    ['replaceOne', () => devices().replaceOne({}, {}).exec()],
    ['exists', () => devices().exists({}).exec()],
    ['aggregate', () => devices().aggregate([]).exec()],
    ['estimatedDocumentCount', async () => devices().estimatedDocumentCount()],
    ['bulkWrite', async () => devices().bulkWrite([])],
  ])('%s', async (_, ask) => {
    await expect((async () => ask())()).rejects.toThrow('Rejected');
    expect(await DeviceStore.countDocuments(unrestricted(testService))).toBe(3);
  });
});

test('a new document is rejected outside of the access scope', async () => {
  const document = { key: 'astray', account_key: others, serial: 'A', serial_folded: 'a', serial_grams: [] };
  const accessScope = accountAccessScope(testService, mine);
  await expect(DeviceStore.create(accessScope, document)).rejects.toThrow('Rejected');
  await expect(DeviceStore.insertMany(accessScope, [document])).rejects.toThrow('Rejected');
  await expect(DeviceStore.insertStored(accessScope, document)).rejects.toThrow('Rejected');
  expect(await DeviceStore.countDocuments(unrestricted(testService))).toBe(3);
});

describe('a query sees', () => {
  test('the account, whatever its filter asks for', async () => {
    const accessScope = accountAccessScope(testService, mine);
    expect(await DeviceStore.countDocuments(accessScope)).toBe(2);
    expect(await DeviceStore.countDocuments(accessScope, { account_key: others })).toBe(0);
    expect(await DeviceStore.find(accessScope, { $or: [{ account_key: others }, { account_key: mine }] })).toHaveLength(
      2,
    );
    expect(await DeviceStore.aggregate(accessScope, [{ $match: {} }])).toHaveLength(2);
    expect(await AccountStore.find(accessScope, {}, { key: 1 })).toMatchObject([{ key: mine }]);
  });

  test('the same when the driver reads', async () => {
    const accessScope = accountAccessScope(testService, mine);
    expect(await DeviceStore.readShown({ accessScope, filter: {} }, { sort: { _id: 1 } })).toHaveLength(2);
    expect(await DeviceStore.readOneShown({ accessScope, filter: { account_key: others } })).toBeNull();
    expect(await DeviceStore.readOneShown({ accessScope, filter: { key: inside } })).toMatchObject({ key: inside });
    const elsewhere = { ...accessScope, group_keys: [] };
    expect(await DeviceStore.readOneShown({ accessScope: elsewhere, filter: { key: inside } })).toBeNull();
    expect(await AccountStore.readOneShown({ accessScope, filter: {} })).toMatchObject({ key: mine });
  });

  test('nothing by a filter that could take the place of the condition of its access scope', async () => {
    const accessScope = accountAccessScope(testService, mine);
    const read = (key: string) => DeviceStore.readOneShown({ accessScope, filter: { $and: [{ account_key: key }] } });
    expect(await read(others)).toBeNull();
    expect(await read(mine)).toMatchObject({ key: expect.any(String) });
  });

  test('of it the groups and those below them, if it is restricted', async () => {
    const [north] = await GroupStore.find(accountAccessScope(testService, mine));
    const accessScope = { ...accountAccessScope(testService, mine), group_keys: [north?.key ?? ''] };
    expect(await DeviceStore.distinct(accessScope, 'key', {})).toEqual([inside]);
    expect(await DeviceStore.countDocuments({ ...accessScope, group_keys: [] })).toBe(0);
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
    await VisitStore.insertMany(unrestricted(testService), [
      ...visits,
      { ...visit, ...at, key: 'astray', account_key: others, vehicle_key: near },
    ]);
    const read = async (accessScope: AccessScope) => {
      const first = { filter: {}, projection: { _id: 0, key: 1 }, sort: { key: 1 }, limit: 5 } as const;
      const found = await VisitStore.findStoredOfEach(VehicleStore, accessScope, [near, far, foreign], first);
      return Object.fromEntries([...found].map(([key, documents]) => [key, documents.map((one) => one.key)]));
    };
    expect(await read(accountAccessScope(testService, mine))).toEqual({ [near]: ['0', '1'], [far]: ['2'] });
    expect(await read({ ...accountAccessScope(testService, mine), group_keys: [north.key] })).toEqual({
      [near]: ['0', '1'],
    });
    expect(await read({ ...accountAccessScope(testService, mine), driver_key: 'ada' })).toEqual({
      [near]: ['0'],
      [far]: [],
    });
    const ofOne = TripPointsBucketStore.findStoredOfEach(VehicleStore, accountAccessScope(testService, mine), [near], {
      ...{ filter: {}, projection: {}, sort: { number: 1 }, limit: 1 },
    });
    await expect(ofOne).rejects.toThrow('Rejected: this query needs the access scope of one vehicle');
  });

  test('no other collection', async () => {
    const lookup = { $lookup: { from: 'accounts', localField: 'account_key', foreignField: 'key', as: 'accounts' } };
    await expect(DeviceStore.aggregate(accountAccessScope(testService, mine), [lookup])).rejects.toThrow('Rejected');
  });
});

test('what was read otherwise is in sight exactly where a query would have found it', async () => {
  const north = (await group(mine, 'Depot')).key;
  const all = await DeviceStore.find(unrestricted(testService));
  const [restricted] = all.flatMap(({ group_path }) => group_path);
  for (const account_key of [mine, others]) {
    for (const group_keys of [null, [], [north], [restricted ?? ''], [north, restricted ?? '']]) {
      const accessScope = { ...accountAccessScope(testService, account_key), group_keys };
      const found = await DeviceStore.find(accessScope, {}, 'key');
      const accessible = all.filter((one) => isAccessible(accessScope, one)).map(({ key }) => key);
      expect(accessible.toSorted()).toEqual(found.map(({ key }) => key).toSorted());
    }
  }
});

test('records of a vehicle need the sight of that vehicle', () => {
  const accessScope = accountAccessScope(testService, 'a');
  expect(() => narrow('vehicle', accessScope)).toThrow('Rejected');
  expect(narrow('vehicle', vehicleAccessScope(accessScope, { key: 'v' }))).toEqual({
    account_key: 'a',
    vehicle_key: 'v',
  });
});
