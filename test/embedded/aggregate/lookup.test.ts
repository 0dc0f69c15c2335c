import { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

type Doc = mongo.Document;

const collectionOf = useCollections();

const pattern = new mongo.BSONRegExp('^a');

/** Joins: the local document, its path, the foreign documents, their path, the places of those joined. */
const JOINS: Array<[string, Doc, string, Doc[], string, number[]]> = [
  ['a value joins with its equals', { b: 1 }, 'b', [{ a: 1 }, { a: 2 }, { a: [2, 1] }, { a: [[1]] }], 'a', [0, 2]],
  ['null joins with null and missing', { b: null }, 'b', [{}, { a: null }, { a: [null] }, { a: [] }], 'a', [0, 1, 2]],
  ['so does a missing field', {}, 'b', [{}, { a: null }, { a: [null] }, { a: [] }, { a: 0 }], 'a', [0, 1, 2]],
  ['so does an empty array', { b: [] }, 'b', [{}, { a: null }, { a: [[]] }, { a: [] }], 'a', [0, 1]],
  ['an array joins by each element', { b: [1, 2] }, 'b', [{ a: 1 }, { a: 2 }, { a: 3 }, { a: [[1, 2]] }], 'a', [0, 1]],
  ['an array in it as a whole', { b: [[1, 2], 9] }, 'b', [{ a: [[1, 2]] }, { a: [1, 2] }, { a: 1 }], 'a', [0, 1]],
  ['a document joins as a whole', { b: { x: 1 } }, 'b', [{ a: { x: 1 } }, { a: { x: 1, y: 2 } }], 'a', [0]],
  ['a pattern joins with itself alone', { b: pattern }, 'b', [{ a: pattern }, { a: 'abc' }], 'a', [0]],
  ['and so among others', { b: [pattern, 5] }, 'b', [{ a: pattern }, { a: 'abc' }, { a: 5 }], 'a', [0, 2]],
  ['an operator is a value there', { b: [{ $gt: 1 }, 5] }, 'b', [{ a: { $gt: 1 } }, { a: 2 }, { a: 5 }], 'a', [0, 2]],
  ['a path goes into documents', { b: { x: 1 } }, 'b.x', [{ a: { y: 1 } }, { a: { y: 2 } }], 'a.y', [0]],
  ['and into those of an array', { b: [{ x: 1 }, { x: [2] }, {}] }, 'b.x', [{ a: 1 }, { a: 2 }, {}], 'a', [0, 1]],
  ['which may all lack it', { b: [{ y: 1 }, 7] }, 'b.x', [{ a: 1 }, { a: 7 }, {}], 'a', [2]],
  ['it may name a place', { b: [{ x: 1 }, { x: 2 }] }, 'b.0.x', [{ a: 1 }, { a: 2 }], 'a', [0]],
  ['of an array only', { b: { x: 1 } }, 'b.0.x', [{ a: 1 }, { a: null }], 'a', [1]],
  ['or a field', { b: { 0: { x: 1 } } }, 'b.0.x', [{ a: 1 }, { a: null }], 'a', [0]],
];

describe('a $lookup', () => {
  test.each(JOINS)('by equal fields: %s', async (_sentence, local, localField, foreign, foreignField, places) => {
    const one = await collectionOf([local]);
    for (const index of [undefined, { [foreignField]: 1 }]) {
      const from = (await collectionOf(foreign, index)).collectionName;
      const [joined] = await one.aggregate([{ $lookup: { from, localField, foreignField, as: 'found' } }]).toArray();
      const found = joined?.found.map(({ _id }: Doc) => _id).sort();
      expect(found, index ? 'with an index' : 'by a scan').toEqual(places);
    }
  });

  test('by equal fields joins each document with its own', async () => {
    const others = await collectionOf(
      Array.from({ length: 50 }, (_, n) => ({ n })),
      { n: 1 },
    );
    const one = await collectionOf([{ n: 3 }, { n: 30 }]);
    const lookup = { from: others.collectionName, localField: 'n', foreignField: 'n', as: 'found' };
    const joined = await one.aggregate([{ $lookup: lookup }, { $unwind: '$found' }, { $sort: { n: -1 } }]).toArray();
    expect(joined).toEqual([
      { _id: 1, n: 30, found: { _id: 30, n: 30 } },
      { _id: 0, n: 3, found: { _id: 3, n: 3 } },
    ]);
  });

  test('by a pipeline sees the variables of each document, and those outside it', async () => {
    const lines = await collectionOf([
      { of: 1, sum: 5 },
      { of: 1, sum: 50 },
      { of: 2, sum: 7 },
    ]);
    const kinds = await collectionOf([{ name: 'much' }, { name: 'little' }]);
    const orders = await collectionOf([{ n: 1 }, { n: 2 }]);
    const inner = {
      from: kinds.collectionName,
      let: { sum: '$sum' },
      pipeline: [
        { $match: { $expr: { $eq: ['$name', { $cond: [{ $gt: ['$$sum', '$$limit'] }, 'much', 'little'] }] } } },
        { $project: { _id: 0, name: 1, n: '$$n' } },
      ],
      as: 'kind',
    };
    const pipeline = [
      { $match: { $expr: { $eq: ['$of', '$$n'] } } },
      { $sort: { sum: -1 } },
      { $lookup: inner },
      { $project: { _id: 0, sum: 1, kind: 1 } },
    ];
    const joined = await orders
      .aggregate([{ $lookup: { from: lines.collectionName, let: { n: '$n' }, pipeline, as: 'lines' } }], {
        let: { limit: 10 },
      })
      .toArray();
    expect(joined).toEqual([
      {
        _id: 0,
        n: 1,
        lines: [
          { sum: 50, kind: [{ name: 'much', n: 1 }] },
          { sum: 5, kind: [{ name: 'little', n: 1 }] },
        ],
      },
      { _id: 1, n: 2, lines: [{ sum: 7, kind: [{ name: 'little', n: 2 }] }] },
    ]);
  });

  test('by both joins first and filters, sorts and limits then', async () => {
    const others = await collectionOf(
      [
        { k: 1, n: 1 },
        { k: 1, n: 2 },
        { k: 1, n: 3 },
        { k: 2, n: 9 },
      ],
      { k: 1 },
    );
    const one = await collectionOf([{ k: 1 }]);
    const pipeline = [{ $match: { n: { $gt: 1 } } }, { $sort: { n: -1 } }, { $limit: 1 }];
    const lookup = { from: others.collectionName, localField: 'k', foreignField: 'k', pipeline, as: 'found' };
    expect(await one.aggregate([{ $lookup: lookup }]).toArray()).toEqual([
      { _id: 0, k: 1, found: [{ _id: 2, k: 1, n: 3 }] },
    ]);
  });

  test('in a collection that is not there joins nothing', async () => {
    const one = await collectionOf([{ k: 1 }]);
    const lookup = { from: 'nowhere', localField: 'k', foreignField: 'k', as: 'found' };
    expect(await one.aggregate([{ $lookup: lookup }]).toArray()).toEqual([{ _id: 0, k: 1, found: [] }]);
  });

  test.each([
    ['an argument it does not have', { foreign: 'a', pipeline: [] }],
    ['variables without a pipeline', { localField: 'a', foreignField: 'a', let: { n: '$n' } }],
    ['one field alone', { localField: 'a' }],
    ['a path that is none', { localField: '$a', foreignField: 'a' }],
    ['a stage that it does not know', { pipeline: [{ $nothing: 1 }] }],
  ])('is refused for %s, on an empty collection too', async (_what, spec) => {
    const empty = await collectionOf([]);
    const lookup = { from: 'others', as: 'found', ...spec };
    await expect(empty.aggregate([{ $lookup: lookup }]).toArray()).rejects.toMatchObject({ name: 'MongoServerError' });
  });
});
