import { DatabaseSync } from '@photostructure/sqlite';
import { expect, test } from 'vitest';

import { memoryStore } from '../../../client/replica/memory-store.ts';
import type { RecordOf } from '../../../client/replica/record-fields.ts';
import type { ReplicaState, ReplicaStore, StoredRecord } from '../../../client/replica/replica-store.ts';
import { sqliteStore } from '../../../client/replica/sqlite-store.ts';
import { closePages, sharedBrowser } from '../../browser/browser.ts';
import { openClientPage, useClientPages, type Waybridge } from '../../browser/client-page.ts';

const STATE: ReplicaState = { generation: 'b', cursor: 'c1', kinds: ['tag', 'trip'], isWhole: true, settled: null };

function tag(key: string, value: string): StoredRecord {
  return { kind: 'tag', key, vehicle: null, record: { key, value } as RecordOf<'tag'> };
}

function trip(key: string, vehicle: string): StoredRecord {
  return { kind: 'trip', key, vehicle, record: { key, vehicle_key: vehicle } as RecordOf<'trip'> };
}

const changed = (stored: StoredRecord) => ({ kind: stored.kind, key: stored.key, stored });

/** Uses a store and returns its answers; also run in a browser, so it refers to nothing else. */
async function useStore(store: ReplicaStore, state: ReplicaState, records: readonly StoredRecord[]) {
  const { kind, key } = records[0] as StoredRecord;
  const seen: unknown[] = [await store.state(), await store.list(kind), await store.get(kind, key)];
  const look = async () => {
    const found = [...(await store.list('tag')), ...(await store.list('trip'))];
    seen.push([(await store.state())?.cursor, found.map((one) => one.key).sort(), await store.count()]);
  };
  // A snapshot is invisible until it is committed, and replaces another one that was not.
  await store.add('a', records.slice(0, 1));
  await store.add(state.generation, records);
  await look();
  seen.push(await store.commit(null, state, []));
  await look();
  seen.push(await store.commit(null, { ...state, cursor: 'other' }, [{ kind, key, stored: null }]));
  await look();
  const trip = records.at(-1) as StoredRecord;
  const next = { ...state, cursor: 'c2' };
  const changes = [
    { kind, key, stored: null },
    { kind: trip.kind, key: trip.key, stored: { ...trip, vehicle: 'v9' } },
  ];
  seen.push(await store.commit(state, next, changes));
  await look();
  seen.push(
    (await store.list('trip', 'v1')).map((one) => one.key),
    (await store.list('trip', 'v9')).map((one) => one.key),
  );
  seen.push((await store.get(kind, key)) ?? null, ((await store.get(trip.kind, trip.key)) as StoredRecord).record);
  await store.add('c', records.slice(1, 2));
  const third = { ...state, generation: 'c', cursor: 'c3' };
  // The same place in the log, of another copy or of one that has become current, is another state.
  for (const other of [third, { ...state, settled: 'c1' }]) {
    seen.push(await store.commit({ ...other, cursor: 'c2' }, third, []));
  }
  seen.push(await store.commit(next, third, []));
  await look();
  const last = { ...state, generation: 'a', cursor: 'c4' };
  await store.commit(third, last, []);
  await look();
  // A snapshot in progress stays while the copy is behind, and is of no use once it is current.
  await store.add('d', records.slice(0, 2));
  const behind = { ...last, cursor: 'c5' };
  await store.commit(last, behind, []);
  await store.commit(behind, { ...behind, generation: 'd' }, []);
  await look();
  await store.add('e', records);
  const current = { ...behind, generation: 'd', settled: 'c5' };
  await store.commit({ ...behind, generation: 'd' }, current, []);
  await store.commit(current, { ...current, generation: 'e' }, []);
  await look();
  return seen;
}

const RECORDS = [tag('t1', 'Red'), tag('t2', 'Blue'), trip('p1', 'v1'), trip('p2', 'v1')];
const SEEN = [
  ...[null, [], undefined, [undefined, [], 0]],
  ...[true, ['c1', ['p1', 'p2', 't1', 't2'], 4]],
  ...[false, ['c1', ['p1', 'p2', 't1', 't2'], 4]],
  ...[true, ['c2', ['p1', 'p2', 't2'], 3]],
  ...[['p1'], ['p2'], null, { key: 'p2', vehicle_key: 'v1' }],
  ...[false, false, true, ['c3', ['t2'], 1], ['c4', [], 0]],
  ...[
    ['c5', ['t1', 't2'], 2],
    ['c5', [], 0],
  ],
];

test.each([
  ['memory', memoryStore],
  ['SQLite', () => sqliteStore(new DatabaseSync(':memory:'))],
])('a store in %s shows one generation, and stores changes only from the cursor that it has', async (_, make) => {
  expect(await useStore(make(), STATE, RECORDS)).toEqual(SEEN);
});

test('so does IndexedDB, which keeps all in one database for the pages of an origin', async () => {
  const browser = await sharedBrowser();
  const context = await browser.newContext();
  await useClientPages(context);
  const page = await openClientPage(context);
  const seen = await page.evaluate(
    async ([use, state, records]) => {
      const { Waybridge } = window as unknown as { readonly Waybridge: Waybridge };
      const run = new Function(`return ${use}`)() as typeof useStore;
      return run(await Waybridge.indexedDbStore(), state, records);
    },
    [useStore.toString(), STATE, RECORDS] as const,
  );
  expect(seen).toEqual(SEEN);
  await closePages(browser);
});

test('a store of SQLite that another process has changed shows that, and rejects what follows from the former state', async () => {
  const database = new DatabaseSync(':memory:');
  const [one, other] = [sqliteStore(database), sqliteStore(database)];
  await one.commit(null, STATE, [changed(tag('t1', 'Red'))]);
  expect(await other.list('tag')).toEqual([tag('t1', 'Red')]);
  expect(await other.commit(STATE, { ...STATE, cursor: 'c2' }, [changed(tag('t1', 'Blue'))])).toBe(true);
  expect(await one.commit(STATE, { ...STATE, cursor: 'c2' }, [changed(tag('t1', 'Green'))])).toBe(false);
  expect(await one.list('tag')).toEqual([tag('t1', 'Blue')]);
});
