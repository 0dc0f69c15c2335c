import { mongo } from 'mongoose';
import { expect, test, vi } from 'vitest';

import { missingCapabilities } from '../../../server/database/capabilities.ts';
import { driverOf } from '../../../server/database/database.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();

test('the database of the tests has all that the service uses, and is left as it was', async () => {
  const db = driverOf(testService);
  expect(await missingCapabilities(db)).toEqual([]);
  expect(await db.listCollections({ name: /^probe_/ }).toArray()).toEqual([]);
});

test('what a database rejects, or accepts without doing it, is missing with what that costs', async () => {
  const db = driverOf(testService);
  const create = vi.spyOn(db, 'createCollection');
  create.mockRejectedValueOnce(new mongo.MongoServerError({ message: 'capped collections are not supported' }));
  const capped = { name: 'capped collections', cost: expect.stringContaining('streams learn') };
  expect(await missingCapabilities(db)).toEqual([capped]);
  create.mockImplementationOnce((name) => mongo.Db.prototype.createCollection.call(db, name));
  expect(await missingCapabilities(db)).toEqual([capped]);
});

test('a database that does not answer is not taken for one that lacks everything', async () => {
  const db = driverOf(testService);
  vi.spyOn(db, 'createCollection').mockRejectedValueOnce(new mongo.MongoNetworkError('gone'));
  await expect(missingCapabilities(db)).rejects.toThrow('gone');
});
