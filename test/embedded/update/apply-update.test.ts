import { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

const { Decimal128, Double, Long } = mongo;

type Doc = mongo.Document;

const collectionOf = useCollections();

/** Updates: the document, the update, the document after it. */
const UPDATES: Array<[string, Doc, Doc, Doc]> = [
  ['an int that overflows becomes a long', { a: 2147483647 }, { $inc: { a: 1 } }, { a: Long.fromString('2147483648') }],
  [
    'a long stays exact',
    { a: Long.fromString('9007199254740993') },
    { $inc: { a: 1 } },
    { a: Long.fromString('9007199254740994') },
  ],
  ['a double stays a double', { a: new Double(1) }, { $inc: { a: 1 } }, { a: new Double(2) }],
  [
    'a decimal is added in decimal',
    { a: Decimal128.fromString('0.1') },
    { $inc: { a: Decimal128.fromString('0.2') } },
    { a: Decimal128.fromString('0.3') },
  ],
  [
    '$mul of a decimal keeps its digits',
    { a: Decimal128.fromString('1.10') },
    { $mul: { a: 3 } },
    { a: Decimal128.fromString('3.30') },
  ],
  ['$set makes the documents on its way', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set pads an array with null', { a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  [
    'new fields come in the order of their names',
    { z: 0 },
    { $set: { c: 1, a: 2 }, $inc: { b: 3 } },
    { z: 0, a: 2, b: 3, c: 1 },
  ],
  ['$unset of a place leaves null', { a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { a: [1, null, 3] }],
  [
    '$push keeps the best three',
    { a: [5, 1] },
    { $push: { a: { $each: [3, 9], $sort: -1, $slice: 3 } } },
    { a: [9, 5, 3] },
  ],
  [
    '$addToSet compares documents by order of keys',
    { a: [{ x: 1, y: 2 }] },
    {
      $addToSet: {
        a: {
          $each: [
            { x: 1, y: 2 },
            { y: 2, x: 1 },
          ],
        },
      },
    },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
  ['$pull takes a condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [
    '$pull reads documents',
    {
      a: [
        { x: 1, y: 1 },
        { x: 2, y: 1 },
      ],
    },
    { $pull: { a: { x: 1 } } },
    { a: [{ x: 2, y: 1 }] },
  ],
  ['$pull takes a pattern', { a: ['ab', 'b', 5] }, { $pull: { a: /^a/ } }, { a: ['b', 5] }],
  ['$min compares across types', { a: 'text' }, { $min: { a: 5 } }, { a: 5 }],
  ['$rename moves a value', { b: 1, a: 2 }, { $rename: { b: 'c.d' } }, { a: 2, c: { d: 1 } }],
];

describe('an update', () => {
  test.each(UPDATES)('%s', async (_sentence, before, update, after) => {
    const collection = await collectionOf([before]);
    await collection.updateOne({ _id: 0 as never }, update);
    const stored = await collection.findOne({}, { raw: true });
    expect(Buffer.from(stored as unknown as Uint8Array)).toEqual(
      Buffer.from(mongo.BSON.serialize({ _id: 0, ...after })),
    );
  });

  test('changes the element that the filter found', async () => {
    const collection = await collectionOf([
      {
        a: [
          { k: 1, n: 0 },
          { k: 2, n: 0 },
        ],
      },
    ]);
    await collection.updateOne({ 'a.k': 2 }, { $inc: { 'a.$.n': 5 } });
    await collection.updateOne({}, { $inc: { 'a.$[one].n': 1 } }, { arrayFilters: [{ 'one.k': 1 }] });
    expect(await collection.findOne()).toMatchObject({
      a: [
        { k: 1, n: 1 },
        { k: 2, n: 5 },
      ],
    });
  });

  test.each([{ 'a.0.b': 'c' }, { c: 'a.0.b' }])('may not rename from or into an array (%o)', async (names) => {
    const collection = await collectionOf([{ a: [{ b: 1 }], c: 1 }]);
    await expect(collection.updateOne({}, { $rename: names })).rejects.toMatchObject({ code: 2 });
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({ a: [{ b: 1 }], c: 1 });
  });

  test('may not change the id, nor one path twice', async () => {
    const collection = await collectionOf([{ a: 1 }]);
    await expect(collection.updateOne({}, { $set: { _id: 5 as never } })).rejects.toMatchObject({ code: 66 });
    await expect(collection.updateOne({}, { $set: { 'b.c': 1 }, $inc: { b: 1 } })).rejects.toMatchObject({ code: 40 });
  });

  test.each([
    [{ a: 1, b: 0 }, {}],
    [{ half: { $divide: [1, '$none'] } }, { none: 0 }],
  ])('whose answer cannot be given changes nothing (projection %o)', async (projection, fields) => {
    const collection = await collectionOf([{ a: 1, ...fields }]);
    const changed = collection.findOneAndUpdate({}, { $inc: { a: 1 } }, { projection, returnDocument: 'after' });
    await expect(changed).rejects.toThrow();
    expect(await collection.findOne()).toMatchObject({ a: 1 });
    const made = { upsert: true, projection, returnDocument: 'after' } as const;
    await expect(collection.findOneAndUpdate({ new: true }, { $set: fields }, made)).rejects.toThrow();
    expect(await collection.countDocuments()).toBe(1);
  });

  test('that inserts takes the equalities of its filter', async () => {
    const collection = await collectionOf([]);
    await collection.updateOne(
      { 'a.b': 1, c: { $gt: 5 }, d: { $eq: 2 } },
      { $set: { e: 3 }, $setOnInsert: { f: 4 } },
      { upsert: true },
    );
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({ a: { b: 1 }, d: 2, e: 3, f: 4 });
  });
});
