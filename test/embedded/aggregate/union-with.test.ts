import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

const collectionOf = useCollections();

describe('a $unionWith', () => {
  test('adds the documents of another collection behind those before it', async () => {
    const others = await collectionOf([{ n: 7 }, { n: 8 }]);
    const one = await collectionOf([{ n: 1 }, { n: 2 }]);
    const pipeline = [{ $match: { n: 2 } }, { $unionWith: others.collectionName }, { $project: { _id: 0 } }];
    expect(await one.aggregate(pipeline).toArray()).toEqual([{ n: 2 }, { n: 7 }, { n: 8 }]);
  });

  test('adds what a pipeline makes of them, also where nothing comes before', async () => {
    const others = await collectionOf([{ n: 7 }, { n: 8 }, { n: 9 }], { n: 1 });
    const one = await collectionOf([]);
    const stages = [{ $match: { n: { $gt: 7 } } }, { $limit: 1 }, { $project: { _id: 0, at: { $literal: 1 } } }];
    const union = { $unionWith: { coll: others.collectionName, pipeline: stages } };
    expect(await one.aggregate([union]).toArray()).toEqual([{ at: 1 }]);
    expect(await one.aggregate([union, union, { $count: 'n' }]).toArray()).toEqual([{ n: 2 }]);
  });

  test('adds nothing of a collection that is not there', async () => {
    const one = await collectionOf([{ n: 1 }]);
    expect(await one.aggregate([{ $unionWith: 'nowhere' }]).toArray()).toEqual([{ _id: 0, n: 1 }]);
  });

  test.each([
    ['a number', 1],
    ['no collection', { pipeline: [] }],
    ['a pipeline that is none', { coll: 'others', pipeline: {} }],
    ['a stage that it does not know', { coll: 'others', pipeline: [{ $nothing: 1 }] }],
    ['an argument that it does not have', { coll: 'others', pipelines: [] }],
  ])('is refused for %s', async (_what, $unionWith) => {
    const one = await collectionOf([{ n: 1 }]);
    await expect(one.aggregate([{ $unionWith }]).toArray()).rejects.toThrow(/unionWith|stage/);
  });
});
