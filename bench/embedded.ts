import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createConnection, mongo, Schema } from 'mongoose';
import type { Connection, Model } from 'mongoose';

import { decode } from '../embedded/bson/codec.ts';
import { keyOf } from '../embedded/bson/key.ts';
import { startEmbeddedDatabase } from '../embedded/embedded-database.ts';
import { addIndex, needCollection } from '../embedded/storage/collections.ts';
import { insertRow } from '../embedded/storage/rows.ts';
import { configure } from '../embedded/storage/schema.ts';
import { findSqliteEngine } from '../embedded/storage/sqlite.ts';
import type { Sqlite } from '../embedded/storage/sqlite.ts';
import { Store } from '../embedded/storage/store.ts';
import { atLeast, atMost } from './bench-row.ts';
import type { BenchRow } from './bench-row.ts';
import { byTurns, median } from './times.ts';

interface Trip {
  _id: number;
  serial: string;
  vehicle: number;
  started: Date;
  note: string;
}

const INDEXES = [{ serial: 1 }, { vehicle: 1, started: -1 }, { started: 1 }];
const VEHICLES = 100;
const BATCH = 5000;
/** Turns that are not counted: until the driver and the server run as compiled code, as in a service that is up. */
const WARM_UP = 3000;

/** Measures the embedded database against plain SQLite and against the driver's own ping. */
export async function run(small = 100_000, large = 1_000_000): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-bench-'));
  try {
    return await measure(folder, small, large);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, small: number, large: number): Promise<BenchRow[]> {
  const place = (name: string) => join(folder, `${name}.db`);
  const files = { small: place('small'), large: place('large'), calls: place('calls'), raw: place('raw') };
  await load(files.small, small);
  await load(files.large, large);
  copyFileSync(files.small, files.calls);
  loadRaw(files.raw, small);
  const calls = findSqliteEngine().open(files.calls);
  configure(calls);
  const restart = await restartMedian(files.large);
  const results = await withServer(files.small, (trips, connection) =>
    withServer(files.large, async (others) => ({
      ...(await compareWithPing(trips, connection, small)),
      range: await alternate(600, rangeQuery(trips, small), rangeQuery(others, large)),
      examined: await examinedPerReturned(trips, small),
      insert: await alternate(600, ...inserts(trips, calls, small), () => connection.db?.command({ ping: 1 })),
    })),
  );
  calls.close();
  const [rangeSmall = Number.NaN, rangeLarge = Number.NaN] = results.range;
  const [inserted = Number.NaN, called = Number.NaN, pinged = Number.NaN] = results.insert;
  const size = statSync(files.small).size / statSync(files.raw).size;
  const per = (value: number, unit: string) => `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
  return [
    atLeast(
      'findOne by unique key, 32 at a time, to ping',
      results.ratio,
      0.4,
      `${per(results.found, '/s')} to ${per(results.pinged, '/s')}`,
    ),
    atMost(
      `range, sort, limit 50: p50 at ${large} to that at ${small}`,
      rangeLarge / rangeSmall,
      1.5,
      `${per(rangeLarge, 'ms')} to ${per(rangeSmall, 'ms')}`,
    ),
    atMost('examined to returned, indexed range with a sort', results.examined, 1, 'explain'),
    atLeast(
      'durable insert, one at a time, to the same SQLite calls',
      called / inserted,
      0.5,
      `${per(inserted, 'ms')} to ${per(called, 'ms')}; a ping by the same turns takes ${per(pinged, 'ms')}`,
    ),
    atMost(`restart to first answer at ${large}, in half seconds`, restart / 500, 1, per(restart, 'ms')),
    atMost(
      'file to raw table',
      size,
      1.3,
      `${per(statSync(files.small).size / 1e6, 'MB')} to ${per(statSync(files.raw).size / 1e6, 'MB')}`,
    ),
  ];
}

function trip(_id: number): Trip {
  return {
    _id,
    serial: `serial-${(_id * 7919) % 10_000_019}`,
    vehicle: _id % VEHICLES,
    started: new Date(1.7e12 + _id * 1000),
    note: 'x'.repeat(300),
  };
}

async function load(file: string, count: number): Promise<void> {
  const store = new Store(findSqliteEngine(), file);
  await store.write((writer) => {
    const indexed = (key: Record<string, number>) =>
      addIndex(
        writer,
        needCollection(writer, 'bench', 'trips'),
        new Map<string, Map<string, number> | boolean>([
          ['key', new Map(Object.entries(key))],
          ['unique', 'serial' in key],
        ]),
      );
    INDEXES.forEach(indexed);
  });
  for (let from = 0; from < count; from += BATCH) {
    await store.write((writer) => {
      const collection = needCollection(writer, 'bench', 'trips');
      for (let id = from; id < Math.min(count, from + BATCH); id += 1) {
        const bytes = Buffer.from(mongo.BSON.serialize(trip(id)));
        insertRow(writer, collection, decode(bytes), bytes);
      }
    });
  }
  store.close();
}

/** The same documents in SQLite alone: native columns and the same indexes. */
function loadRaw(file: string, count: number): void {
  const sqlite = findSqliteEngine().open(file);
  configure(sqlite);
  sqlite.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE trips (id INTEGER PRIMARY KEY, key INTEGER UNIQUE, serial TEXT UNIQUE, vehicle INTEGER, started INTEGER, doc BLOB);
    CREATE INDEX vehicle_started ON trips (vehicle, started DESC);
    CREATE INDEX started ON trips (started);
    BEGIN`);
  const insert = sqlite.prepare('INSERT INTO trips (key, serial, vehicle, started, doc) VALUES (?, ?, ?, ?, ?)');
  for (let id = 0; id < count; id += 1) {
    const { serial, vehicle, started } = trip(id);
    insert.run(id, serial, vehicle, started.getTime(), mongo.BSON.serialize(trip(id)));
  }
  sqlite.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  sqlite.close();
}

