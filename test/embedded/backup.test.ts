import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { backupEmbeddedDatabase, restoreEmbeddedDatabase } from '../../embedded/backup.ts';
import { startEmbeddedDatabase } from '../../embedded/embedded-database.ts';
import { FORMAT } from '../../embedded/storage/schema.ts';
import { findSqliteEngine } from '../../embedded/storage/sqlite.ts';

let folder: string;
let file: string;
let copy: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  file = join(folder, 'test.db');
  copy = join(folder, 'copy.db');
});

afterEach(() => rm(folder, { recursive: true }));

async function serving<T>(work: (items: mongo.Collection<{ _id: number }>) => Promise<T>): Promise<T> {
  const embedded = await startEmbeddedDatabase({ file });
  const client = await new mongo.MongoClient(embedded.uri).connect();
  try {
    return await work(client.db('test').collection('items'));
  } finally {
    await client.close();
    await embedded.close();
  }
}

const ids = (items: mongo.Collection<{ _id: number }>) =>
  items
    .find()
    .map(({ _id }) => _id)
    .toArray();

describe('a backup', () => {
  test('made while serving brings back that moment', async () => {
    await serving(async (items) => {
      await items.insertMany([{ _id: 1 }, { _id: 2 }]);
      await backupEmbeddedDatabase(file, copy);
      await items.insertOne({ _id: 3 });
    });
    await restoreEmbeddedDatabase(copy, file);
    expect(await serving(ids)).toEqual([1, 2]);
  });

  test('overwrites no file', async () => {
    await serving((items) => items.insertOne({ _id: 1 }));
    await writeFile(copy, 'precious');
    await expect(backupEmbeddedDatabase(file, copy)).rejects.toThrow('overwrites nothing');
    expect(await readFile(copy, 'utf8')).toBe('precious');
  });

  test('is not restored under a server that runs', async () => {
    await serving(async (items) => {
      await items.insertOne({ _id: 1 });
      await backupEmbeddedDatabase(file, copy);
      await expect(restoreEmbeddedDatabase(copy, file)).rejects.toThrow('stop the server');
      expect(await ids(items)).toEqual([1]);
    });
  });

  test('that is damaged changes nothing', async () => {
    await serving((items) => items.insertMany(Array.from({ length: 500 }, (_, _id) => ({ _id }))));
    await copyFile(file, copy);
    const bytes = await readFile(copy);
    await writeFile(copy, bytes.fill(7, 8192, 20000));
    await expect(restoreEmbeddedDatabase(copy, file)).rejects.toThrow(copy);
    expect(await serving((items) => items.countDocuments())).toBe(500);
  });
});

describe('a file', () => {
  test('of a newer format is refused with what to do', async () => {
    await serving((items) => items.insertOne({ _id: 1 }));
    const sqlite = findSqliteEngine().open(file);
    sqlite.exec(`PRAGMA user_version = ${FORMAT + 1}`);
    sqlite.close();
    await expect(startEmbeddedDatabase({ file })).rejects.toThrow(
      `has format ${FORMAT + 1}, which is newer than this program reads`,
    );
    await expect(backupEmbeddedDatabase(file, copy)).rejects.toThrow('newer version of Waybridge');
  });

  test('of another program is refused', async () => {
    const sqlite = findSqliteEngine().open(file);
    sqlite.exec('CREATE TABLE theirs (x)');
    sqlite.close();
    await expect(startEmbeddedDatabase({ file })).rejects.toThrow('is not a database of this program');
  });

  test('that is no database is refused', async () => {
    await writeFile(file, 'hello, I am a letter, and not a database at all'.repeat(50));
    await expect(startEmbeddedDatabase({ file })).rejects.toThrow('cannot start');
  });
});
