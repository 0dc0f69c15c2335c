import fc from 'fast-check';
import { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';

let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
});

afterAll(() => server.close());

const scalar = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom<unknown>('a', 'b', null, true, 1.5, mongo.Long.fromNumber(2)),
);
const leaf = fc.oneof({ weight: 4, arbitrary: scalar }, fc.array(scalar, { maxLength: 3 }));
const nested = fc.oneof(
  fc.record({ x: leaf }, { requiredKeys: [] }),
  fc.array(fc.oneof(fc.record({ x: leaf }, { requiredKeys: [] }), scalar), { maxLength: 2 }),
  scalar,
);
const document = fc.record({ a: leaf, b: scalar, c: nested }, { requiredKeys: [] });

const condition = fc.oneof(
  scalar,
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $ne: scalar }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 2 }) }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $not: fc.record({ $lte: scalar }) }),
  fc.record({ $elemMatch: fc.record({ $gte: scalar }) }),
  fc.record({ $all: fc.array(scalar, { maxLength: 3 }) }),
);
const field = fc.constantFrom('a', 'b', 'c', 'c.x');
const simple = fc.tuple(field, condition).map(([name, value]) => ({ [name]: value }));
const filter = fc.oneof(
  simple,
  fc.record({ $and: fc.array(simple, { minLength: 1, maxLength: 3 }) }),
  fc.record({ $or: fc.array(simple, { minLength: 1, maxLength: 3 }) }),
);
const sort = fc
  .tuple(field, fc.constantFrom(1 as const, -1 as const))
  .map(([name, direction]) => ({ [name]: direction, _id: 1 as const }));

