import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { runSize } from '../../services/run-size.ts';
import { connected } from '../embedded-connection.ts';
import { startServerProcess } from '../server-process.ts';

interface Item {
  _id: number;
  serial: string;
  tags: string[];
  group: number;
  hits: number;
}

const ROUNDS = runSize(6, 20);
const WRITERS = 8;

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  file = join(folder, 'test.db');
});

afterEach(() => rm(folder, { recursive: true }));

async function withClient<T>(
  uri: string,
  work: (items: mongo.Collection<Item>, client: mongo.MongoClient) => Promise<T>,
): Promise<T> {
  const client = new mongo.MongoClient(uri, { serverSelectionTimeoutMS: 1000 });
  try {
    await connected(client);
    return await work(client.db('test').collection<Item>('items'), client);
  } finally {
    await atMost(500, client.close());
  }
}

/** Waits no longer than this: the driver waits for ever where the server dies while it writes to it. */
function atMost(milliseconds: number, work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work, new Promise((resolve) => setTimeout(resolve, milliseconds).unref())]);
}

function item(_id: number): Item {
  return { _id, serial: `s${_id}`, tags: [`t${_id % 7}`, `t${_id % 5}`], group: _id % 10, hits: 0 };
}

/** The state that a file must have after any event: every index finds what a scan finds. */
async function expectSound(items: mongo.Collection<Item>): Promise<void> {
  const all = await items.find().toArray();
  const ids = (found: Item[]) => found.map(({ _id }) => _id).sort((a, b) => a - b);
  for (const group of Array(10).keys()) {
    expect(ids(await items.find({ group }).toArray())).toEqual(ids(all.filter((one) => one.group === group)));
  }
  for (const tag of ['t0', 't3', 't6']) {
    expect(ids(await items.find({ tags: tag }).toArray())).toEqual(ids(all.filter(({ tags }) => tags.includes(tag))));
  }
  const sorted = await items.find().sort({ serial: 1 }).toArray();
  expect(sorted.map(({ serial }) => serial)).toEqual(all.map(({ serial }) => serial).sort());
}

/** Adds an item and counts it, both in one transaction. */
async function addCounted(items: mongo.Collection<Item>, client: mongo.MongoClient, _id: number): Promise<void> {
  await client.withSession((session) =>
    session.withTransaction(async () => {
      const { hits } = (await items.findOne({ _id: 0 }, { session })) ?? item(0);
      await items.insertOne(item(_id), { session });
      await items.updateOne({ _id: 0 }, { $set: { hits: hits + 1 } }, { session });
    }),
  );
}

/** Expects the items that were acknowledged, and returns the ids of all that are there. */
async function expectStored(items: mongo.Collection<Item>, acknowledged: ReadonlySet<number>): Promise<Set<number>> {
  const stored = new Set((await items.find({ _id: { $gt: 0 } }).toArray()).map(({ _id }) => _id));
  expect([...acknowledged].filter((_id) => !stored.has(_id))).toEqual([]);
  return stored;
}

