import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { AccountModel } from '../../models/account/account.ts';
import { DeviceModel } from '../../models/vehicles/device.ts';
import { GroupModel } from '../../models/account/group.ts';
import { EVERYTHING, isInSight, narrow, sightOfAccount, sightOfVehicle } from '../../models/tenancy.ts';
import { account, device, group } from '../services/account-fixture.ts';
import { useDatabase } from '../services/database.ts';

useDatabase();

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
afterAll(() => DeviceModel.deleteMany({}).setOptions({ sight: EVERYTHING }));

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
    await expect((async () => ask())()).rejects.toThrow('Refused');
    expect(await DeviceModel.countDocuments({}, { sight: EVERYTHING })).toBe(3);
  });
});

describe('a query sees', () => {
  test('the account, whatever its filter asks for', async () => {
    const sight = sightOfAccount(mine);
    expect(await DeviceModel.countDocuments({}, { sight })).toBe(2);
    expect(await DeviceModel.countDocuments({ account_key: others }, { sight })).toBe(0);
    expect(
      await DeviceModel.find({ $or: [{ account_key: others }, { account_key: mine }] }, null, { sight }),
    ).toHaveLength(2);
    expect(await DeviceModel.aggregate([{ $match: {} }]).option({ sight })).toHaveLength(2);
    expect(await AccountModel.find({}, { key: 1 }, { sight }).lean()).toMatchObject([{ key: mine }]);
  });

  test('of it the groups and those below them, if it is restricted', async () => {
    const [north] = await GroupModel.find({}, null, { sight: sightOfAccount(mine) }).lean();
    const sight = { account_key: mine, group_keys: [north?.key ?? ''] };
    expect(await DeviceModel.distinct('key', {}, { sight })).toEqual([inside]);
    expect(await DeviceModel.countDocuments({}, { sight: { ...sight, group_keys: [] } })).toBe(0);
  });

  test('no other collection', async () => {
    const lookup = { $lookup: { from: 'accounts', localField: 'account_key', foreignField: 'key', as: 'accounts' } };
    await expect(DeviceModel.aggregate([lookup]).option({ sight: sightOfAccount(mine) })).rejects.toThrow('Refused');
  });
});

test('what was read otherwise is in sight exactly where a query would have found it', async () => {
  const north = (await group(mine, 'Depot')).key;
  const all = await DeviceModel.find({}, null, { sight: EVERYTHING }).lean();
  const [restricted] = all.flatMap(({ group_path }) => group_path);
  for (const account_key of [mine, others]) {
    for (const group_keys of [null, [], [north], [restricted ?? ''], [north, restricted ?? '']]) {
      const sight = { account_key, group_keys };
      const found = await DeviceModel.find({}, 'key', { sight }).lean();
      const inSight = all.filter((one) => isInSight(sight, one)).map(({ key }) => key);
      expect(inSight.toSorted()).toEqual(found.map(({ key }) => key).toSorted());
    }
  }
});

test('records of a vehicle need the sight of that vehicle', () => {
  const sight = sightOfAccount('a');
  expect(() => narrow('vehicle', sight)).toThrow('Refused');
  expect(narrow('vehicle', sightOfVehicle(sight, { key: 'v' }))).toEqual({ account_key: 'a', vehicle_key: 'v' });
});
