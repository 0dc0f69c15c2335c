import { mongo } from 'mongoose';
import { beforeAll, describe, expect, test } from 'vitest';

import { useEmbeddedDatabase } from './embedded-connection.ts';

type Doc = mongo.Document;

/** More than a thread of small answers may visit, and more than a batch. */
const COUNT = 6000;

const database = useEmbeddedDatabase();

function items(name = 'items'): mongo.Collection<Doc> {
  return database.connection.collection(name) as unknown as mongo.Collection<Doc>;
}

async function status(): Promise<{ readonly openSnapshots: number; readonly readerThreads: number }> {
  return (await database.connection.db?.command({ serverStatus: 1 }))?.embedded;
}

/** The id of a cursor that a thread could have, and does not. */
function cursorIn(thread: number): mongo.Long {
  return mongo.Long.fromBigInt((123_456_789n << 2n) | BigInt(thread));
}

function documents(): Doc[] {
  return Array.from({ length: COUNT }, (_, n) => ({
    _id: n,
    group: n % 3,
    tenth: n % 10,
    name: `item ${n}`,
    labels: [`a${n % 4}`, `b${n % 7}`],
  }));
}

beforeAll(async () => {
  await items().createIndexes([{ key: { group: 1, tenth: 1 } }, { key: { labels: 1 } }]);
  await items().insertMany(documents() as never);
});

/** Reads that visit many documents, and what they answer. */
const HEAVY: Array<[string, (collection: mongo.Collection<Doc>) => Promise<unknown>, unknown]> = [
  [
    'a search of a text',
    (all) => all.find({ name: /9{3}$/ }).project({ _id: 1 }).toArray(),
    [999, 1999, 2999, 3999, 4999, 5999].map((_id) => ({ _id })),
  ],
  [
    'a sort without an index',
    async (all) => (await all.find({ group: 1 }).sort({ name: -1 }).limit(2).toArray()).map(({ name }) => name),
    ['item 997', 'item 994'],
  ],
  ['a count by an index', (all) => all.countDocuments({ group: { $lte: 1 } }), 4000],
  ['a count without an index', (all) => all.countDocuments({ name: { $gte: 'item 99' } }), 11],
  ['different values', async (all) => (await all.distinct('labels')).length, 11],
  [
    'groups by an index',
    (all) => all.aggregate([{ $group: { _id: '$group', n: { $sum: 1 } } }]).toArray(),
    [0, 1, 2].map((_id) => ({ _id, n: 2000 })),
  ],
  [
    'groups of elements',
    (all) =>
      all
        .aggregate([{ $unwind: '$labels' }, { $group: { _id: '$labels', n: { $sum: 1 } } }, { $match: { _id: 'a3' } }])
        .toArray(),
    [{ _id: 'a3', n: 1500 }],
  ],
  [
    'every document that is computed',
    async (all) =>
      (await all.aggregate([{ $addFields: { double: { $multiply: ['$_id', 2] } } }]).toArray()).reduce(
        (sum, { double }) => sum + double,
        0,
      ),
    COUNT * (COUNT - 1),
  ],
  ['every document that is tested', async (all) => (await all.find({ name: /item/ }).toArray()).length, COUNT],
  [
    'an error in the midst',
    (all) =>
      all
        .aggregate([{ $addFields: { bad: { $divide: [1, { $subtract: ['$_id', 3000] }] } } }])
        .toArray()
        .catch(({ message }: Error) => message),
    expect.stringContaining('divide by zero'),
  ],
];

/** A pipeline of some tenths of a second. */
const PAIRS = [
  { $match: { _id: { $lt: 10 } } },
  {
    $lookup: {
      from: 'items',
      let: { own: '$name' },
      pipeline: [{ $match: { $expr: { $lt: ['$name', '$$own'] } } }],
      as: 'less',
    },
  },
  { $group: { _id: null, n: { $sum: { $size: '$less' } } } },
];

