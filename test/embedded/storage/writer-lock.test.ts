import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { findSqliteEngine } from '../../../embedded/storage/sqlite.ts';
import { Store } from '../../../embedded/storage/store.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

/** A file, a store on it, and a connection that can hold it as another process would. */
async function heldFile() {
  const file = join(await temporaryFolder(), 'test.db');
  const engine = findSqliteEngine();
  const store = new Store(engine, file);
  const other = engine.open(file);
  onTestFinished(() => {
    other.close();
    store.close();
  });
  return { file, store, other };
}

const nothing = () => undefined;

test('a write waits for another process without keeping the thread, and reads go on', async () => {
  const { store, other } = await heldFile();
  other.exec('BEGIN IMMEDIATE');
  let turns = 0;
  const written = store.write(() => turns);
  for (; turns < 20; turns += 1) {
    store.read((reader) => reader.catalog());
    await nextTurn();
  }
  other.exec('COMMIT');
  expect(await written).toBeGreaterThanOrEqual(20);
});

test('a process that has transactions without a pause leaves others their turn', async () => {
  const { file, store } = await heldFile();
  const busy = new Store(findSqliteEngine(), file);
  onTestFinished(() => busy.close());
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      const transaction = await busy.transaction();
      await nextTurn();
      transaction.commit();
    }
  })();
  await nextTurn();
  for (let count = 0; count < 3; count += 1) await store.write(nothing);
  isOver = true;
  await writing;
});

test('while another process holds the file for long, few writes wait, and the others are told by whom it is locked', async () => {
  const { store, other } = await heldFile();
  other.exec('BEGIN IMMEDIATE');
  const writes = Array.from({ length: 100 }, () => store.write(nothing).then(String, ({ message }: Error) => message));
  const refused = await Promise.race(writes);
  expect(refused).toMatch(
    process.platform === 'linux'
      ? new RegExp(`^The database file is locked by process ${process.pid} \\(.+\\)$`)
      : /^The database file is locked by/,
  );
  await pause(20);
  other.exec('COMMIT');
  const outcomes = await Promise.all(writes);
  expect(outcomes.filter((outcome) => outcome === 'undefined')).toHaveLength(64);
});

test('a store opens beside a process that writes', async () => {
  const { file, other } = await heldFile();
  other.exec('BEGIN IMMEDIATE');
  const second = new Store(findSqliteEngine(), file);
  expect(second.read((reader) => reader.catalog().collections.size)).toBe(0);
  other.exec('COMMIT');
  second.close();
});
