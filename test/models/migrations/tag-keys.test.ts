import { expect, test } from 'vitest';

import { tagKeys } from '../../../models/migrations/versions/0010-tag-keys.ts';
import { TripStore } from '../../../models/trips/trip.ts';
import { undeclaredIndexes } from '../../../server/database/indexes.ts';
import { runSize } from '../../services/run-size.ts';
import { dyingDatabase } from './dying-database.ts';
import { db, useOldDatabase } from './old-database.ts';
import { testService } from '../../services/database.ts';

useOldDatabase();

const ignoreCount = async () => undefined;

const RED = { key: 'red', color: '#ff0000', value: 'Red' };
const BLUE = { key: 'blue', color: null, value: 'Blue' };

/** Trips as programs before the migration stored them. */
const TRIPS = [
  { key: 'both', account_key: 'a', tags: [RED, BLUE] },
  { key: 'one', account_key: 'a', tags: [RED] },
  { key: 'none', account_key: 'a', tags: [] },
  { key: 'other', account_key: 'b', tags: [RED] },
];

async function storeOldTrips(): Promise<void> {
  await db()
    .collection('trips')
    .insertMany(TRIPS.map((trip) => ({ ...trip, vehicle_key: 'v', fingerprint: trip.key })));
}

async function expectMigrated(): Promise<void> {
  const tags = await db().collection('tags').find().sort({ account_key: 1, value: 1 }).toArray();
  const named = (account_key: string, { color, value }: typeof RED | typeof BLUE) =>
    expect.objectContaining({ account_key, color, value, type: 'Trip', value_folded: value.toLowerCase() });
  expect(tags).toEqual([named('a', BLUE), named('a', RED), named('b', RED)]);
  const keyOf = (account: string, value: string) =>
    tags.find((tag) => tag.account_key === account && tag.value === value)?.key;
  expect(new Set(tags.map(({ key }) => key)).size).toBe(3);
  expect([keyOf('a', 'Red'), keyOf('b', 'Red')]).toContain('red');
  const trips = await db().collection('trips').find().sort({ _id: 1 }).toArray();
  expect(trips.map(({ tag_keys }) => tag_keys)).toEqual([
    [keyOf('a', 'Red'), keyOf('a', 'Blue')],
    [keyOf('a', 'Red')],
    undefined,
    [keyOf('b', 'Red')],
  ]);
  expect(await tagKeys.pending(db())).toBe(0);
}

test('the tags that trips of an older program held are records, which the trips name', async () => {
  await storeOldTrips();
  expect(await tagKeys.pending(db())).toBe(3);
  await tagKeys.run({ db: db(), count: ignoreCount });
  await expectMigrated();
});

test('a second run changes nothing', async () => {
  await storeOldTrips();
  await tagKeys.run({ db: db(), count: ignoreCount });
  const changed: number[] = [];
  await tagKeys.run({ db: db(), count: async (more) => void changed.push(more) });
  expect(changed).toEqual([]);
});

test('a run that is killed behind any of its commands goes on where it was', async () => {
  const begin = async () => {
    await db().dropDatabase();
    await storeOldTrips();
  };
  await begin();
  const whole = dyingDatabase(db(), Infinity);
  await tagKeys.run({ db: whole.db, count: ignoreCount });
  expect(whole.sent()).toBeGreaterThan(5);
  for (let deadline = 1; deadline < whole.sent(); deadline += runSize(2, 1)) {
    await begin();
    await expect(tagKeys.run({ db: dyingDatabase(db(), deadline).db, count: ignoreCount })).rejects.toThrow('dead');
    await tagKeys.run({ db: db(), count: ignoreCount });
    await expectMigrated();
  }
});

test('the index of all trips by their length is dropped', async () => {
  await TripStore.model(testService).createIndexes();
  const index = {
    vehicle_key: 1,
    staged: 1,
    duration_seconds: 1,
    'start_point.timestamp': 1,
    'end_point.timestamp': 1,
  };
  await TripStore.driver(testService).createIndex(index);
  expect(await tagKeys.pending(db())).toBe(1);
  await tagKeys.run({ db: db(), count: ignoreCount });
  expect((await undeclaredIndexes(testService)).filter((name) => name.startsWith('trips.'))).toEqual([]);
  expect((await TripStore.model(testService).diffIndexes()).toCreate).toEqual([]);
});
