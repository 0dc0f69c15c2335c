import { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

const { Binary, BSONRegExp, Decimal128, Long, MaxKey, MinKey, ObjectId, Timestamp } = mongo;

const collectionOf = useCollections();

const max = Long.MAX_VALUE;

/** Values of every type in MongoDB's order. */
const ORDER = [
  new MinKey(),
  null,
  Number.NaN,
  Long.MIN_VALUE,
  -1.5,
  0,
  Decimal128.fromString('0.5'),
  1,
  max,
  Decimal128.fromString('1E+400'),
  Number.POSITIVE_INFINITY,
  '',
  'A',
  'a',
  'ab',
  {},
  { a: 1 },
  { b: 0 },
  { a: 'x' },
  new Binary(Buffer.from([1])),
  new ObjectId(),
  false,
  true,
  new Date(-1),
  new Date(1),
  new Timestamp({ t: 1, i: 1 }),
  new BSONRegExp('a'),
  new MaxKey(),
];

describe('a sort', () => {
  test.each([[undefined], [{ a: 1 }]])('puts values of every type in MongoDB order (index %o)', async (index) => {
    const collection = await collectionOf(ORDER.map((a) => ({ a })).reverse(), index);
    const up = await collection.find().sort({ a: 1 }).toArray();
    expect(up.map(({ _id }) => ORDER.length - 1 - Number(_id))).toEqual([...ORDER.keys()]);
    const down = await collection.find().sort({ a: -1 }).toArray();
    expect(down.map(({ _id }) => Number(_id))).toEqual([...ORDER.keys()]);
  });

  test.each([[undefined], [{ a: 1 }]])('takes the least element up and the greatest down (index %o)', async (index) => {
    const collection = await collectionOf([{ a: [5, 1] }, { a: 3 }, { a: [] }, {}, { a: [2, 9] }], index);
    expect((await collection.find().sort({ a: 1 }).toArray()).map(({ _id }) => _id)).toEqual([2, 3, 0, 4, 1]);
    expect((await collection.find().sort({ a: -1 }).toArray()).map(({ _id }) => _id)).toEqual([4, 0, 1, 3, 2]);
  });
});