describe('a heavy read', () => {
  test.each(HEAVY)('answers from another thread as it does from the first: %s', async (_what, read, expected) => {
    expect(await read(items())).toEqual(expected);
    expect((await status()).readerThreads).toBeGreaterThan(0);
    await expect.poll(async () => (await status()).openSnapshots).toBe(0);
  });

  test('lets others read and write meanwhile', async () => {
    const order: string[] = [];
    const heavy = items().aggregate(PAIRS).toArray();
    void heavy.then(() => order.push('heavy'));
    await items('others').insertOne({ n: 1 });
    for (let turn = 0; turn < 50; turn += 1) {
      await items().findOne({ _id: turn as never });
      await items('others').updateOne({ n: 1 }, { $inc: { turns: 1 } });
      // Were they to wait, the first would; all of them may take longer than the heavy one.
      if (turn === 0) order.push('others');
    }
    expect(await heavy).toHaveLength(1);
    expect(order).toEqual(['others', 'heavy']);
    expect(await items('others').findOne({ n: 1 })).toMatchObject({ turns: 50 });
  });

  test('sees the documents as they were when it began, to the last batch', async () => {
    await items('kept').insertMany(documents() as never);
    const cursor = items('kept').find({ name: /item/ }, { batchSize: 500 });
    await cursor.next();
    await items('kept').deleteMany({ group: 1 });
    await items('kept').updateMany({}, { $set: { name: 'changed' } });
    const rest = await cursor.toArray();
    expect(rest).toHaveLength(COUNT - 1);
    expect(rest.every(({ name }) => name.startsWith('item'))).toBe(true);
    expect(await items('kept').countDocuments({ name: /item/ })).toBe(0);
  });

  test('sees every write that was acknowledged before it', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      await items('grown').insertMany(Array.from({ length: 300 }, (_, n) => ({ turn, n })));
      expect(await items('grown').countDocuments({ n: { $gte: 0 } })).toBe(300 * (turn + 1));
    }
  });

  test('leaves nothing open where its cursor is closed early', async () => {
    const cursor = items().find({ name: /item/ }, { batchSize: 10 });
    await cursor.next();
    expect((await status()).openSnapshots).toBe(1);
    await cursor.close();
    expect((await status()).openSnapshots).toBe(0);
  });

  test('begins with an empty batch where its client wants so', async () => {
    expect(await items().find({ name: /item/ }, { batchSize: 0 }).toArray()).toHaveLength(COUNT);
    const tested = [{ $match: { name: /item/ } }];
    expect(await items().aggregate(tested, { batchSize: 0 }).toArray()).toHaveLength(COUNT);
    expect(await items().find({}, { batchSize: 0 }).toArray()).toHaveLength(COUNT);
  });

  test('that joins where its first batch does not answers to the end', async () => {
    const $documents = Array.from({ length: 110 }, (_, n) => ({ wanted: n < 105 ? -1 : 1 }));
    const pipeline = [{ $limit: 300 }];
    const joined = { $lookup: { from: 'items', localField: 'wanted', foreignField: 'group', pipeline, as: 'found' } };
    const found = await database.connection.db?.aggregate([{ $documents }, joined] as never).toArray();
    const lengths = found?.map(({ found: { length } }) => length);
    expect(lengths).toEqual($documents.map(({ wanted }) => (wanted < 0 ? 0 : 300)));
  });

  test('is not waited for by the end of the cursor of another', async () => {
    const order: string[] = [];
    const light = items().find({}, { batchSize: 10 });
    await light.next();
    const heavy = items().aggregate(PAIRS).toArray();
    void heavy.then(() => order.push('heavy'));
    await items('others').findOne({});
    await light.close();
    order.push('closed');
    await heavy;
    expect(order).toEqual(['closed', 'heavy']);
  });

  test('is answered with an error where its cursor is not known', async () => {
    const getMore = { getMore: cursorIn(1), collection: 'items' };
    await expect(database.connection.db?.command(getMore)).rejects.toMatchObject({ codeName: 'CursorNotFound' });
    const kill = { killCursors: 'items', cursors: [cursorIn(0), cursorIn(1), cursorIn(3)] };
    const killed = await database.connection.db?.command(kill);
    expect(killed?.cursorsNotFound).toHaveLength(3);
    expect((await status()).readerThreads).toBeLessThanOrEqual(2);
  });
});
