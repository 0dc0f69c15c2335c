import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { mapOf } from '../../../embedded/bson/value.ts';
import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { needCollection } from '../../../embedded/storage/collections.ts';
import { deleteRow, insertRow, readRow, updateRow } from '../../../embedded/storage/rows.ts';
import { Eraser } from '../../../embedded/storage/eraser.ts';
import { findSqliteEngine, type SqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { Store } from '../../../embedded/storage/store.ts';

const COUNT = 1500;
const NEVER = new AbortController().signal;

let folder: string;
let file: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybridge-'));
  file = join(folder, 'test.db');
  store = new Store(findSqliteEngine(), file);
});

afterEach(async () => {
  store.close();
  await rm(folder, { recursive: true });
});

/** A document with a text that tells its number, and of some length. */
function doc(number: number, length: number) {
  return mapOf({ _id: number, text: `document ${number}.`, rest: 'x'.repeat(length) });
}

/** Stores documents that grow and shrink, so that SQLite distributes them again, and deletes those with odd numbers. */
async function writeAndDelete(): Promise<void> {
  const lengthOf = (number: number) => (number * 7919) % 601;
  await store.write((writer) => {
    for (let number = 0; number < COUNT; number += 1) {
      const collection = needCollection(writer, 'test', 'items');
      insertRow(writer, collection, doc(number, lengthOf(number)));
      const other = (number * 31) % (number + 1);
      const row = readRow(writer, collection, other + 1);
      if (row && number % 2 === 0) updateRow(writer, collection, row, doc(other, 3 * lengthOf(number)));
    }
  });
  await store.write((writer) => {
    const collection = needCollection(writer, 'test', 'items');
    for (let number = 1; number < COUNT; number += 2) deleteRow(writer, collection, number + 1);
  });
}

/** Numbers of the documents whose texts are anywhere in the bytes of the file and its log. */
async function foundNumbers(): Promise<Set<number>> {
  const bytes = await Promise.all([file, `${file}-wal`].map((name) => readFile(name, 'latin1')));
  return new Set([...bytes.join('').matchAll(/document (\d+)\./g)].map(([, number]) => Number(number)));
}

const oddOf = (numbers: Set<number>) => [...numbers].filter((number) => number % 2 === 1);

test('deleted documents are nowhere in the file or its log, and all others are as they were', async () => {
  await writeAndDelete();
  store.read((reader) => expect(reader.get('SELECT count(*) AS n FROM c1')).toMatchObject({ n: COUNT / 2 }));
  expect(oddOf(await foundNumbers()).length).toBeGreaterThan(0);
  expect(await store.erase(NEVER)).toBe(true);
  const found = await foundNumbers();
  expect(oddOf(found)).toEqual([]);
  expect(found.size).toBe(COUNT / 2);
  expect(checkEmbeddedDatabase(file, () => undefined)).toEqual([]);
});

test('what older versions have left in free pages is overwritten too', async () => {
  await store.write((writer) => {
    writer.exec('PRAGMA secure_delete = OFF');
  });
  await writeAndDelete();
  await store.write((writer) => {
    const collection = needCollection(writer, 'test', 'others');
    for (let number = 1; number < 200; number += 2) insertRow(writer, collection, doc(number, 9000));
  });
  await store.write((writer) => {
    const collection = needCollection(writer, 'test', 'others');
    for (let number = 1; number < 100; number += 1) deleteRow(writer, collection, number);
  });
  expect(oddOf(await foundNumbers()).length).toBeGreaterThan(COUNT / 4);
  expect(await store.erase(NEVER)).toBe(true);
  expect(oddOf(await foundNumbers())).toEqual([199]);
  expect(checkEmbeddedDatabase(file, () => undefined)).toEqual([]);
});

test('connections that have read the pages at the last moment write nothing of it back', async () => {
  await writeAndDelete();
  const engine = findSqliteEngine();
  const other = engine.open(file);
  const reading: SqliteEngine = {
    name: engine.name,
    open: (name) => {
      const sqlite = engine.open(name);
      const execute = sqlite.exec.bind(sqlite);
      const exec = (sql: string) => {
        execute(sql);
        if (sql === 'BEGIN IMMEDIATE') other.exec('SELECT sum(length(doc)) FROM c1');
      };
      return Object.defineProperty(sqlite, 'exec', { value: exec });
    },
  };
  const eraser = new Eraser(reading, file);
  expect(eraser.erase(1)).toBe('end');
  other.exec('UPDATE c1 SET doc = zeroblob(length(doc))');
  other.close();
  eraser.close();
  expect(oddOf(await foundNumbers())).toEqual([]);
});

test('nothing is overwritten while somebody reads an older state, which stays whole', async () => {
  await writeAndDelete();
  const reader = store.acquire();
  const count = () => reader.get('SELECT count(*) AS n FROM c1')?.n;
  count();
  await store.write((writer) => {
    insertRow(writer, needCollection(writer, 'test', 'items'), doc(2 * COUNT, 10));
  });
  const { size } = await stat(file);
  expect(await store.erase(NEVER)).toBe(false);
  expect([count(), (await stat(file)).size >= size]).toEqual([COUNT / 2, true]);
  store.release(reader);
  expect(await store.erase(NEVER)).toBe(true);
  expect((await stat(`${file}-wal`)).size).toBeLessThan(10_000);
});
