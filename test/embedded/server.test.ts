import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { findSqliteEngine } from '../../embedded/storage/sqlite.ts';
import { startLocalServer } from './local-server.ts';
import type { LocalServer } from './local-server.ts';
import { rawMessage } from './raw-message.ts';

const { BSON } = mongo;

let server: LocalServer;

beforeEach(async () => {
  server = await startLocalServer();
});

afterEach(() => server.close());

async function open(): Promise<Socket> {
  const socket = connect(server.socketPath);
  await once(socket, 'connect');
  return socket;
}

/** Everything the server says on a connection until it ends it. */
async function answerOf(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

describe('a malformed message', () => {
  const ping = BSON.serialize({ ping: 1, $db: 'test' });
  const malformed: Array<[string, Buffer]> = [
    ['of a negative length', rawMessage(ping, 2013, -5)],
    ['of a huge length', rawMessage(ping, 2013, 0x7fffffff)],
    ['of an unknown operation', rawMessage(ping, 1234)],
    ['whose body is no BSON', rawMessage(Buffer.from([9, 0, 0, 0, 0x55, 0x41, 0, 1, 0]))],
    ['whose body is longer than the message', rawMessage(Buffer.from([99, 0, 0, 0, 0]))],
    ['with a string that does not end', rawMessage(Buffer.from([14, 0, 0, 0, 2, 0x61, 0, 99, 0, 0, 0, 0x62, 0, 0]))],
    ['without a body', rawMessage(Buffer.alloc(0)).subarray(0, 20).fill(20, 0, 1)],
    ['that nests too deeply', rawMessage(nested(300))],
  ];

  test.each(malformed)('%s ends that connection with an error and nothing else', async (_name, bytes) => {
    const [bad, good] = await Promise.all([open(), open()]);
    bad.write(bytes);
    expect(await answerOf(bad)).toMatch(/errmsg/);
    good.write(rawMessage(ping));
    const [reply] = (await once(good, 'data')) as [Buffer];
    expect(BSON.deserialize(reply.subarray(21))).toEqual({ ok: 1 });
    good.destroy();
  });

  function nested(depth: number): Uint8Array {
    let doc: mongo.Document = { ping: 1 };
    for (let level = 0; level < depth; level += 1) doc = { doc };
    return BSON.serialize(doc);
  }
});

describe('a client that vanishes', () => {
  test('leaves no cursor and no snapshot behind', async () => {
    await server.client
      .db('test')
      .collection('items')
      .insertMany(Array.from({ length: 50 }, (_, n) => ({ n })));
    const socket = await open();
    socket.write(rawMessage(BSON.serialize({ find: 'items', batchSize: 2, $db: 'test' })));
    await once(socket, 'data');
    expect([server.cursors.size, server.store.openSnapshots]).toEqual([1, 1]);
    socket.destroy();
    await expect.poll(() => [server.cursors.size, server.store.openSnapshots]).toEqual([0, 0]);
  });
});

describe('a cursor', () => {
  test('sees the documents as they were when it was opened', async () => {
    const items = server.client.db('test').collection<{ _id: number; n: number }>('items');
    await items.insertMany(Array.from({ length: 30 }, (_, n) => ({ _id: n, n })));
    const cursor = items.find({ n: { $lt: 100 } }, { batchSize: 5, sort: { n: 1 } });
    await cursor.next();
    await items.deleteMany({ _id: { $gte: 20 } });
    await items.updateMany({}, { $inc: { n: 1000 } });
    await items.createIndex({ n: 1 });
    expect((await cursor.toArray()).map(({ n }) => n)).toEqual(Array.from({ length: 29 }, (_, n) => n + 1));
    expect(server.store.openSnapshots).toBe(0);
  });

  test.each([
    [
      'closed early',
      async (items: mongo.Collection) => {
        const cursor = items.find({}, { batchSize: 2 });
        await cursor.next();
        await cursor.close();
      },
    ],
    [
      'ended by its limit',
      async (items: mongo.Collection) => void (await items.find({}, { batchSize: 2, limit: 4 }).toArray()),
    ],
    [
      'of a single batch',
      async (items: mongo.Collection) =>
        void (await items.find({}, { batchSize: 2, singleBatch: true } as object).toArray()),
    ],
    [
      'of a pipeline that stops',
      async (items: mongo.Collection) =>
        void (await items.aggregate([{ $addFields: { a: 1 } }, { $limit: 3 }]).toArray()),
    ],
  ])('%s leaves nothing old to read', async (_name, useUp) => {
    const items = server.client.db('test').collection('items');
    await items.insertMany(Array.from({ length: 30 }, (_, n) => ({ n })));
    await useUp(items);
    await items.insertOne({ n: 30 });
    expect(await items.countDocuments({ n: { $gte: 0 } })).toBe(31);
  });

  test.each([
    { aggregate: 'items', pipeline: [], cursor: { batchSize: -1 } },
    { find: 'items', singleBatch: 'yes' },
  ])('that is asked for wrongly leaves no snapshot open (%o)', async (command) => {
    await expect(server.client.db('test').command(command)).rejects.toThrow('BSON field');
    expect(server.store.openSnapshots).toBe(0);
  });

  test('that is not known is refused as MongoDB does', async () => {
    const command = { getMore: BSON.Long.fromNumber(123), collection: 'items' };
    await expect(server.client.db('test').command(command)).rejects.toMatchObject({
      code: 43,
      codeName: 'CursorNotFound',
    });
  });
});

describe('a command of MongoDB that is not here', () => {
  test.each(['collMod', 'mapReduce', 'renameCollection', 'validate', 'currentOp'])(
    'such as %s is refused with what to do',
    async (name) => {
      await expect(server.client.db('test').command({ [name]: 'items' })).rejects.toMatchObject({
        code: 115,
        message: expect.stringContaining('MONGODB_URI'),
      });
    },
  );

  test('and not in MongoDB either is not known', async () => {
    await expect(server.client.db('test').command({ makeCoffee: 1 })).rejects.toMatchObject({
      code: 59,
      codeName: 'CommandNotFound',
    });
  });
});

describe('a full disk', () => {
  test('is an error to the client, and the file stays sound', async () => {
    let isFull = false;
    const limited = await startLocalServer((sqlite) => {
      if (!isFull) sqlite.exec('PRAGMA max_page_count = 64');
    });
    const items = limited.client.db('test').collection<{ _id: number; text: string }>('items');
    await items.createIndex({ text: 1 });
    const stored: number[] = [];
    let failure: unknown;
    for (let _id = 0; failure === undefined && _id < 1000; _id += 1) {
      await items.insertOne({ _id, text: `${_id}`.padEnd(2000, 'x') }).then(
        () => stored.push(_id),
        (error) => (failure = error),
      );
    }
    expect(failure).toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
    isFull = true;
    expect((await items.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(stored);
    await items.deleteMany({ _id: { $lt: 5 } });
    await items.insertOne({ _id: 5000, text: 'fits again' });
    const sqlite = findSqliteEngine().open(limited.file);
    expect(sqlite.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    sqlite.close();
    await limited.close();
  });

  test('ends the making of an index with the same error', async () => {
    const limited = await startLocalServer((sqlite) => sqlite.exec('PRAGMA max_page_count = 500'));
    const items = limited.client.db('test').collection<{ _id: number; text: string }>('items');
    await items.insertMany(Array.from({ length: 300 }, (_, _id) => ({ _id, text: `${_id}`.padEnd(2500, 'x') })));
    await expect(items.createIndex({ text: 1 })).rejects.toMatchObject({ code: 14031, codeName: 'OutOfDiskSpace' });
    expect((await items.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    expect(await items.countDocuments()).toBe(300);
    await limited.close();
  });
});
