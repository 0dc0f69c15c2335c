import { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { backupEmbeddedDatabase } from '../../../embedded/backup.ts';
import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { expireDocuments } from '../../../embedded/expire-documents.ts';
import { findCollection } from '../../../embedded/storage/collections.ts';
import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { Store } from '../../../embedded/storage/store.ts';
import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';

type Doc = { _id: number; text?: string; tags?: string[] };

/** Bytes of a document with an integer `_id` and no other field. */
const SMALL = 14;

let server: LocalServer;
let made = 0;

beforeAll(async () => {
  server = await startLocalServer();
});

afterAll(() => server.close());

const db = () => server.client.db('test');

async function capped(options: { size: number; max?: number }, docs: Doc[] = []): Promise<mongo.Collection<Doc>> {
  const collection = await db().createCollection<Doc>(`capped${made++}`, { capped: true, ...options });
  if (docs.length > 0) await collection.insertMany(docs);
  return collection;
}

const numbered = (count: number, first = 0): Doc[] => Array.from({ length: count }, (_, n) => ({ _id: first + n }));

const idsOf = async (collection: mongo.Collection<Doc>) => (await collection.find().toArray()).map(({ _id }) => _id);

/** Expects that a file has no fault, the numbers of capped collections among them. */
function expectSound(): void {
  expect(checkEmbeddedDatabase(server.file, () => {})).toEqual([]);
}

describe('a capped collection', () => {
  test('keeps as many of the newest documents as its maximum, in the order of their insertion', async () => {
    const log = await capped({ size: 100_000, max: 3 }, [{ _id: 9 }, { _id: 1 }]);
    expect(await idsOf(log)).toEqual([9, 1]);
    await log.insertMany([{ _id: 8 }, { _id: 2 }]);
    await log.insertOne({ _id: 7 });
    expect(await idsOf(log)).toEqual([8, 2, 7]);
    expectSound();
  });

  test('keeps as many of the newest documents as its size has room for', async () => {
    const log = await capped({ size: SMALL * 10 }, numbered(25));
    expect(await idsOf(log)).toEqual(numbered(10, 15).map(({ _id }) => _id));
    await log.insertOne({ _id: 100, text: 'x'.repeat(SMALL * 8) });
    expect(await idsOf(log)).toEqual([100]);
    await log.insertMany(numbered(2, 200));
    expect(await idsOf(log)).toEqual([200, 201]);
    expectSound();
  });

  test('removes the keys of what it removes', async () => {
    const log = await capped({ size: 100_000, max: 2 });
    await log.createIndex({ tags: 1, text: 1 });
    for (const _id of [0, 1, 2, 3]) await log.insertOne({ _id, text: 'same', tags: ['a', `b${_id}`] });
    expect(await log.countDocuments({ tags: 'a' })).toBe(2);
    expect(await log.countDocuments({ tags: 'b0' })).toBe(0);
    await log.insertOne({ _id: 0 });
    expectSound();
  });

  test('takes upserts and merged documents as it takes others', async () => {
    const log = await capped({ size: 100_000, max: 2 }, numbered(2));
    await log.updateOne({ _id: 2 }, { $set: { text: 'x' } }, { upsert: true });
    await log.findOneAndUpdate({ _id: 3 }, { $set: { text: 'x' } }, { upsert: true });
    expect(await idsOf(log)).toEqual([2, 3]);
    const source = await capped({ size: 100_000 }, numbered(1, 4));
    await source.aggregate([{ $merge: log.collectionName }]).toArray();
    expect(await idsOf(log)).toEqual([3, 4]);
    await expect(source.aggregate([{ $out: log.collectionName }]).toArray()).rejects.toMatchObject({ code: 17152 });
    expectSound();
  });

  test('rejects a document for which it has no room, and keeps the others', async () => {
    const log = await capped({ size: SMALL * 2 }, numbered(2));
    const large = log.insertOne({ _id: 2, text: 'x'.repeat(SMALL * 2) });
    await expect(large).rejects.toMatchObject({ code: 10334, codeName: 'BSONObjectTooLarge' });
    await expect(log.insertOne({ _id: 1 })).rejects.toMatchObject({ code: 11000 });
    expect(await idsOf(log)).toEqual([0, 1]);
    expectSound();
  });

  test('is listed with its options', async () => {
    const [both, size] = [await capped({ size: 4096, max: 10 }), await capped({ size: 1 })];
    expect(await both.options()).toEqual({ capped: true, size: 4096, max: 10 });
    expect(await size.options()).toEqual({ capped: true, size: 1 });
    expect(await both.isCapped()).toBe(true);
    const plain = await db().createCollection('plain');
    expect([await plain.options(), await plain.isCapped()]).toEqual([{}, false]);
  });

  test('is dropped with its limits', async () => {
    const log = await capped({ size: 100_000, max: 1 }, numbered(3));
    await log.drop();
    await log.insertMany(numbered(3));
    expect(await idsOf(log)).toEqual([0, 1, 2]);
    expect(await log.isCapped()).toBe(false);
    await log.deleteOne({ _id: 1 });
    expectSound();
  });

  test('is backed up with its limits', async () => {
    const log = await capped({ size: 1000, max: 2 }, numbered(3));
    const copy = `${server.file}.copy`;
    await backupEmbeddedDatabase(server.file, copy);
    expect(checkEmbeddedDatabase(copy, () => {})).toEqual([]);
    const store = new Store(findSqliteEngine(), copy);
    const found = store.read((reader) => findCollection(reader, 'test', log.collectionName));
    expect(found?.capped).toEqual({ size: 1000, max: 2 });
    store.close();
  });

  test('exists already where its name is taken', async () => {
    const { collectionName } = await capped({ size: 100 });
    const again = db().createCollection(collectionName, { capped: true, size: 100 });
    await expect(again).rejects.toMatchObject({ code: 48, codeName: 'NamespaceExists' });
  });
});

describe('a change in a capped collection', () => {
  const changes: Array<[string, (log: mongo.Collection<Doc>) => Promise<unknown>]> = [
    ['an update', (log) => log.updateOne({ _id: 1 }, { $set: { text: 'x' } })],
    ['an update of several', (log) => log.updateMany({}, { $set: { text: 'x' } })],
    ['a replacement', (log) => log.replaceOne({ _id: 1 }, { text: 'x' })],
    ['an upsert of what is there', (log) => log.updateOne({ _id: 1 }, { $set: { text: 'x' } }, { upsert: true })],
    ['a deletion', (log) => log.deleteOne({ _id: 1 })],
    ['a deletion of all', (log) => log.deleteMany({})],
    ['findAndModify', (log) => log.findOneAndUpdate({ _id: 1 }, { $set: { text: 'x' } })],
    ['findAndModify that removes', (log) => log.findOneAndDelete({ _id: 1 })],
    ['a merge', (log) => log.aggregate([{ $set: { text: 'x' } }, { $merge: log.collectionName }]).toArray()],
  ];

  test.each(changes)('is rejected and changes nothing: %s', async (_name, change) => {
    const log = await capped({ size: 1000 }, numbered(3));
    await expect(change(log)).rejects.toMatchObject({ code: 115, message: expect.stringContaining('MONGODB_URI') });
    expect(await log.find().toArray()).toEqual(numbered(3));
  });

  const writes: Array<[string, (log: mongo.Collection<Doc>, session: mongo.ClientSession) => Promise<unknown>]> = [
    ['an insertion', (log, session) => log.insertOne({ _id: 7 }, { session })],
    ['an update', (log, session) => log.updateOne({ _id: 1 }, { $set: { text: 'x' } }, { session })],
    ['an upsert', (log, session) => log.updateOne({ _id: 7 }, { $set: { text: 'x' } }, { session, upsert: true })],
    ['a deletion', (log, session) => log.deleteOne({ _id: 1 }, { session })],
  ];

  test.each(writes)('is rejected in a transaction: %s', async (_name, write) => {
    const log = await capped({ size: 1000 }, numbered(3));
    await server.client.withSession(async (session) => {
      session.startTransaction();
      await expect(write(log, session)).rejects.toMatchObject({ code: 263 });
      await session.abortTransaction();
    });
    await log.insertOne({ _id: 3 });
    expect(await idsOf(log)).toEqual([0, 1, 2, 3]);
  });

  test('is not made by an index that expires documents', async () => {
    const log = await capped({ size: 1000 });
    const index = log.createIndex({ text: 1 }, { expireAfterSeconds: 1 });
    await expect(index).rejects.toMatchObject({ code: 67, codeName: 'CannotCreateIndex' });
    await log.insertOne({ _id: 1, text: new Date(0) as never });
    await log.createIndex({ text: 1 });
    // As an older version makes it, which does not know that the collection is capped.
    await server.store.write((writer) => {
      const sql =
        'UPDATE indexes SET spec = ? WHERE name = ? AND collection = (SELECT id FROM collections WHERE name = ?)';
      const spec = mongo.BSON.serialize({ v: 2, key: { text: 1 }, name: 'text_1', expireAfterSeconds: 1 });
      writer.run(sql, spec, 'text_1', log.collectionName);
      writer.touchCatalog(Number(writer.get('SELECT id FROM collections WHERE name = ?', log.collectionName)?.id));
    });
    expect(await server.store.write((writer) => expireDocuments(writer, new Date()))).toBe(0);
    expect(await idsOf(log)).toEqual([1]);
  });
});

describe('create', () => {
  test.each([
    [{ capped: true }, 72, "the 'size' field is required when 'capped' is true"],
    [{ capped: true, max: 5 }, 72, "the 'size' field is required when 'capped' is true"],
    [{ size: 100 }, 72, "the 'capped' field needs to be true when either the 'size' or 'max' fields are present"],
    [{ max: 5 }, 72, "the 'capped' field needs to be true"],
    [{ capped: false, size: 100 }, 72, "the 'capped' field needs to be true"],
    [{ capped: true, size: 0 }, 51024, 'must be >= 1'],
    [{ capped: true, size: -5 }, 51024, 'must be >= 0'],
    [{ capped: true, size: 100, max: -5 }, 51024, 'must be >= 0'],
    [{ capped: true, size: '100' }, 14, "BSON field 'size' is the wrong type 'string'"],
    [{ capped: 'yes', size: 100 }, 14, "BSON field 'capped' is the wrong type 'string'"],
  ])('rejects %o', async (options, code, message) => {
    const command = db().command({ create: 'wrong', ...options });
    await expect(command).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(await db().listCollections({ name: 'wrong' }).toArray()).toEqual([]);
  });
});

describe('the check of a file', () => {
  test('finds wrong numbers of a capped collection', async () => {
    const log = await capped({ size: 1000 }, numbered(3));
    await server.store.write((writer) => writer.run('UPDATE capped SET documents = documents + 1 WHERE size = 1000'));
    expect(checkEmbeddedDatabase(server.file, () => {})).toContainEqual(
      `test.${log.collectionName}: the numbers of its bytes and documents are wrong`,
    );
    await server.store.write((writer) => writer.run('UPDATE capped SET bytes = 9999 WHERE size = 1000'));
    await log.insertOne({ _id: 3 });
    expect(await idsOf(log)).toEqual([3]);
    await log.drop();
  });

  test('finds none where an older version has changed documents', async () => {
    const log = await capped({ size: 1000 }, numbered(3));
    await server.store.write((writer) => {
      const id = Number(writer.get('SELECT id FROM collections WHERE name = ?', log.collectionName)?.id);
      writer.run(`DELETE FROM c${id} WHERE id = 2`);
      writer.run(`UPDATE c${id} SET doc = x'0500000000', s0 = NULL WHERE id = 1`);
      const numbers = writer.get('SELECT bytes, documents FROM capped WHERE collection = ?', id);
      expect(numbers).toEqual({ bytes: SMALL + 5, documents: 2 });
    });
    await log.drop();
  });
});