function expectIntegrity(): void {
  const sqlite = findSqliteEngine().open(file);
  expect(sqlite.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  sqlite.close();
}

describe('acknowledged writes', () => {
  test(`survive ${ROUNDS} kills in the middle of concurrent writes`, async () => {
    const acknowledged = new Set<number>();
    let hits = 0;
    let next = 1;
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startServerProcess(file, folder);
      await withClient(server.uri, async (items) => {
        await items.createIndexes([
          { key: { serial: 1 }, unique: true },
          { key: { tags: 1 } },
          { key: { group: 1, serial: -1 } },
        ]);
        if (round === 0) await items.insertOne(item(0));
        let killing: Promise<void> | undefined;
        const max = acknowledged.size + 21 + round;
        const write = async (): Promise<void> => {
          while (!killing) {
            const _id = next++;
            await items.insertOne(item(_id));
            acknowledged.add(_id);
            await items.updateOne({ _id: 0 }, { $inc: { hits: 1 } });
            hits += 1;
            if (acknowledged.size >= max) killing ??= server.kill();
          }
        };
        await atMost(30_000, Promise.allSettled(Array.from({ length: WRITERS }, write)));
        await killing;
      });
    }
    const server = await startServerProcess(file, folder);
    await withClient(server.uri, async (items) => {
      await expectStored(items, acknowledged);
      expect((await items.findOne({ _id: 0 }))?.hits).toBeGreaterThanOrEqual(hits);
      expect(acknowledged.size).toBeGreaterThan(ROUNDS * 20);
      await expectSound(items);
    });
    await server.kill();
    expectIntegrity();
  });

  test('of transactions are all there after a kill, and no transaction is half done', async () => {
    const acknowledged = new Set<number>();
    const killed = await startServerProcess(file, folder);
    await withClient(killed.uri, async (items, client) => {
      await items.insertOne(item(0));
      let killing: Promise<void> | undefined;
      const write = async (_: unknown, writer: number): Promise<void> => {
        for (let _id = writer + 1; !killing; _id += WRITERS) {
          await addCounted(items, client, _id);
          acknowledged.add(_id);
          if (acknowledged.size > 40) killing ??= killed.kill();
        }
      };
      await atMost(30_000, Promise.allSettled(Array.from({ length: WRITERS }, write)));
      await killing;
    });
    const server = await startServerProcess(file, folder);
    await withClient(server.uri, async (items) => {
      const stored = await expectStored(items, acknowledged);
      expect((await items.findOne({ _id: 0 }))?.hits).toBe(stored.size);
    });
    await server.kill();
  });

  test('of transactions of two processes on one file come one after the other', async () => {
    const servers = await Promise.all([startServerProcess(file, folder), startServerProcess(file, folder)]);
    const each = 30;
    await withClient(servers[0].uri, (items) => items.insertOne(item(0)));
    await Promise.all(
      servers.map(({ uri }, place) =>
        withClient(uri, async (items, client) => {
          await Promise.all(Array.from({ length: each }, (_, n) => addCounted(items, client, 1 + place * each + n)));
        }),
      ),
    );
    await withClient(servers[1].uri, async (items) => {
      expect(await items.countDocuments({ _id: { $gt: 0 } })).toBe(2 * each);
      expect(await items.findOne({ _id: 0 })).toMatchObject({ hits: 2 * each });
    });
    await Promise.all(servers.map((server) => server.kill()));
  });

  test('of two processes on one file are all there', async () => {
    const servers = await Promise.all([startServerProcess(file, folder), startServerProcess(file, folder)]);
    const each = 200;
    await withClient(servers[0].uri, (items) => items.insertOne(item(0)));
    await Promise.all(
      servers.map(({ uri }, place) =>
        withClient(uri, async (items) => {
          await Promise.all(
            Array.from({ length: each }, async (_, n) => {
              await items.insertOne(item(1 + place * each + n));
              await items.updateOne({ _id: 0 }, { $inc: { hits: 1 } });
            }),
          );
        }),
      ),
    );
    for (const { uri } of servers) {
      await withClient(uri, async (items) => {
        expect(await items.countDocuments({ _id: { $gt: 0 } })).toBe(2 * each);
        expect(await items.findOne({ _id: 0 })).toMatchObject({ hits: 2 * each });
        await expectSound(items);
      });
    }
    await Promise.all(servers.map((server) => server.kill()));
    expectIntegrity();
  });

  test('keep a unique index that the other process made', async () => {
    const servers = await Promise.all([startServerProcess(file, folder), startServerProcess(file, folder)]);
    await withClient(servers[0].uri, async (here) => {
      await withClient(servers[1].uri, async (there) => {
        await there.insertOne(item(1));
        expect(await here.find({ tags: 't1' }).toArray()).toHaveLength(1);
        await here.createIndex({ tags: 1 });
        await there.insertOne(item(2));
        await here.createIndex({ serial: 1 }, { unique: true });
        await expect(there.insertOne({ ...item(3), serial: 's1' })).rejects.toMatchObject({ code: 11000 });
        expect(await here.find({ tags: 't2' }).toArray()).toHaveLength(1);
        await there.dropIndex('serial_1');
        await here.insertOne({ ...item(4), serial: 's1' });
        await there.drop();
        expect(await here.countDocuments()).toBe(0);
      });
    });
    await Promise.all(servers.map((server) => server.kill()));
  });
});
