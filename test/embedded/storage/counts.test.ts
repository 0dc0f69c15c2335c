import fc from 'fast-check';
import type { mongo } from 'mongoose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { runSize } from '../../services/run-size.ts';
import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';

type Item = { _id: number; owner: unknown; state: unknown; lists?: unknown };

let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
});

afterAll(() => server.close());

afterEach(() => server.client.db('test').dropDatabase());

const items = (name: string) => server.client.db('test').collection<Item>(name);

/** Counts documents by the elements of their lists, of all elements or of some. */
function byElement(name: string, match: mongo.Document, elements?: readonly unknown[]): Promise<mongo.Document[]> {
  const some = elements && { $match: { lists: { $in: elements } } };
  const stages = [
    { $match: match },
    ...(some ? [some] : []),
    { $project: { lists: { $setUnion: ['$lists'] } } },
    { $unwind: '$lists' },
    ...(some ? [some] : []),
    { $group: { _id: '$lists', n: { $sum: 1 } } },
  ];
  return sorted(items(name).aggregate(stages).toArray());
}

function byState(name: string, match: mongo.Document): Promise<mongo.Document[]> {
  const stages = [{ $match: match }, { $group: { _id: '$state', n: { $sum: 1 } } }];
  return sorted(items(name).aggregate(stages).toArray());
}

async function sorted(found: Promise<mongo.Document[]>): Promise<mongo.Document[]> {
  const text = (one: mongo.Document) => JSON.stringify(one);
  return (await found).toSorted((one, other) => (text(one) < text(other) ? -1 : 1));
}

const tables = (): string[] => {
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'n[0-9]*'";
  return server.store.read((reader) => reader.all(sql)).map(({ name }) => String(name));
};

/** Adds ten to all numbers that are kept, so that a test sees which answers come from them. */
async function falsify(): Promise<void> {
  const names = tables();
  await server.store.write((writer) => {
    for (const name of names) writer.run(`UPDATE ${name} SET n = n + 10`);
  });
}

const element = fc.constantFrom<unknown>('a', 'b', 'c', 'd\0e', null);
const lists = fc.oneof(
  { weight: 8, arbitrary: fc.array(element, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, undefined) },
);
const scalar = fc.constantFrom<unknown>('x', 'y', null, 1);
const item = fc.record({ owner: scalar, state: scalar, lists });
const id = fc.integer({ min: 0, max: 9 });
const write = fc.oneof(
  fc.tuple(fc.constant('put' as const), id, item),
  fc.tuple(fc.constant('list' as const), id, lists),
  fc.tuple(fc.constant('own' as const), id, scalar),
  fc.tuple(fc.constant('remove' as const), id, fc.constant(null)),
);

async function apply(name: string, [kind, _id, value]: readonly [string, number, unknown]): Promise<void> {
  const all = items(name);
  if (kind === 'put') await all.replaceOne({ _id }, value as Item, { upsert: true });
  else if (kind === 'list') await all.updateOne({ _id }, { $set: { lists: value } });
  else if (kind === 'own') await all.updateMany({ _id: { $gte: _id } }, { $set: { owner: value } });
  else await all.deleteOne({ _id });
}