async function withServer<T>(
  file: string,
  work: (trips: Model<Trip>, connection: Connection) => Promise<T>,
): Promise<T> {
  const embedded = await startEmbeddedDatabase({ file });
  const connection = await createConnection(embedded.uri, {
    dbName: 'bench',
    autoIndex: false,
    autoCreate: false,
    maxPoolSize: 32,
  }).asPromise();
  const schema = new Schema(
    { _id: Number, serial: String, vehicle: Number, started: Date, note: String },
    { versionKey: false },
  );
  try {
    return await work(connection.model('Trip', schema, 'trips') as unknown as Model<Trip>, connection);
  } finally {
    await connection.close();
    await embedded.close();
  }
}

async function restartMedian(file: string): Promise<number> {
  return medianTime(5, async () => {
    const embedded = await startEmbeddedDatabase({ file });
    const client = new mongo.MongoClient(embedded.uri);
    await client
      .db('bench')
      .collection('trips')
      .findOne({ serial: trip(0).serial });
    return async () => {
      await client.close();
      await embedded.close();
    };
  });
}

/** The rates of findOne and ping in short rounds by turns; the ratio is the median of those of the rounds. */
async function compareWithPing(
  trips: Model<Trip>,
  connection: Connection,
  count: number,
): Promise<{ found: number; pinged: number; ratio: number }> {
  const find = () => trips.findOne({ serial: trip(Math.floor(Math.random() * count)).serial });
  const ping = () => connection.db?.command({ ping: 1 });
  await rate(find, 15_000);
  await rate(ping, 15_000);
  const rounds: Array<{ found: number; pinged: number }> = [];
  for (let round = 0; round < 31; round += 1)
    rounds.push({ found: await rate(find, 1000), pinged: await rate(ping, 1000) });
  return {
    found: median(rounds.map(({ found }) => found)),
    pinged: median(rounds.map(({ pinged }) => pinged)),
    ratio: median(rounds.map(({ found, pinged }) => found / pinged)),
  };
}

async function rate(work: () => Promise<unknown> | undefined, times: number): Promise<number> {
  let left = times;
  const from = performance.now();
  const one = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: 32 }, one));
  return (times / (performance.now() - from)) * 1000;
}

function rangeQuery(trips: Model<Trip>, count: number): () => Promise<unknown> {
  return () => {
    const from = trip(Math.floor(Math.random() * (count * 0.9))).started;
    return trips
      .find({ vehicle: Math.floor(Math.random() * VEHICLES), started: { $gte: from } })
      .sort({ started: -1 })
      .limit(50);
  };
}

async function examinedPerReturned(trips: Model<Trip>, count: number): Promise<number> {
  const range = { vehicle: 7, started: { $gte: trip(count / 4).started, $lt: trip(count / 2).started } };
  const { executionStats } = (await trips.find(range).sort({ started: -1 }).explain('executionStats')) as unknown as {
    executionStats: mongo.Document;
  };
  return executionStats.totalDocsExamined / executionStats.nReturned;
}

/**
 * An insert by the driver, and one by the calls that the server makes to SQLite for it: the same transaction with the
 * same keys in a copy of the same file, without protocol and thread.
 */
function inserts(trips: Model<Trip>, calls: Sqlite, count: number): [() => Promise<unknown>, () => Promise<unknown>] {
  let id = count + 2_000_000;
  const [begin, version, insert, commit] = [
    'BEGIN IMMEDIATE',
    'SELECT version FROM catalog',
    'INSERT INTO c1 (s0, s1, s2, s3, doc) VALUES (?, ?, ?, ?, ?)',
    'COMMIT',
  ].map((sql) => calls.prepare(sql));
  const call = async () => {
    const { _id, serial, vehicle, started } = trip(id++);
    begin?.run();
    version?.get();
    insert?.run(...[_id, serial, vehicle, started].map(keyOf), mongo.BSON.serialize(trip(_id)));
    commit?.run();
  };
  return [() => trips.collection.insertOne(trip(id++) as never), call];
}

/** The medians of the times of works that are done by turns. */
async function alternate(times: number, ...works: Array<() => Promise<unknown> | undefined>): Promise<number[]> {
  const measures = works.map((work) => () => timed(work));
  return (await byTurns(times, WARM_UP, measures)).map(median);
}

/** The median time of some work; what the work returns tidies up and is not counted. */
async function medianTime(times: number, work: () => Promise<() => Promise<void>>): Promise<number> {
  const spent: number[] = [];
  for (let time = 0; time < times; time += 1) {
    let tidy = async () => {};
    spent.push(
      await timed(async () => {
        tidy = await work();
      }),
    );
    await tidy();
  }
  return median(spent);
}

async function timed(work: () => Promise<unknown> | undefined): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}
