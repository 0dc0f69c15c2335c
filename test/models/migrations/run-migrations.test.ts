import type mongoose from 'mongoose';
import { describe, expect, test } from 'vitest';

import { changeEach } from '../../../models/migrations/versions/change-each.ts';
import { dataVersions } from '../../../models/migrations/data-version.ts';
import { makeUniqueIndex } from '../../../models/migrations/versions/make-unique-index.ts';
import type { Migration } from '../../../models/migrations/versions/migration.ts';
import { readMigrationStatus } from '../../../models/migrations/migration-status.ts';
import { type MigrationProgress, runMigrations } from '../../../models/migrations/run-migrations.ts';
import { runSize } from '../../services/run-size.ts';
import { signal } from '../../processes/signal.ts';
import { dyingDatabase } from './dying-database.ts';
import { db, useOldDatabase } from './old-database.ts';
import { testService } from '../../services/database.ts';

useOldDatabase();

/** More than a batch, so that a run can end between two. */
const MANY = 501;

const addLabels: Migration = {
  number: 1,
  name: 'add-labels',
  description: 'Gives every device its labels, by its serial',
  ...changeEach({
    collection: 'old_devices',
    pending: { labels: { $exists: false } },
    reads: ['serial'],
    update: ({ serial }) => ({ $set: { labels: [`is ${serial}`] } }),
  }),
};

const TWINS = [{ $group: { _id: '$slug', ids: { $push: '$_id' } } }, { $match: { 'ids.1': { $exists: true } } }];

const uniqueSlugs: Migration = {
  number: 2,
  name: 'unique-slugs',
  description: 'Tells posts with the same slug apart',
  pending: async (db) => (await db.collection('old_posts').aggregate(TWINS).toArray()).length,
  run: async ({ db, count }) => {
    const posts = db.collection('old_posts');
    await makeUniqueIndex(posts, { slug: 1 }, {}, async () => {
      for await (const { _id: slug, ids } of posts.aggregate(TWINS)) {
        let suffix = 2;
        for (const _id of ids.slice(1)) {
          while (await posts.findOne({ slug: `${slug}-${suffix}` })) suffix += 1;
          await posts.updateOne({ _id, slug }, { $set: { slug: `${slug}-${suffix}` } });
          await count(1);
        }
      }
    });
  },
};

const migrations = [addLabels, uniqueSlugs];

async function writeOldData(devices = MANY): Promise<void> {
  await db()
    .collection('old_devices')
    .insertMany(Array.from({ length: devices }, (_, n) => ({ serial: `WB-${n}` })));
  await db()
    .collection('old_posts')
    .insertMany([{ slug: 'hello' }, { slug: 'hello' }, { slug: 'hello' }, { slug: 'other' }]);
}

async function expectMigrated(devices = MANY): Promise<void> {
  const labelled = await db().collection('old_devices').find().toArray();
  expect(labelled).toHaveLength(devices);
  for (const { serial, labels } of labelled) expect(labels).toEqual([`is ${serial}`]);
  const posts = await db().collection('old_posts').find().sort({ slug: 1 }).toArray();
  expect(posts.map(({ slug }) => slug)).toEqual(['hello', 'hello-2', 'hello-3', 'other']);
  await expect(db().collection('old_posts').insertOne({ slug: 'other' })).rejects.toMatchObject({ code: 11_000 });
  const data = await dataVersions(db()).findOne({ _id: 'data' });
  expect(data).toMatchObject({ version: 2, least_reader: 2, running: null });
  expect(data?.applied.map(({ number }) => number)).toEqual([1, 2]);
}

test('old data is brought to the version of the program, and its history says what was changed', async () => {
  await writeOldData();
  const progress: MigrationProgress[] = [];
  await runMigrations(db(), { migrations, onProgress: (made) => progress.push(made) });
  await expectMigrated();
  const { migrations: rows } = await readMigrationStatus(db(), { migrations });
  expect(rows).toMatchObject([
    { number: 1, state: 'done', changed: MANY, started: expect.any(Date), finished: expect.any(Date), pending: null },
    { number: 2, state: 'done', changed: 2 },
  ]);
  expect(progress).toContainEqual({
    number: 1,
    last: 2,
    name: 'add-labels',
    changed: 500,
    total: MANY,
    isElsewhere: false,
  });
});

test('what is migrated is not migrated again', async () => {
  await writeOldData();
  await runMigrations(db(), { migrations });
  await db().collection('old_devices').insertOne({ serial: 'WB-NEW' });
  expect(await runMigrations(db(), { migrations })).toEqual([]);
  expect(await db().collection('old_devices').findOne({ serial: 'WB-NEW' })).not.toHaveProperty('labels');
});

test('an empty database starts at the newest version, and nothing is run', async () => {
  expect(await runMigrations(db(), { migrations })).toEqual([]);
  expect(await dataVersions(db()).findOne()).toMatchObject({ version: 2, least_reader: 2, applied: [] });
});

test('data of a newer program is refused, with both versions and what to do', async () => {
  await writeOldData(1);
  await runMigrations(db(), { migrations });
  await expect(runMigrations(db(), { migrations: [addLabels] })).rejects.toThrow(
    'The data has version 2, which is newer than the version 1 of this program: start the newer program that migrated it, ' +
      'or restore a backup from before',
  );
});

test('a count of what is due changes nothing', async () => {
  await writeOldData(3);
  const status = await readMigrationStatus(db(), { migrations, counts: true });
  expect(status).toMatchObject({ data_version: 0, program_version: 2, least_reader: 0 });
  expect(status.migrations).toMatchObject([
    { number: 1, state: 'pending', pending: 3 },
    { number: 2, state: 'pending', pending: 1 },
  ]);
  expect(
    await db()
      .collection('old_devices')
      .countDocuments({ labels: { $exists: true } }),
  ).toBe(0);
  expect(await dataVersions(db()).findOne()).toBeNull();
});

