import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { PointReads } from '../../embedded/point-reads.ts';
import { findSqliteEngine, type Sqlite, type SqliteEngine, type Statement } from '../../embedded/storage/sqlite.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { startLocalServer, type LocalServer } from './local-server.ts';
import { startServerProcess } from './server-process.ts';

type Doc = mongo.Document;

let server: LocalServer;

beforeEach(async () => {
  server = await startLocalServer();
});

afterEach(() => server.close());

/** Reads of a file, in the thread of the test. */
function readsOf(file = server.file, engine = findSqliteEngine()): PointReads {
  const reads = new PointReads(file, engine);
  onTestFinished(() => reads.close());
  return reads;
}

/** The documents of a command, or undefined if the server must be asked. */
function documents(reads: PointReads, command: Doc): Doc[] | undefined {
  const reply = reads.read(mongo.BSON.serialize({ ...command, $db: 'test' }));
  return reply && mongo.BSON.deserialize(reply).cursor.firstBatch;
}

const scalar = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.constantFrom<unknown>('a', 'b', null, true, 1.5, new Date(7), mongo.Long.fromNumber(2)),
);
const leaf = fc.oneof({ weight: 4, arbitrary: scalar }, fc.array(scalar, { maxLength: 3 }));
const document = fc.record({ a: leaf, b: scalar, c: fc.record({ x: leaf }), d: scalar }, { requiredKeys: ['b'] });
const condition = fc.oneof(
  scalar,
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $gte: scalar }),
  fc.record({ $ne: scalar }),
  fc.record({ $sum: scalar }),
);
const field = fc.constantFrom('_id', 'a', 'b', 'c.x', 'd');
const simple = fc.tuple(field, condition).map(([name, value]) => ({ [name]: value }));
const filter = fc.oneof(
  simple,
  fc.tuple(simple, simple).map(([first, second]) => ({ ...first, $and: [second] })),
);
const find = fc.record(
  {
    find: fc.constantFrom('docs', 'none'),
    filter,
    projection: fc.constantFrom({ _id: 0, a: 1 }, { b: 0 }, { 'c.x': 1 }, { a: 1, b: 0 }),
    sort: fc.constantFrom({ b: 1 }, { d: -1, _id: 1 }),
    skip: fc.integer({ min: 0, max: 2 }),
    limit: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: ['find', 'filter'] },
);
const aggregate = fc.record({
  aggregate: fc.constantFrom('docs', 'none'),
  pipeline: filter.map(($match) => [
    { $match },
    { $lookup: { from: 'docs', localField: 'a', foreignField: 'b', as: 'joined' } },
    { $project: { b: 1, joined: { $slice: ['$joined', 2] } } },
  ]),
});

