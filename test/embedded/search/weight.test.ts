import type { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';

type Doc = mongo.Document;
type Read = (all: mongo.Collection<Doc>) => Promise<unknown[]>;

let server: LocalServer;
let items: mongo.Collection<Doc>;

beforeAll(async () => {
  // Without threads for heavy reads the server rejects them, which shows what it takes for one.
  server = await startLocalServer(() => {}, 100);
  items = server.client.db('test').collection('items');
  await items.createIndexes([{ key: { third: 1 } }, { key: { word: 1 } }, { key: { third: 1, parts: 1, word: 1 } }]);
  await items.insertMany(
    Array.from({ length: 15_000 }, (_, n) => ({ third: n % 3, word: `w${n % 150}`, parts: ['all', `h${n % 2}`], n })),
  );
});

afterAll(() => server.close());

const counted = (path: string) => [{ $match: { third: 1 } }, { $group: { _id: path, n: { $sum: 1 } } }];

const HEAVY: Array<[string, Read]> = [
  ['a search of every document', (all) => all.find({ n: 14_999 }).toArray()],
  ['a sort of all', (all) => all.find().sort({ word: 1, third: 1, n: 1 }).limit(1).toArray()],
  ['a page far behind the first', (all) => all.find().skip(2900).limit(1).toArray()],
  ['a count behind many', async (all) => [await all.countDocuments({}, { skip: 2900 })]],
  [
    'a search of elements that many have, and nobody together',
    (all) =>
      all
        .find({ third: 1, parts: { $all: ['h0', 'h1', 'all'] } })
        .limit(1)
        .toArray(),
  ],
  [
    'a search of a part of what an index finds',
    (all) =>
      all
        .find({ third: 1, parts: { $gte: 'z' } })
        .limit(1)
        .toArray(),
  ],
  ['groups of many values', (all) => all.aggregate([{ $match: { n: { $exists: true } } }, ...counted('$n')]).toArray()],
  ['groups of many indexed values', (all) => all.aggregate(counted('$_id')).toArray()],
];

const LIGHT: Array<[string, Read, number]> = [
  ['one document', (all) => all.find({ third: 2 }).limit(1).toArray(), 1],
  ['every document as it is', (all) => all.find().toArray(), 15_000],
  ['every document of a value', (all) => all.find({ third: 1 }).toArray(), 5000],
  ['the first by an element', (all) => all.find({ third: 1, parts: 'all' }).sort({ word: 1 }).limit(5).toArray(), 5],
  ['a page', (all) => all.find({ third: 1 }).skip(20).limit(10).toArray(), 10],
  [
    'groups of few values',
    (all) =>
      all.aggregate([{ $match: { word: { $lt: 'w11' } } }, { $group: { _id: '$third', n: { $sum: 1 } } }]).toArray(),
    3,
  ],
];

describe('a read', () => {
  test.each(HEAVY)('is heavy where it is %s', async (_what, read) => {
    await expect(read(items)).rejects.toThrow('no threads for heavy reads');
  });

  test.each(LIGHT)('is light where it is %s', async (_what, read, length) => {
    expect(await read(items)).toHaveLength(length);
  });
});