describe('a counting index', () => {
  test('answers what documents answer after any writes, and is sound', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 12 }), async (writes) => {
        const [before, after] = [writes.slice(0, writes.length / 2), writes.slice(writes.length / 2)];
        for (const name of ['counted', 'plain']) await items(name).drop();
        for (const name of ['counted', 'plain']) for (const one of before) await apply(name, one);
        await items('counted').createIndexes([
          { key: { owner: 1, lists: 1 }, name: 'counts' },
          { key: { owner: 1, state: 1 }, name: 'counts_of_states' },
        ]);
        for (const name of ['counted', 'plain']) for (const one of after) await apply(name, one);
        for (const owner of ['x', 'y', null, 1]) {
          expect(await byElement('counted', { owner })).toEqual(await byElement('plain', { owner }));
          const some = ['a', 'd\0e', null];
          expect(await byElement('counted', { owner }, some)).toEqual(await byElement('plain', { owner }, some));
        }
        const match = { owner: { $in: ['x', 1] }, state: { $in: ['x', 'y'] } };
        expect(await byState('counted', match)).toEqual(await byState('plain', match));
        expect(await byState('counted', { owner: 'x' })).toEqual(await byState('plain', { owner: 'x' }));
        for (const owned of [{ owner: 'x' }, { owner: { $ne: 'x' }, state: 'y' }, match, { owner: null }]) {
          expect(await items('counted').countDocuments(owned)).toBe(await items('plain').countDocuments(owned));
        }
        expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([]);
      }),
      { numRuns: runSize(20, 1000) },
    );
  });

  test('answers from its numbers, whose damage a check finds', async () => {
    const all = items('falsified');
    await all.createIndexes([
      { key: { owner: 1, lists: 1 }, name: 'counts' },
      { key: { owner: 1, state: 1 }, name: 'counts_of_states' },
    ]);
    await all.insertMany([
      { _id: 0, owner: 1, state: 'x', lists: ['a', 'b'] },
      { _id: 1, owner: 1, state: 'y', lists: ['a', 'a'] },
    ]);
    await falsify();
    expect(await byElement('falsified', { owner: 1 })).toEqual([
      { _id: 'a', n: 12 },
      { _id: 'b', n: 11 },
    ]);
    expect(await byElement('falsified', { owner: 1 }, ['b'])).toEqual([{ _id: 'b', n: 11 }]);
    expect(await byState('falsified', { owner: 1, state: 'x' })).toEqual([{ _id: 'x', n: 11 }]);
    expect(await all.countDocuments({ state: 'x', owner: 1 })).toBe(11);
    expect(await all.countDocuments({ lists: 'a', owner: 1 })).toBe(2);
    expect(await all.countDocuments({ owner: 1 }, { limit: 1 })).toBe(1);
    expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([
      'test.falsified, index counts: its numbers are not those of the documents',
      'test.falsified, index counts_of_states: its numbers are not those of the documents',
    ]);
    await all.drop();
    expect(tables()).toEqual([]);
  });

  test('does not answer for what it does not know', async () => {
    const all = items('unknown');
    await all.createIndex({ owner: 1, lists: 1 }, { name: 'counts' });
    await all.insertMany([
      { _id: 0, owner: 1, state: 'x', lists: ['a', 'b'] },
      { _id: 1, owner: 1, state: 'y', lists: ['a'] },
      { _id: 2, owner: 2, state: 'y', lists: [['a'], 7] },
      { _id: 3, owner: 3, state: 'y', lists: 'a' },
    ]);
    await falsify();
    const [a, b] = [
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ];
    // Conditions on another field, on the list before it is unwound, and on alternatives.
    expect(await byElement('unknown', { owner: 1, state: 'x' })).toEqual([a, b]);
    expect(await byElement('unknown', { owner: 1, lists: 'b' })).toEqual([a, b]);
    expect(await byElement('unknown', { $or: [{ owner: 1, lists: 'b' }, { owner: 4 }] })).toEqual([a, b]);
    expect(await byElement('unknown', { owner: 1, $expr: { $eq: ['$state', 'x'] } })).toEqual([a, b]);
    // Elements that are no strings.
    expect(await byElement('unknown', { owner: 2 })).toEqual([
      { _id: 7, n: 1 },
      { _id: ['a'], n: 1 },
    ]);
    await expect(byElement('unknown', { owner: 3 })).rejects.toThrow('$setUnion');
    await all.drop();
  });

  test('is undone with a transaction, and with a write that a unique index rejects', async () => {
    const all = items('undone');
    await all.createIndexes([
      { key: { owner: 1, lists: 1 }, name: 'counts' },
      { key: { state: 1 }, unique: true },
    ]);
    await all.insertOne({ _id: 0, owner: 1, state: 'x', lists: ['a'] });
    const session = server.client.startSession();
    session.startTransaction();
    await all.insertOne({ _id: 1, owner: 1, state: 'y', lists: ['a', 'b'] }, { session });
    await all.deleteOne({ _id: 0 }, { session });
    expect(await byElement('undone', { owner: 1 })).toEqual([{ _id: 'a', n: 1 }]);
    await session.abortTransaction();
    await session.endSession();
    await expect(all.insertOne({ _id: 2, owner: 1, state: 'x', lists: ['a'] })).rejects.toMatchObject({ code: 11_000 });
    expect(await byElement('undone', { owner: 1 })).toEqual([{ _id: 'a', n: 1 }]);
    expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([]);
    await all.drop();
  });

  test('keeps numbers no longer once several of its paths have arrays', async () => {
    const all = items('several');
    await all.createIndex({ owner: 1, lists: 1 }, { name: 'counts' });
    await all.insertOne({ _id: 0, owner: 1, state: 'x', lists: ['a'] });
    expect(tables()).not.toEqual([]);
    await all.insertOne({ _id: 1, owner: [1, 2], state: 'x', lists: 'b' });
    expect(tables()).toEqual([]);
    await all.insertOne({ _id: 2, owner: 1, state: 'x', lists: ['a'] });
    expect(await byElement('several', { owner: 1, state: 'x', _id: { $ne: 1 } })).toEqual([{ _id: 'a', n: 2 }]);
    await all.dropIndex('counts');
    expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([]);
  });
});
