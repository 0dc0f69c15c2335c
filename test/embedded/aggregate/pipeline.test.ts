import type { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

type Doc = mongo.Document;

const collectionOf = useCollections();

describe('an aggregation', () => {
  const orders = [
    { who: 'a', items: [{ n: 1 }, { n: 2 }], sum: 5 },
    { who: 'b', items: [], sum: 7 },
    { who: 'a', sum: 1.5 },
  ];

  const PIPELINES: Array<[string, Doc[], Doc[]]> = [
    [
      'groups and sums',
      [{ $group: { _id: '$who', sum: { $sum: '$sum' }, count: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', sum: 6.5, count: 2 },
        { _id: 'b', sum: 7, count: 1 },
      ],
    ],
    [
      'unwinds, keeping the empty',
      [{ $unwind: { path: '$items', preserveNullAndEmptyArrays: true } }, { $project: { _id: 1, n: '$items.n' } }],
      [{ _id: 0, n: 1 }, { _id: 0, n: 2 }, { _id: 1 }, { _id: 2 }],
    ],
    [
      'counts in facets',
      [{ $facet: { all: [{ $count: 'n' }], some: [{ $match: { who: 'b' } }, { $project: { _id: 1 } }] } }],
      [{ all: [{ n: 3 }], some: [{ _id: 1 }] }],
    ],
    [
      'adds computed fields',
      [
        { $match: { _id: 0 } },
        { $addFields: { total: { $sum: '$items.n' }, 'deep.x': { $concat: ['$who', '!'] } } },
        { $project: { items: 0 } },
      ],
      [{ _id: 0, who: 'a', sum: 5, total: 3, deep: { x: 'a!' } }],
    ],
    [
      'skips and limits after a sort',
      [{ $sort: { sum: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { sum: 1 } }],
      [{ _id: 0, sum: 5 }],
    ],
  ];

  test.each(PIPELINES)('%s', async (_sentence, pipeline, expected) => {
    expect(await (await collectionOf(orders)).aggregate(pipeline).toArray()).toEqual(expected);
  });

  test('counts by an indexed field as by any other', async () => {
    const docs = [
      { who: 'a', n: 1 },
      { who: 1, n: 1 },
      { who: 1.5 },
      { who: null, n: 2 },
      { n: 1 },
      { who: 'a' },
      { who: { x: 1 } },
    ];
    const pipeline = [{ $match: { n: { $ne: 2 } } }, { $group: { _id: '$who', members: { $sum: 1 } } }];
    const plain = await collectionOf(docs);
    const indexed = await collectionOf(docs);
    await indexed.createIndexes([{ key: { who: 1 } }, { key: { 'who.x': 1 } }]);
    for (const stages of [
      pipeline,
      pipeline.slice(1),
      [{ $group: { _id: '$who.x', n: { $sum: 1 } } }],
      [{ $limit: 3 }, ...pipeline],
    ]) {
      const expected = await plain.aggregate(stages).toArray();
      const counted = await indexed.aggregate(stages).toArray();
      expect(counted).toHaveLength(expected.length);
      expect(counted).toEqual(expect.arrayContaining(expected));
    }
    expect(await indexed.aggregate(pipeline).toArray()).toContainEqual({ _id: 'a', members: 2 });
  });

  test('joins another collection', async () => {
    const people = await collectionOf([{ name: 'a' }, { name: 'c' }]);
    const joined = await people
      .aggregate([
        {
          $lookup: {
            from: (await collectionOf(orders)).collectionName,
            localField: 'name',
            foreignField: 'who',
            as: 'orders',
            pipeline: [{ $project: { sum: 1, _id: 0 } }],
          },
        },
      ])
      .toArray();
    expect(joined).toEqual([
      { _id: 0, name: 'a', orders: [{ sum: 5 }, { sum: 1.5 }] },
      { _id: 1, name: 'c', orders: [] },
    ]);
  });

  test.each([
    [{ $sort: {} }, 15976],
    [{ $count: 'a.b' }, 2],
    [{ $count: '$a' }, 2],
    [{ $group: { _id: null, 'a.b': { $sum: 1 } } }, 40235],
    [{ $group: { _id: null, a: { $mergeObjects: '$who' } } }, 2],
  ])('refuses the stage %o', async (stage, code) => {
    await expect((await collectionOf(orders)).aggregate([stage]).toArray()).rejects.toMatchObject({ code });
  });

  test.each([['$graphLookup'], ['$geoNear'], ['$changeStream']])(
    'refuses the stage %s and says what to do',
    async (stage) => {
      await expect((await collectionOf([])).aggregate([{ [stage]: {} }]).toArray()).rejects.toMatchObject({
        message: expect.stringContaining('MONGODB_URI'),
      });
    },
  );
});
