import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { LOOK_MS } from '../../../embedded/storage/arrivals.ts';
import { connected } from '../embedded-connection.ts';
import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';
import { startServerProcess } from '../server-process.ts';

type Doc = { _id: number; kind?: string; list?: number[] };

/** More than a test may last: a cursor that nobody wakes fails it. */
const LONG_MS = 600_000;

const AWAITING = { tailable: true, awaitData: true, maxAwaitTimeMS: LONG_MS };

let server: LocalServer;
let log: mongo.Collection<Doc>;

beforeEach(async () => {
  server = await startLocalServer();
  log = await makeLog(server.client);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

function makeLog(client: mongo.MongoClient, max = 10): Promise<mongo.Collection<Doc>> {
  return client.db('test').createCollection<Doc>('log', { capped: true, size: 1_000_000, max });
}

const numbered = (count: number, first = 0): Doc[] => Array.from({ length: count }, (_, n) => ({ _id: first + n }));

/** Calls work when a getMore of the server waits for documents. */
function whenAwaited(): () => Promise<void> {
  const wait = vi.spyOn(server.store.arrivals, 'wait');
  return () => expect.poll(() => wait.mock.calls.length, { interval: 1 }).toBeGreaterThan(0);
}

/** A cursor that has returned the documents that are there, and its next document, for which it waits. */
async function awaitNext(filter: mongo.Filter<Doc> = {}, options: mongo.FindOptions = AWAITING) {
  const awaited = whenAwaited();
  const cursor = log.find(filter, options);
  const next = cursor.next();
  next.catch(() => undefined);
  await awaited();
  return { cursor, next };
}

/** Opens a cursor by a command; returns its first documents and its id. */
async function openCursor(options: mongo.Document = {}): Promise<{ firstBatch: Doc[]; id: mongo.Long }> {
  const command = { find: 'log', tailable: true, ...options };
  const { cursor } = await server.client.db('test').command(command, { promoteLongs: false });
  return cursor;
}

/** Gets the next batch of a cursor by a command. */
async function getMore(id: mongo.Long, options: mongo.Document = {}): Promise<{ nextBatch: Doc[]; id: mongo.Long }> {
  const command = { getMore: id, collection: 'log', ...options };
  const { cursor } = await server.client.db('test').command(command, { promoteLongs: false });
  return cursor;
}

const isAlive = ({ id }: { id: mongo.Long }) => id.toBigInt() !== 0n;

describe('a tailable cursor', () => {
  test('returns the documents in the order of their insertion, and those that come later', async () => {
    await log.insertMany([{ _id: 5 }, { _id: 3 }, { _id: 9 }]);
    const { firstBatch, id } = await openCursor({ batchSize: 2 });
    expect(firstBatch).toEqual([{ _id: 5 }, { _id: 3 }]);
    await log.insertMany([{ _id: 1 }, { _id: 8 }]);
    expect((await getMore(id, { batchSize: 1 })).nextBatch).toEqual([{ _id: 9 }]);
    expect((await getMore(id)).nextBatch).toEqual([{ _id: 1 }, { _id: 8 }]);
    const nothing = await getMore(id);
    expect([nothing.nextBatch, isAlive(nothing)]).toEqual([[], true]);
    await log.insertOne({ _id: 2 });
    expect((await getMore(id)).nextBatch).toEqual([{ _id: 2 }]);
  });

  test('has its filter, projection, skip and limit', async () => {
    await log.createIndex({ list: 1 });
    await log.insertMany(numbered(3).map(({ _id }) => ({ _id, kind: _id === 1 ? 'b' : 'a', list: [_id, 7] })));
    const options = {
      filter: { kind: 'a', list: 7 },
      projection: { kind: 1 },
      sort: { $natural: 1 },
      skip: 1,
      limit: 2,
    };
    const first = await openCursor(options);
    expect([first.firstBatch, isAlive(first)]).toEqual([[{ _id: 2, kind: 'a' }], true]);
    await log.insertMany(numbered(3, 3).map(({ _id }) => ({ _id, kind: 'a', list: [7] })));
    const last = await getMore(first.id);
    expect([last.nextBatch, isAlive(last)]).toEqual([[{ _id: 3, kind: 'a' }], false]);
  });

  test('holds no snapshot between batches', async () => {
    await log.insertMany(numbered(5));
    await openCursor({ batchSize: 2 });
    await openCursor({ batchSize: 0 });
    expect([server.cursors.size, server.store.openSnapshots]).toEqual([2, 0]);
  });

  test('visits many documents in several turns', async () => {
    await log.drop();
    log = await makeLog(server.client, 10_000);
    await log.insertMany(numbered(4500));
    await log.insertOne({ _id: 4500, kind: 'rare' });
    expect(await log.find({ kind: 'rare' }, AWAITING).next()).toEqual({ _id: 4500, kind: 'rare' });
  });

  test.each([
    ['an empty collection', () => log.collectionName],
    ['a collection that is not there', () => 'missing'],
  ])('of %s is over at once', async (_name, collection) => {
    const { cursor } = await server.client.db('test').command({ find: collection(), tailable: true, awaitData: true });
    expect(cursor).toMatchObject({ id: 0, firstBatch: [] });
    expect(await server.client.db('test').collection(collection()).find({}, AWAITING).toArray()).toEqual([]);
    expect(server.cursors.size).toBe(0);
  });

  test('has lost its place where that document is overwritten', async () => {
    await log.insertMany(numbered(3));
    const { id } = await openCursor();
    await log.insertMany(numbered(9, 3));
    expect((await getMore(id, { batchSize: 2 })).nextBatch).toEqual(numbered(2, 3));
    await log.insertMany(numbered(10, 12));
    await expect(getMore(id)).rejects.toMatchObject({ code: 136, codeName: 'CappedPositionLost' });
    await expect(getMore(id)).rejects.toMatchObject({ code: 43, codeName: 'CursorNotFound' });
  });

  test('is over where its collection is dropped', async () => {
    await log.insertOne({ _id: 1 });
    const { id } = await openCursor();
    await log.drop();
    log = await makeLog(server.client);
    await log.insertMany(numbered(3));
    await expect(getMore(id)).rejects.toMatchObject({ code: 175, codeName: 'QueryPlanKilled' });
    expect(server.cursors.size).toBe(0);
  });

  test.each([
    [{ find: 'plain', tailable: true }, 2, 'tailable cursor requested on non capped collection'],
    [{ find: 'plain', tailable: true, awaitData: true }, 2, 'error processing query'],
    [{ find: 'log', awaitData: true }, 9, "Cannot set 'awaitData' without also setting 'tailable'"],
    [{ find: 'log', tailable: true, sort: { _id: 1 } }, 2, 'sort other than {$natural: 1}'],
    [{ find: 'log', tailable: true, sort: { $natural: -1 } }, 2, 'sort other than {$natural: 1}'],
    [{ find: 'log', tailable: true, singleBatch: true }, 2, "'singleBatch' option"],
  ])('is rejected by %o', async (command, code, message) => {
    await server.client.db('test').collection<Doc>('plain').insertOne({ _id: 1 });
    await log.insertOne({ _id: 1 });
    const found = server.client.db('test').command(command);
    await expect(found).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  test('is rejected in a transaction', async () => {
    await log.insertOne({ _id: 1 });
    await server.client.withSession(async (session) => {
      session.startTransaction();
      await expect(log.find({}, { ...AWAITING, session }).next()).rejects.toMatchObject({ code: 263 });
      await session.abortTransaction();
    });
  });
});

describe('a cursor that awaits documents', () => {
  beforeEach(async () => {
    await log.insertOne({ _id: 0, kind: 'first' });
  });

  const awaited = { kind: { $ne: 'first' } };

  test('gets one as soon as another connection has inserted it', async () => {
    const { cursor, next } = await awaitNext(awaited);
    await log.insertOne({ _id: 1 });
    expect(await next).toEqual({ _id: 1 });
    await cursor.close();
  });

  test('gets the one that its filter wants, and not before', async () => {
    const { cursor, next } = await awaitNext({ kind: 'wanted' });
    await log.insertMany([{ _id: 1, kind: 'other' }, { _id: 2 }]);
    await log.insertOne({ _id: 3, kind: 'wanted' });
    expect(await next).toEqual({ _id: 3, kind: 'wanted' });
    await cursor.close();
  });

  test('gets one that a process of its own has inserted in the same file', async () => {
    const { cursor, next } = await awaitNext(awaited);
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
    const other = await startServerProcess(server.file, folder);
    const client = await new mongo.MongoClient(other.uri).connect();
    await client.db('test').collection<Doc>('log').insertOne({ _id: 1, kind: 'from afar' });
    expect(await next).toEqual({ _id: 1, kind: 'from afar' });
    await cursor.close();
    await client.close();
    await other.kill();
    await rm(folder, { recursive: true });
  });

  test('is alive after an empty answer when its time is over', async () => {
    const { id } = await openCursor({ awaitData: true });
    const nothing = await getMore(id, { maxTimeMS: 1 });
    expect([nothing.nextBatch, isAlive(nothing)]).toEqual([[], true]);
    const more = getMore(id, { maxTimeMS: LONG_MS });
    await log.insertOne({ _id: 1 });
    expect((await more).nextBatch).toEqual([{ _id: 1 }]);
  });

  test('has an empty answer after a second where it says no time', async () => {
    const { cursor, next } = await awaitNext(awaited, { tailable: true, awaitData: true });
    const ms = vi.mocked(server.store.arrivals.wait).mock.calls[0]?.[0];
    expect(ms).toBeGreaterThan(500);
    expect(ms).toBeLessThanOrEqual(1000);
    await log.insertOne({ _id: 1 });
    await next;
    await cursor.close();
  });

  test('lets other connections read and write, and is not woken by other collections', async () => {
    const { cursor, next } = await awaitNext(awaited);
    const wake = vi.spyOn(server.store.arrivals, 'wake');
    const others = server.client.db('test').collection<Doc>('others');
    await others.insertMany(numbered(20));
    await others.updateMany({}, { $set: { kind: 'x' } });
    expect(await others.countDocuments({ kind: 'x' })).toBe(20);
    expect(wake).not.toHaveBeenCalled();
    await log.insertOne({ _id: 1 });
    expect(await next).toEqual({ _id: 1 });
    expect(wake).toHaveBeenCalledOnce();
    await cursor.close();
  });

  test('is woken by no write that is undone', async () => {
    const { cursor, next } = await awaitNext(awaited);
    await expect(log.insertOne({ _id: 0 })).rejects.toMatchObject({ code: 11000 });
    await log.insertOne({ _id: 1 });
    expect(await next).toEqual({ _id: 1 });
    await cursor.close();
  });

  const ends: Array<[string, () => Promise<unknown>, object]> = [
    ['its document is overwritten', () => log.insertMany(numbered(20, 1)), { codeName: 'CappedPositionLost' }],
    ['its collection is dropped', () => log.drop(), { codeName: 'QueryPlanKilled' }],
    ['all documents are dropped', () => server.client.db('test').dropDatabase(), { codeName: 'QueryPlanKilled' }],
    ['it is killed', () => killAll(), { codeName: 'CursorKilled' }],
    ['it is not used for too long', async () => server.cursors.killUnused(Infinity), { codeName: 'CursorKilled' }],
  ];

  async function killAll(): Promise<void> {
    const cursors = spiedIds();
    const killed = await server.client.db('test').command({ killCursors: 'log', cursors });
    expect(killed.cursorsKilled).toHaveLength(1);
  }

  /** The ids of the cursors for which a getMore was sent. */
  function spiedIds(): mongo.Long[] {
    const calls = vi.mocked(server.cursors.next).mock.calls;
    return [...new Set(calls.map(([id]) => id))].map((id) => mongo.Long.fromBigInt(id));
  }

  test.each(ends)('ends with an error where %s', async (_name, end, error) => {
    vi.spyOn(server.cursors, 'next');
    const { next } = await awaitNext(awaited);
    await end();
    await expect(next).rejects.toMatchObject(error);
    expect(server.cursors.size).toBe(0);
  });

  test('ends with its client, and leaves no timer', async () => {
    const client = await new mongo.MongoClient(
      `mongodb://${encodeURIComponent(server.socketPath)}/?directConnection=true`,
    ).connect();
    const isWaited = whenAwaited();
    const timers = ['Interval', 'Timeout'] as const;
    const started = timers.map((kind) => vi.spyOn(globalThis, `set${kind}`));
    const cleared = timers.map((kind) => vi.spyOn(globalThis, `clear${kind}`));
    const next = client.db('test').collection<Doc>('log').find(awaited, AWAITING).next();
    next.catch(() => undefined);
    await isWaited();
    const [looking, ending] = started.map(({ mock }, place) => {
      const isOwn = (ms: unknown) => (place === 0 ? ms === LOOK_MS : Number(ms) > LONG_MS / 2);
      return mock.results[mock.calls.findIndex(([, ms]) => isOwn(ms))]?.value;
    });
    expect([looking, ending]).not.toContain(undefined);
    await client.close(true);
    await expect(next).rejects.toThrow();
    await expect.poll(() => server.cursors.size).toBe(0);
    expect(cleared[0]).toHaveBeenCalledWith(looking);
    expect(cleared[1]).toHaveBeenCalledWith(ending);
  });

  test('ends when it is closed by its client', async () => {
    const { cursor, next } = await awaitNext(awaited);
    await cursor.close();
    expect(await next.catch(() => null)).toBe(null);
    expect(server.cursors.size).toBe(0);
  });
});

describe('a database that runs in its thread', () => {
  test('ends while a cursor awaits documents, and has them all when it starts again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
    const file = join(folder, 'test.db');
    const first = await startEmbeddedDatabase({ file });
    const client = new mongo.MongoClient(first.uri, { serverSelectionTimeoutMS: 100, monitorCommands: true });
    const asked = new Promise((settle) => {
      client.on('commandStarted', ({ commandName }) => commandName === 'getMore' && settle(commandName));
    });
    await connected(client);
    const own = await makeLog(client);
    await own.insertMany(numbered(12));
    const cursor = own.find({ _id: { $gte: 11 } }, AWAITING);
    expect(await cursor.next()).toEqual({ _id: 11 });
    const next = cursor.next();
    next.catch(() => undefined);
    await asked;
    await client.db('test').command({ ping: 1 });
    await first.close();
    await expect(next).rejects.toThrow();
    await client.close(true);

    const second = await startEmbeddedDatabase({ file });
    const again = await new mongo.MongoClient(second.uri).connect();
    const kept = again.db('test').collection<Doc>('log');
    expect(await kept.options()).toEqual({ capped: true, size: 1_000_000, max: 10 });
    await kept.insertOne({ _id: 12 });
    expect(await kept.find().toArray()).toEqual(numbered(10, 3));
    await again.close();
    await second.close();
    await rm(folder, { recursive: true });
  });
});
