import type { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';

let server: LocalServer;
let trips: mongo.Collection<mongo.Document>;

beforeAll(async () => {
  server = await startLocalServer();
  trips = server.client.db('test').collection('trips');
  await trips.createIndexes([{ key: { vehicle: 1, started: -1 }, name: 'vehicle_started' }, { key: { tags: 1 } }]);
  await trips.insertMany(
    Array.from({ length: 300 }, (_, n) => ({ vehicle: n % 3, started: n, tags: [`t${n % 2}`], note: `n${n}` })),
  );
});

afterAll(() => server.close());

describe('explain', () => {
  test('names the index and finds examined equal to returned on an indexed range with a sort', async () => {
    const plan = await trips
      .find({ vehicle: 1, started: { $gte: 30, $lt: 90 } })
      .sort({ started: -1 })
      .explain('executionStats');
    expect(plan.queryPlanner.winningPlan).toMatchObject({
      stage: 'FETCH',
      inputStage: { stage: 'IXSCAN', indexName: 'vehicle_started', keyPattern: { vehicle: 1, started: -1 } },
    });
    expect(plan.executionStats).toMatchObject({ nReturned: 20, totalKeysExamined: 20, totalDocsExamined: 20 });
  });

  test('stops at the limit of a sorted index', async () => {
    const plan = await trips.find({ vehicle: 2 }).sort({ started: -1 }).limit(5).explain('executionStats');
    expect(plan.executionStats).toMatchObject({ nReturned: 5, totalDocsExamined: 5 });
  });

  test('shows a scan of the collection for a path without an index', async () => {
    const plan = await trips.find({ note: 'n7' }).explain('executionStats');
    expect(plan.queryPlanner.winningPlan).toMatchObject({ stage: 'COLLSCAN' });
    expect(plan.executionStats).toMatchObject({ nReturned: 1, totalDocsExamined: 300, totalKeysExamined: 0 });
  });

  test('shows a sort that no index gives', async () => {
    const plan = await trips.find({ vehicle: 1 }).sort({ note: 1 }).explain('queryPlanner');
    expect(plan.queryPlanner.winningPlan).toMatchObject({ stage: 'SORT', inputStage: { stage: 'FETCH' } });
  });

  test('looks values of a unique key up, however few have a value of another index', async () => {
    await trips.createIndex({ note: 1 }, { unique: true });
    const notes = Array.from({ length: 40 }, (_, n) => `n${3 * n + 1}`);
    const plan = await trips.find({ note: { $in: notes }, $and: [{ vehicle: 1 }] }).explain('executionStats');
    expect(plan.queryPlanner.winningPlan).toMatchObject({ inputStage: { indexName: 'note_1' } });
    expect(plan.executionStats).toMatchObject({ nReturned: 40, totalKeysExamined: 40 });
    const sorted = trips
      .find({ note: { $in: notes }, vehicle: 1, tags: 't0' })
      .sort({ started: -1 })
      .limit(2);
    expect((await sorted.toArray()).map(({ started }) => started)).toEqual([118, 112]);
    await trips.dropIndex('note_1');
  });

  test('names an index on arrays', async () => {
    const plan = await trips.find({ tags: 't1' }).explain('executionStats');
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('"indexName":"tags_1"');
    expect(plan.executionStats).toMatchObject({ nReturned: 150, totalDocsExamined: 150 });
  });

  test('names the index by which an expression asks for a value', async () => {
    const both = { $and: [{ $eq: ['$vehicle', '$$which'] }, { $eq: [7, '$started'] }, { $ne: ['$note', 'n8'] }] };
    const plan = await trips.find({ $expr: both }, { let: { which: 1 } }).explain('executionStats');
    expect(plan.queryPlanner.winningPlan).toMatchObject({ inputStage: { indexName: 'vehicle_started' } });
    expect(plan.executionStats).toMatchObject({ nReturned: 1, totalDocsExamined: 1 });
  });

  test('reads the front of an aggregation', async () => {
    const plan = await trips
      .aggregate([{ $match: { vehicle: 1 } }, { $group: { _id: '$vehicle' } }])
      .explain('queryPlanner');
    expect(plan.queryPlanner.winningPlan).toMatchObject({ inputStage: { indexName: 'vehicle_started' } });
  });

  test('reads what has an element in the order of the index, and stops at the limit', async () => {
    const devices = server.client.db('test').collection('devices');
    await devices.createIndex({ account: 1, words: 1, _id: 1 }, { name: 'words_of_account' });
    await devices.insertMany(
      Array.from({ length: 300 }, (_, n) => ({ account: n % 2, words: ['all', `tenth-${n % 10}`], n })),
    );
    const page = devices
      .find({ account: 0, words: { $all: ['all', 'tenth-4'] } })
      .sort({ _id: -1 })
      .limit(5);
    const plan = await page.explain('executionStats');
    expect(plan.queryPlanner.winningPlan).toMatchObject({
      stage: 'LIMIT',
      inputStage: { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'words_of_account' } },
    });
    expect(plan.executionStats).toMatchObject({ nReturned: 5, totalKeysExamined: 5, totalDocsExamined: 5 });
    expect(await page.project({ n: 1, _id: 0 }).toArray()).toEqual([294, 284, 274, 264, 254].map((n) => ({ n })));
  });

  test('only tests elements where a unique key finds the document', async () => {
    const devices = server.client.db('test').collection('devices');
    await devices.insertMany(Array.from({ length: 20 }, (_, n) => ({ _id: n as never, account: 1, words: ['one'] })));
    const plan = await devices.find({ _id: 7 as never, words: 'one' }).explain('executionStats');
    expect(plan.queryPlanner.winningPlan).toMatchObject({
      stage: 'FETCH',
      inputStage: { stage: 'IXSCAN', indexName: '_id_' },
    });
    expect(plan.executionStats).toMatchObject({ nReturned: 1, totalDocsExamined: 1 });
  });
});
