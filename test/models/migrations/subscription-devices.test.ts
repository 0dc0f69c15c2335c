import { afterEach, expect, test } from 'vitest';

import { subscriptionDevices } from '../../../models/migrations/versions/0004-subscription-devices.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { undeclaredIndexes } from '../../../server/database/indexes.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { db } from './old-database.ts';

useDatabase();

const run = () => subscriptionDevices.run({ db: db(), count: async () => undefined });

afterEach(run);

test('an older index of the devices of a subscription is dropped, and the newer one stays', async () => {
  await DeviceStore.driver(testService).createIndex({ account_key: 1, subscription_key: 1 });
  expect(await undeclaredIndexes(testService)).toEqual(['devices.account_key_1_subscription_key_1']);
  expect(await subscriptionDevices.pending(db())).toBe(1);
  await run();
  expect(await subscriptionDevices.pending(db())).toBe(0);
  expect(await undeclaredIndexes(testService)).toEqual([]);
  const { toCreate } = await DeviceStore.model(testService).diffIndexes();
  expect(toCreate).toEqual([]);
});