/** Stops the clock by which reads count as slow, until the test ends. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('answers are those of the server', async () => {
  const db = server.client.db('test');
  const docs = db.collection<Doc>('docs');
  await docs.createIndexes([{ key: { a: 1 } }, { key: { b: 1, a: -1 } }, { key: { d: 1 } }, { key: { 'c.x': 1 } }]);
  stopClock();
  const reads = readsOf();
  let answered = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 8 }),
      fc.array(fc.oneof(find, aggregate), { minLength: 5, maxLength: 8 }),
      async (stored, commands) => {
        await docs.deleteMany({});
        await docs.insertMany(stored.map((doc, _id) => ({ _id, ...doc })) as never);
        for (const command of commands) {
          const whole = 'aggregate' in command ? { ...command, cursor: {} } : command;
          const told = await db.command(whole).then(
            ({ cursor }) => cursor.firstBatch,
            () => undefined,
          );
          // Nothing is remembered as much.
          vi.advanceTimersByTime(1000);
          const found = documents(reads, command);
          // What is wrong with a command, the server tells, and what is much.
          expect(found ?? told, JSON.stringify(command)).toEqual(told);
          answered += found ? 1 : 0;
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(answered).toBeGreaterThan(200);
});

describe('a read', () => {
  test('sees every write that another process has acknowledged', async () => {
    const folder = await temporaryFolder();
    const file = `${folder}/shared.db`;
    const process = await startServerProcess(file, folder);
    onTestFinished(() => process.kill());
    const client = await new mongo.MongoClient(process.uri).connect();
    onTestFinished(() => client.close());
    const counters = client.db('test').collection<Doc>('counters');
    await counters.insertOne({ name: 'a', n: 0 });
    const reads = readsOf(file);
    let answered = 0;
    for (let n = 1; n <= 200; n += 1) {
      await counters.updateOne({ name: 'a' }, { $set: { n } });
      const found = documents(reads, { find: 'counters', filter: { name: 'a' } });
      // After a read that waited, as on a busy machine, the server is asked.
      expect(found ?? [{ n }]).toMatchObject([{ n }]);
      answered += found ? 1 : 0;
    }
    expect(answered).toBeGreaterThan(0);
    await counters.createIndex({ name: 1 }, { unique: true });
    await client.db('test').collection('later').insertOne({ n: 1 });
    expect(documents(readsOf(file), { find: 'later', filter: {} })).toHaveLength(1);
  });

  test('is left to the server where it is much, and small reads are not', async () => {
    const items = server.client.db('test').collection<Doc>('items');
    await items.createIndex({ group: 1 });
    await items.insertMany(
      Array.from({ length: 500 }, (_, n) => ({ _id: n, group: n % 2, name: `item ${n}` })) as never,
    );
    stopClock();
    const reads = readsOf();
    const [found, filter] = ['items', { group: 1 }];
    expect(documents(reads, { find: found, filter })).toBeUndefined();
    expect(documents(reads, { find: found, filter, sort: { name: 1 }, limit: 1 })).toBeUndefined();
    expect(documents(reads, { find: found, filter: { name: 'item 400' }, limit: 1 })).toBeUndefined();
    expect(documents(reads, { aggregate: found, pipeline: [{ $match: filter }, { $set: { a: 1 } }] })).toBeUndefined();
    expect(documents(reads, { find: found, filter, limit: 50 })).toHaveLength(50);
    expect(documents(reads, { find: found, filter: { _id: 7 } })).toHaveLength(1);
    expect(documents(reads, { find: found, filter: { _id: { $lt: 64 } } })).toHaveLength(64);
  });

  test('is left to the server after many in one turn of the event loop', async () => {
    await server.client.db('test').collection<Doc>('items').insertOne({ n: 1 });
    stopClock();
    const reads = readsOf();
    const inTurn = () => Array.from({ length: 1000 }, () => documents(reads, { find: 'items', filter: { n: 1 } }));
    for (let turn = 0; turn < 3; turn += 1) {
      expect(inTurn().filter((found) => found?.length === 1)).toHaveLength(50);
      await setImmediate();
    }
  });

  test('writes nothing', async () => {
    await server.client.db('test').collection<Doc>('items').insertOne({ n: 1 });
    expect(documents(readsOf(), { aggregate: 'items', pipeline: [{ $out: 'copy' }] })).toBeUndefined();
    expect(await server.client.db('test').listCollections().toArray()).toHaveLength(1);
  });
});

describe('without waiting, the server is asked', () => {
  beforeEach(stopClock);

  const one = { find: 'items', filter: { n: 1 } };
  const insert = () => server.client.db('test').collection<Doc>('items').insertOne({ n: 1 });

  test('while another holds the file for itself', async () => {
    const folder = await temporaryFolder();
    const file = `${folder}/held.db`;
    const { uri, kill } = await startServerProcess(file, folder);
    const client = await new mongo.MongoClient(uri).connect();
    await client.db('test').collection<Doc>('items').insertOne({ n: 1 });
    await client.close();
    await kill();
    const holder = findSqliteEngine().open(file);
    holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    const reads = readsOf(file);
    const from = Date.now();
    expect(documents(reads, one)).toBeUndefined();
    expect(Date.now() - from).toBeLessThan(SQLITE_WAITS_MS);
    holder.close();
    expect(documents(reads, one)).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(documents(reads, one)).toHaveLength(1);
  });

  test('for a second after the file could not be read', async () => {
    await insert();
    const disk: Disk = { fails: false, takesMs: 0 };
    const reads = readsOf(server.file, engineOn(disk));
    expect(documents(reads, one)).toHaveLength(1);
    disk.fails = true;
    expect(documents(reads, one)).toBeUndefined();
    disk.fails = false;
    expect(documents(reads, one)).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(documents(reads, one)).toHaveLength(1);
  });

  test('for a hundred times as long as a slow disk took', async () => {
    await insert();
    const disk: Disk = { fails: false, takesMs: 0 };
    const reads = readsOf(server.file, engineOn(disk));
    expect(documents(reads, one)).toHaveLength(1);
    disk.takesMs = 100;
    expect(documents(reads, one)).toHaveLength(1);
    disk.takesMs = 0;
    vi.advanceTimersByTime(9000);
    expect(documents(reads, one)).toBeUndefined();
    vi.advanceTimersByTime(1000);
    expect(documents(reads, one)).toHaveLength(1);
  });

  test('from the end on', async () => {
    await insert();
    const reads = readsOf();
    expect(documents(reads, one)).toHaveLength(1);
    reads.close();
    vi.advanceTimersByTime(1_000_000);
    expect(documents(reads, one)).toBeUndefined();
  });
});

/** Shorter than a connection would wait that waits at all. */
const SQLITE_WAITS_MS = 10_000;

/** A disk that fails, or takes its time, whenever documents are read. */
interface Disk {
  fails: boolean;
  takesMs: number;
}

/** The engine on such a disk. */
function engineOn(disk: Disk): SqliteEngine {
  const engine = findSqliteEngine();
  const read = <Result>(work: () => Result): Result => {
    if (disk.fails) throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
    vi.advanceTimersByTime(disk.takesMs);
    return work();
  };
  const open = (...where: Parameters<SqliteEngine['open']>): Sqlite => {
    const sqlite = engine.open(...where);
    const prepare = (sql: string): Statement => {
      const statement = sqlite.prepare(sql);
      if (!sql.includes('c.doc')) return statement;
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => statement.get(...values),
        all: (...values) => read(() => statement.all(...values)),
        iterate: (...values) => read(() => statement.iterate(...values)),
      };
    };
    return {
      exec: (sql) => sqlite.exec(sql),
      prepare,
      function: (name, implementation) => sqlite.function(name, implementation),
      close: () => sqlite.close(),
    };
  };
  return { name: engine.name, open };
}
