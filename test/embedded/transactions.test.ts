import { mongo } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { type LocalServer, startLocalServer } from './local-server.ts';
import { rawCommand } from './raw-message.ts';

type Doc = { _id: number; n?: number };

let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
});

afterAll(() => server.close());

const db = () => server.client.db('test');
const items = () => db().collection<Doc>('items');
const others = () => db().collection<Doc>('others');

beforeEach(async () => {
  await Promise.all([items().deleteMany({}), others().deleteMany({})]);
});

/** Runs work in a session that ends after it. */
async function inSession(work: (session: mongo.ClientSession) => Promise<void>): Promise<void> {
  const session = server.client.startSession();
  try {
    await work(session);
  } finally {
    await session.endSession();
  }
}

/** The state of a promise when all that can be done without it is done: a command of another kind has been answered. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void promise.finally(() => {
    settled = true;
  });
  await items().findOne({});
  await items().findOne({});
  return !settled;
}

describe('a transaction', () => {
  test('writes to several collections, and nobody reads any of it before the commit', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await items().insertOne({ _id: 1 }, { session });
      await others().insertOne({ _id: 2 }, { session });
      await items().updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
      expect(await items().countDocuments()).toBe(0);
      expect(await items().find({}, { session }).toArray()).toEqual([{ _id: 1, n: 1 }]);
      await session.commitTransaction();
      expect(await items().find().toArray()).toEqual([{ _id: 1, n: 1 }]);
      expect(await others().find().toArray()).toEqual([{ _id: 2 }]);
    });
  });

  test.each([
    ['aborted', (session: mongo.ClientSession) => session.abortTransaction()],
    ['left by a session that ends', (session: mongo.ClientSession) => session.endSession()],
  ])('that is %s has written nothing', async (_, end) => {
    await items().insertOne({ _id: 1, n: 1 });
    await inSession(async (session) => {
      session.startTransaction();
      await items().updateOne({ _id: 1 }, { $set: { n: 2 } }, { session });
      await db().createCollection('made', { session });
      await items().deleteOne({ _id: 1 }, { session });
      await end(session);
      expect(await items().find().toArray()).toEqual([{ _id: 1, n: 1 }]);
      expect(await db().listCollections({ name: 'made' }).toArray()).toEqual([]);
    });
  });

  test('ends with the first command that fails, and cannot be committed', async () => {
    await items().insertOne({ _id: 1 });
    await inSession(async (session) => {
      session.startTransaction();
      await others().insertOne({ _id: 1 }, { session });
      await expect(items().insertOne({ _id: 1 }, { session })).rejects.toMatchObject({ code: 11000 });
      await expect(others().findOne({}, { session })).rejects.toMatchObject({
        codeName: 'NoSuchTransaction',
        errorLabels: ['TransientTransactionError'],
      });
      await expect(session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
      expect(await others().countDocuments()).toBe(0);
    });
  });

  test('is tried again as a whole where that may help', async () => {
    let tries = 0;
    await inSession(async (session) => {
      await session.withTransaction(async () => {
        tries += 1;
        await items().insertOne({ _id: tries }, { session });
        const fault = new mongo.MongoServerError({ message: 'transient' });
        fault.addErrorLabel('TransientTransactionError');
        if (tries === 1) throw fault;
      });
    });
    expect(await items().find().toArray()).toEqual([{ _id: 2 }]);
  });

  test('lets reads go on, and writes wait until it ends', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      await items().insertOne({ _id: 1, n: 0 }, { session });
      const written = items().insertOne({ _id: 2 });
      const changed = items().updateOne({ _id: 1 }, { $inc: { n: 1 } });
      expect(await isPending(Promise.race([written, changed]))).toBe(true);
      await session.commitTransaction();
      expect((await changed).modifiedCount).toBe(1);
      await written;
      expect(await items().find().sort({ _id: 1 }).toArray()).toEqual([{ _id: 1, n: 1 }, { _id: 2 }]);
    });
  });

  test('reads what others wrote before it, and other transactions come after it', async () => {
    const counts = await Promise.all(
      Array.from({ length: 20 }, async (_, _id) => {
        let count = -1;
        await inSession(async (session) => {
          await session.withTransaction(async () => {
            count = await items().countDocuments({}, { session });
            await items().insertOne({ _id }, { session });
          });
        });
        return count;
      }),
    );
    expect(counts.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  test('has cursors that its later writes do not change', async () => {
    await items().insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id })));
    await inSession(async (session) => {
      session.startTransaction();
      const cursor = items().find({}, { session, batchSize: 10 }).sort({ _id: 1 });
      await cursor.next();
      await items().deleteMany({ _id: { $gte: 100 } }, { session });
      expect(await cursor.toArray()).toHaveLength(299);
      expect(await items().countDocuments({}, { session })).toBe(100);
      await session.commitTransaction();
    });
    expect(await items().countDocuments()).toBe(100);
  });

  test('ends by itself after a while, so that others need not wait for ever', async () => {
    await inSession(async (session) => {
      session.startTransaction();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await items().insertOne({ _id: 1 }, { session });
      const written = items().insertOne({ _id: 2 });
      await vi.advanceTimersByTimeAsync(8000);
      vi.useRealTimers();
      await written;
      await expect(session.commitTransaction()).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
      expect(await items().find().toArray()).toEqual([{ _id: 2 }]);
    });
  });

  test('may be committed again, when the answer was lost, and not aborted after it', async () => {
    const send = transaction();
    await send({ insert: 'items', documents: [{ _id: 1 }], startTransaction: true });
    expect(await send({ commitTransaction: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
    expect(await send({ commitTransaction: 1, $db: 'admin' })).toMatchObject({ ok: 1 });
    expect(await send({ abortTransaction: 1, $db: 'admin' })).toMatchObject({ codeName: 'TransactionCommitted' });
    const again = await send({ insert: 'items', documents: [{ _id: 2 }], startTransaction: true });
    expect(again).toMatchObject({ codeName: 'ConflictingOperationInProgress' });
    expect(await items().countDocuments()).toBe(1);
  });

  test.each([
    ['with a command that transactions do not have', { count: 'items' }, 'OperationNotSupportedInTransaction'],
    ['without a session', { find: 'items', lsid: undefined }, 'InvalidOptions'],
    ['without a number', { find: 'items', txnNumber: undefined }, 'InvalidOptions'],
    ['with automatic commits', { find: 'items', autocommit: undefined }, 'InvalidOptions'],
    ['that has not been started', { find: 'items', startTransaction: undefined }, 'NoSuchTransaction'],
  ])('%s is rejected, and nobody waits for it', async (_, command, codeName) => {
    const [[name, collection] = ['', '']] = Object.entries(command);
    expect(await transaction()({ [name]: collection, startTransaction: true, ...command })).toMatchObject({ codeName });
    await items().insertOne({ _id: 9 });
  });
});

describe('a write that is sent again', () => {
  test('is done once, and answered as at first, while it is under way too', async () => {
    await items().insertOne({ _id: 1, n: 0 });
    const send = session();
    const command = { findAndModify: 'items', query: { _id: 1 }, update: { $inc: { n: 1 } }, new: true };
    const answers = await Promise.all([send(command), send(command)]);
    answers.push(await send(command));
    expect(answers.map(({ value }) => value.n)).toEqual([1, 1, 1]);
  });

  test('is done where it failed before', async () => {
    const send = session();
    const collation = { locale: 'none-such-locale-at-all' };
    expect(await send({ delete: 'items', deletes: [{ q: {}, limit: 1, collation }] })).toMatchObject({ ok: 0 });
    await items().insertOne({ _id: 1 });
    expect(await send({ delete: 'items', deletes: [{ q: {}, limit: 1 }] })).toMatchObject({ ok: 1, n: 1 });
  });

  test('is rejected once the session has written something newer', async () => {
    const send = session();
    await send({ insert: 'items', documents: [{ _id: 1 }], txnNumber: mongo.Long.fromNumber(2) });
    const older = await send({ insert: 'items', documents: [{ _id: 2 }] });
    expect(older).toMatchObject({ codeName: 'TransactionTooOld' });
  });
});

/** Sends commands in a session of a client, with the number of its first write unless they have another. */
function session(fields: mongo.Document = {}): (command: mongo.Document) => Promise<mongo.Document> {
  const known = { lsid: { id: new mongo.UUID() }, txnNumber: mongo.Long.fromNumber(1), $db: 'test', ...fields };
  return (command) => rawCommand(server.socketPath, { ...command, ...without(known, command) });
}

/** Sends the commands of a transaction. */
function transaction(): (command: mongo.Document) => Promise<mongo.Document> {
  return session({ autocommit: false });
}

/** The fields that others do not have; `undefined` removes one. */
function without(fields: mongo.Document, others: mongo.Document): mongo.Document {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in others)));
}