describe('a run that is killed', () => {
  test('behind any of its commands goes on where it was', async () => {
    await writeOldData();
    const whole = dyingDatabase(db(), Infinity);
    await runMigrations(whole.db, { migrations });
    const commands = whole.sent();
    expect(commands).toBeGreaterThan(20);

    for (let deadline = 0; deadline < commands; deadline += runSize(6, 1)) {
      await testService.connection.dropDatabase();
      await writeOldData();
      await expect(runMigrations(dyingDatabase(db(), deadline).db, { migrations })).rejects.toThrow('dead');
      await expireLease();
      await runMigrations(db(), { migrations });
      await expectMigrated();
    }
  });

  test('is shown as interrupted, and goes on counting', async () => {
    await writeOldData();
    await expect(runMigrations(dyingAfterOneBatch(), { migrations })).rejects.toThrow('dead');
    await expireLease();
    const { migrations: rows } = await readMigrationStatus(db(), { migrations, counts: true });
    expect(rows[0]).toMatchObject({ state: 'interrupted', changed: 500, pending: 1 });
    expect(await runMigrations(db(), { migrations })).toMatchObject([{ number: 1, changed: MANY }, { number: 2 }]);
  });

  /** Ends in the second of the batches, when the first has been counted. */
  function dyingAfterOneBatch(): mongoose.mongo.Db {
    const dying = dyingDatabase(db(), Infinity);
    let batches = 0;
    return new Proxy(dying.db, {
      get: (from, name) => {
        if (name !== 'collection') return Reflect.get(from, name);
        return (collection: string) =>
          new Proxy(from.collection(collection), {
            get: (target, method) => {
              if (method === 'bulkWrite') batches += 1;
              if (batches > 1) throw new Error('The process is dead');
              return Reflect.get(target, method);
            },
          });
      },
    });
  }
});

test('a migration that fails says which one and how it goes on, and lets the next begin immediately', async () => {
  await writeOldData(1);
  const failing: Migration = {
    ...addLabels,
    run: async () => {
      throw new Error('The disk is full');
    },
  };
  await expect(runMigrations(db(), { migrations: [failing] })).rejects.toThrow(
    'Migration 1 (add-labels) failed after 0 changes: The disk is full; the changes so far are kept, and the next start ' +
      'or waybridge migrate continues from there',
  );
  await runMigrations(db(), { migrations });
  await expectMigrated(1);
});

test('a migration that leaves something to change is not done', async () => {
  await writeOldData(1);
  const idle: Migration = { ...addLabels, run: async () => undefined };
  await expect(runMigrations(db(), { migrations: [idle] })).rejects.toThrow('1 documents are still to be changed');
  expect(await dataVersions(db()).findOne()).toMatchObject({ version: 0, applied: [] });
});

describe('two processes that start simultaneously', () => {
  test('run each migration once, and the one that waits shows how far the other is', async () => {
    await writeOldData();
    const seen = signal();
    const runs: string[] = [];
    const heldUp: Migration = {
      ...addLabels,
      run: async (run) => {
        runs.push('run');
        await seen.given;
        await addLabels.run(run);
      },
    };
    const given = [heldUp, uniqueSlugs];
    const onProgress = (progress: MigrationProgress) => {
      if (progress.isElsewhere) seen.give();
    };
    const finished = await Promise.all([
      runMigrations(db(), { migrations: given, onProgress }),
      runMigrations(db(), { migrations: given, onProgress }),
    ]);
    expect(runs).toEqual(['run']);
    expect(finished.flat().map(({ number }) => number)).toEqual([1, 2]);
    await expectMigrated();
  });

  test('of which one stalls: what it does behind its lease undoes nothing and marks nothing done', async () => {
    await writeOldData(2);
    const stalled = signal();
    const goesOn = signal();
    let runs = 0;
    const stalling: Migration = {
      ...addLabels,
      run: async ({ db: given, count }) => {
        runs += 1;
        const held = new Proxy(given, {
          get: (from, name) =>
            name === 'collection'
              ? (collection: string) =>
                  new Proxy(from.collection(collection), {
                    get: (target, method) =>
                      method === 'bulkWrite'
                        ? async (...writes: Parameters<typeof target.bulkWrite>) => {
                            stalled.give();
                            await goesOn.given;
                            return target.bulkWrite(...writes);
                          }
                        : Reflect.get(target, method).bind?.(target),
                  })
              : Reflect.get(from, name),
        });
        await addLabels.run({ db: held, count });
      },
    };
    const first = runMigrations(db(), { migrations: [stalling, uniqueSlugs] });
    await stalled.given;
    await expireLease();
    await runMigrations(db(), { migrations });
    await db()
      .collection('old_devices')
      .updateMany({}, { $set: { labels: ['by hand'] } });
    goesOn.give();
    expect(await first).toEqual([]);
    expect(runs).toBe(1);
    expect(await db().collection('old_devices').distinct('labels')).toEqual(['by hand']);
    const data = await dataVersions(db()).findOne();
    expect(data?.applied.map(({ number }) => number)).toEqual([1, 2]);
  });
});

/** Lets the lease be as old as it is some seconds after its holder died. */
async function expireLease(): Promise<void> {
  // Of another holder: one that only stalls would renew it.
  const over = { 'lease.holder': 'nobody', 'lease.expires': new Date(0) };
  await dataVersions(db()).updateOne({ lease: { $ne: null } }, { $set: over });
}
