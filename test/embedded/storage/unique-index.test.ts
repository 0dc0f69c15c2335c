import type { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

type Doc = mongo.Document;

const collectionOf = useCollections();

describe('a unique index', () => {
  test('counts missing as null', async () => {
    const collection = await collectionOf([]);
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertOne({ b: 1 });
    await expect(collection.insertOne({ a: null })).rejects.toMatchObject({ code: 11000, keyValue: { a: null } });
  });

  test('that is sparse does not', async () => {
    const collection = await collectionOf([{ b: 1 }, { b: 2 }]);
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    await collection.insertOne({ a: 1 });
    await expect(collection.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
    expect(await collection.countDocuments({ a: null })).toBe(2);
  });

  test('that is partial guards only its documents', async () => {
    const collection = await collectionOf([
      { a: 1, live: false },
      { a: 1, live: false },
    ]);
    await collection.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await collection.insertOne({ a: 1, live: true });
    await expect(collection.insertOne({ a: 1, live: true })).rejects.toMatchObject({ code: 11000 });
    await expect(collection.updateMany({ live: false }, { $set: { live: true } })).rejects.toMatchObject({
      code: 11000,
    });
  });

  test('guards the elements of arrays', async () => {
    const collection = await collectionOf([{ a: ['x', 'y'] }, { a: 'z' }]);
    await collection.createIndex({ a: 1 }, { unique: true });
    await expect(collection.insertOne({ a: 'y' })).rejects.toMatchObject({ code: 11000 });
    await expect(collection.insertOne({ a: ['w', 'z'] })).rejects.toMatchObject({ code: 11000 });
    await collection.insertOne({ a: ['w', 'w'] });
  });

  test('that is sparse guards the elements of arrays, through updates, replacements and removals', async () => {
    const collection = await collectionOf([{ b: 1 }, { a: ['x', 'y'] }]);
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    const refused = { code: 11000, keyPattern: { a: 1 } };
    await collection.insertMany([
      { _id: 7, b: 2 },
      { _id: 8, a: ['z'] },
    ] as Doc as []);
    await expect(collection.updateOne({ _id: 7 } as Doc, { $set: { a: ['w', 'y'] } })).rejects.toMatchObject(refused);
    await expect(collection.replaceOne({ _id: 8 } as Doc, { a: ['x'] })).rejects.toMatchObject(refused);
    await expect(collection.updateMany({ b: { $gt: 0 } }, { $set: { a: ['v'] } })).rejects.toMatchObject(refused);
    await collection.updateOne({ _id: 1 } as Doc, { $unset: { a: 1 } });
    await collection.updateOne({ _id: 7 } as Doc, { $set: { a: ['x', 'y'] } });
    await collection.deleteOne({ _id: 8 } as Doc);
    await collection.insertOne({ a: ['z'] });
    expect(await collection.countDocuments({ a: 'x' })).toBe(1);
  });

  test('is not made over documents that break it', async () => {
    const collection = await collectionOf([{ a: 1 }, { a: 1 }]);
    await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({
      code: 11000,
      keyValue: { a: 1 },
    });
    expect(await collection.indexes()).toHaveLength(1);
    expect(await collection.countDocuments({ a: 1 })).toBe(2);
  });
});