describe('indexes and scans', () => {
  test('find the same documents in the same order', async () => {
    const db = server.client.db('test');
    const indexed = db.collection<mongo.Document>('indexed');
    const plain = db.collection<mongo.Document>('plain');
    await indexed.createIndexes([
      { key: { a: 1 } },
      { key: { b: -1, a: 1 } },
      { key: { b: 1, a: -1, _id: 1 } },
      { key: { 'c.x': 1, b: 1 } },
      { key: { 'c.x': 1 } },
      { key: { c: 1 }, sparse: true },
      { key: { b: 1 }, name: 'partial', partialFilterExpression: { b: { $gte: 2 } } },
    ]);
    const query = fc.tuple(filter, sort);
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1, maxLength: 8 }),
        fc.array(query, { minLength: 5, maxLength: 8 }),
        async (docs, queries) => {
          const numbered = docs.map((doc, _id) => ({ _id, ...doc }));
          for (const collection of [indexed, plain]) {
            await collection.deleteMany({});
            await collection.insertMany(numbered as never);
          }
          for (const [wanted, order] of queries) {
            const [here, there] = await Promise.all(
              [indexed, plain].map((collection) =>
                collection
                  .find(wanted as mongo.Document)
                  .sort(order)
                  .toArray(),
              ),
            );
            expect(here, JSON.stringify([wanted, order])).toEqual(there);
            expect(await indexed.countDocuments(wanted as mongo.Document)).toBe(there?.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('find what has no field, because an empty array stands above it', async () => {
    const collection = server.client.db('sparse').collection<mongo.Document>('docs');
    await collection.createIndex({ 'c.x.y': 1 }, { sparse: true });
    await collection.insertMany([{ c: [] }, { c: { x: [] } }, { c: { x: { y: 1 } } }, { c: {} }]);
    expect(await collection.countDocuments({ 'c.x.y': { $ne: null } })).toBe(3);
    expect(await collection.countDocuments({ 'c.x.y': { $gt: 0 } })).toBe(1);
  });

  test('find the same first documents by an element of an array, whatever was written before', async () => {
    const db = server.client.db('elements');
    const indexed = db.collection<mongo.Document>('indexed');
    const plain = db.collection<mongo.Document>('plain');
    const word = fc.constantFrom('a', 'b', 'c');
    const words = fc.oneof({ weight: 4, arbitrary: fc.array(word, { maxLength: 3 }) }, word, fc.constant(null));
    const fields = fc.record({ owner: word, words, rank: fc.integer({ min: 0, max: 3 }) }, { requiredKeys: ['owner'] });
    const change = fc.record({ _id: fc.integer({ min: 0, max: 11 }), fields, isRemoval: fc.boolean() });
    const wanted = fc.record({
      owner: word,
      words: fc.oneof(word, fc.record({ $all: fc.array(word, { minLength: 1, maxLength: 3 }) }), fc.constant(['a'])),
      more: fc.constantFrom({}, { rank: { $gte: 2 } }, { _id: { $gte: 4 } }, { words: { $ne: 'c' } }, { rank: 1 }),
      order: fc.constantFrom<mongo.Sort>({ _id: 1 }, { _id: -1 }, { rank: 1, _id: 1 }, { rank: -1, _id: 1 }),
      limit: fc.integer({ min: 0, max: 4 }),
    });
    await indexed.createIndexes([
      { key: { owner: 1, words: 1, _id: 1 } },
      { key: { owner: -1, rank: 1, words: -1, _id: -1 } },
      { key: { words: 1, owner: 1, rank: -1, _id: 1 } },
    ]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fields, { minLength: 6, maxLength: 12 }),
        fc.array(change, { maxLength: 6 }),
        fc.array(wanted, { minLength: 4, maxLength: 8 }),
        async (docs, changes, queries) => {
          for (const collection of [indexed, plain]) {
            await collection.deleteMany({});
            await collection.insertMany(docs.map((doc, _id) => ({ _id, ...doc })) as never);
            for (const { _id, fields: after, isRemoval } of changes) {
              if (isRemoval) await collection.deleteOne({ _id: _id as never });
              else await collection.replaceOne({ _id: _id as never }, after);
            }
          }
          for (const { owner, words: some, more, order, limit } of queries) {
            const filter: mongo.Document = { $and: [{ owner, words: some }, more] };
            const [here, there] = await Promise.all(
              [indexed, plain].map((collection) => collection.find(filter).sort(order).limit(limit).toArray()),
            );
            expect(here, JSON.stringify([filter, order])).toEqual(there);
            const total = await plain.countDocuments(filter);
            expect(await indexed.countDocuments(filter)).toBe(total);
          }
          expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('find the same by several lists of elements, one of which an array must have of each', async () => {
    const db = server.client.db('lists');
    const indexed = db.collection<mongo.Document>('indexed');
    const plain = db.collection<mongo.Document>('plain');
    await indexed.createIndex({ words: 1 });
    const word = fc.constantFrom('a', 'b', 'c', 'd');
    const words = fc.oneof({ weight: 8, arbitrary: fc.array(word, { maxLength: 3 }) }, word);
    const list = fc.array(word, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: 4, maxLength: 10 }),
        fc.array(fc.array(list, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 8 }),
        async (arrays, queries) => {
          for (const collection of [indexed, plain]) {
            await collection.deleteMany({});
            await collection.insertMany(arrays.map((some, _id) => ({ _id, words: some })) as never);
          }
          for (const lists of queries) {
            const filter: mongo.Document = { $and: lists.map((some) => ({ words: { $in: some } })) };
            const [here, there] = await Promise.all(
              [indexed, plain].map((collection) => collection.find(filter).sort({ _id: 1 }).toArray()),
            );
            expect(here, JSON.stringify(filter)).toEqual(there);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  test('find by more values than a statement of SQLite takes', async () => {
    const collection = server.client.db('many').collection<mongo.Document>('docs');
    await collection.createIndex({ words: 1 });
    await collection.insertOne({ words: [1, 5001, 10_001] });
    const from = (first: number, count: number) => ({
      words: { $in: Array.from({ length: count }, (_, at) => first + at) },
    });
    const filter = { $and: [from(1, 2000), from(2, 5000), from(5001, 5000), from(10_001, 3999)] };
    expect(await collection.countDocuments(filter)).toBe(1);
  });

  test('stay in agreement after any update', async () => {
    const collection = server.client.db('updates').collection<mongo.Document>('indexed');
    await collection.createIndexes([
      { key: { a: 1 } },
      { key: { b: 1, 'c.y': -1 } },
      { key: { 'c.x': 1, b: 1 } },
      { key: { b: -1 }, name: 'partial', partialFilterExpression: { 'd.x': { $gte: 2 } } },
      { key: { 'd.x': 1, b: 1 } },
    ]);
    const path = fc.constantFrom('a', 'b', 'c', 'd', 'a.0', 'a.x', 'c.x', 'c.y', 'd.x', 'c.$[]', 'c.$[].x');
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'c.x', 'd.x', 'e');
    const value = fc.oneof(leaf, nested);
    const update = fc.oneof(
      fc.tuple(path, value).map(([at, to]) => ({ $set: { [at]: to } })),
      path.map((at) => ({ $unset: { [at]: '' } })),
      fc.tuple(name, name).map(([from, to]) => ({ $rename: { [from]: to } })),
      fc.tuple(path, value).map(([at, to]) => ({ $push: { [at]: to } })),
      fc.tuple(path, scalar).map(([at, to]) => ({ $pull: { [at]: to } })),
      fc.tuple(path, scalar).map(([at, to]) => ({ $max: { [at]: to } })),
      fc.tuple(name, name).map(([at, from]) => [{ $set: { [at]: `$${from}` } }, { $unset: from }]),
      document,
    );
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: 1, maxLength: 4 }),
        fc.array(fc.record({ _id: fc.nat({ max: 5 }), update }), { minLength: 4, maxLength: 12 }),
        async (docs, changes) => {
          await collection.deleteMany({});
          await collection.insertMany(docs.map((doc, _id) => ({ _id, ...doc })) as never);
          for (const { _id, update: u } of changes) {
            // Some updates do not suit a document, and are refused.
            const updates = [{ q: { _id }, u, upsert: true }];
            const answer = await server.client.db('updates').command({ update: 'indexed', updates });
            changed += Number(answer.nModified);
          }
          expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
    expect(changed).toBeGreaterThan(0);
  });
});
