import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { memoryStore } from '../../../client/replica/memory-store.ts';
import { Replica } from '../../../client/replica/replica.ts';
import type { ReplicaStore } from '../../../client/replica/replica-store.ts';
import { sqliteStore } from '../../../client/replica/sqlite-store.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { injectedFetch } from '../../clients/injected-fetch.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { account } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { copiedRecords, kindsOf, queryRecords, withoutEmpty } from './queried-records.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
beforeAll(async () => {
  host = await ingestHost();
});
afterAll(() => host.app.close());

/** Minimum number of changes in a row after which the copies of these tests are read again. */
const LEAST = 5;

/** An account whose vehicle was renamed a number of times since its copy was taken. */
async function copyBehind(changes: number, store: ReplicaStore = memoryStore()) {
  const { headers } = await account();
  const { made } = await host.ask('mutation { made: createVehicle(input: { nickname: "Van" }) { key } }', headers);
  const { key } = made as { readonly key: string };
  /** Makes a program with the copy; `before` is called before each request, with its query. */
  const reader = (before = async (_query: string) => {}, least = LEAST) => {
    const send = injectedFetch(host.app);
    const fetch: typeof send = async (address, init) => {
      const { query, variables } = JSON.parse(String(init?.body));
      await before(query);
      const first = query.includes('changes(') ? 1 : variables.first;
      return send(address, { ...init, body: JSON.stringify({ query, variables: { ...variables, first } }) });
    };
    return new Replica(
      { url: 'https://localhost', credentials: { headers: async () => headers }, fetch },
      store,
      least,
    );
  };
  const rename = async (times: number) => {
    for (let at = 0; at < times; at++) {
      await host.ask(`mutation { updateVehicle(key: "${key}", input: { nickname: "Van ${at}" }) { key } }`, headers);
      await numberChanges(testService);
    }
  };
  await numberChanges(testService);
  await reader().sync();
  await rename(changes);
  const expectExact = async (copy: Replica) => {
    const queried = await queryRecords((query) => host.ask(query, headers), 'owner', kindsOf('owner', false));
    expect(await copiedRecords(copy)).toEqual(withoutEmpty(queried));
  };
  const generation = async () => (await store.state())?.generation;
  return { store, reader, rename, expectExact, generation };
}

/** Counts the pages of the log that are read after a cursor. */
function countingPages() {
  const counted = {
    pages: 0,
    before: async (query: string) => {
      if (query.includes('changes(')) counted.pages += 1;
    },
  };
  return counted;
}

test('a copy is read again after as many changes in a row as it has records, and not before', async () => {
  const { reader, expectExact, generation, store } = await copyBehind(LEAST + 1);
  const first = await generation();
  const counted = countingPages();
  const copy = reader(counted.before);
  await copy.sync();
  // The page after the last of them is read ahead; then the place in the log, and that nothing was changed meanwhile.
  expect([await generation(), counted.pages]).toEqual([expect.not.stringMatching(first ?? ''), LEAST + 3]);
  await expectExact(copy);
  expect(await store.count()).toBe(2);
});

test('a copy with more records than were changed reads the log', async () => {
  const { reader, rename, expectExact, generation, store } = await copyBehind(LEAST - 1);
  const first = await generation();
  const copy = reader();
  await copy.sync();
  await rename(LEAST - 1);
  await copy.sync();
  expect(await generation()).toBe(first);
  await rename(3 * LEAST);
  store.count = async () => 3 * LEAST;
  await copy.sync();
  expect(await generation()).toBe(first);
  await expectExact(copy);
});

test('a copy whose snapshots are always broken off reads on in the log, keeps what it has read, and leaves nothing behind', async () => {
  const database = new DatabaseSync(':memory:');
  const { reader, expectExact, generation, store } = await copyBehind(4 * LEAST, sqliteStore(database));
  const first = await generation();
  const breaking = async (query: string) => {
    if (query.includes(' trips(')) throw new Error('The program has ended');
  };
  const same = reader(breaking);
  const places: unknown[] = [(await store.state())?.cursor];
  // The first program goes on after the error; the others begin where it ended.
  for (const copy of [same, same, reader(breaking)]) {
    await expect(copy.sync()).rejects.toThrow();
    places.push((await store.state())?.cursor);
  }
  expect([await generation(), new Set(places).size]).toEqual([first, 4]);
  expect(database.prepare('SELECT count(*) AS count FROM waybridge_records').get()).toEqual({ count: 8 });
  const last = reader(breaking);
  await last.sync();
  expect(await generation()).toBe(first);
  await expectExact(last);
  expect(database.prepare('SELECT count(*) AS count FROM waybridge_records').get()).toEqual({ count: 2 });
});

test('a snapshot replaces a copy that another program has brought further, but not one that has become current', async () => {
  for (const least of [1, Number.POSITIVE_INFINITY]) {
    const { reader, expectExact, generation } = await copyBehind(4 * LEAST);
    const first = await generation();
    let pages = 3;
    const ending = async () => {
      if (least === 1 && --pages < 0) throw new Error('The program has ended');
    };
    const other = reader(ending, Number.POSITIVE_INFINITY);
    const copy = reader(async (query) => {
      if (query.includes(' places(')) await other.sync().catch(() => {});
    });
    await copy.sync();
    expect((await generation()) === first).toBe(least > 1);
    await expectExact(copy);
  }
});

test('a copy that changes while its snapshot is read is not read again before it is current', async () => {
  const { reader, rename, expectExact } = await copyBehind(LEAST + 1);
  let snapshots = 0;
  const copy = reader(async (query) => {
    if (!query.includes(' places(')) return;
    snapshots++;
    await rename(3 * LEAST);
  });
  await copy.sync();
  expect(snapshots).toBe(1);
  await expectExact(copy);
  await rename(LEAST + 1);
  await copy.sync();
  expect(snapshots).toBe(2);
});
