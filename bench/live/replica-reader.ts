import { createRequire } from 'node:module';

import { memoryStore } from '../../client/replica/memory-store.ts';
import { Replica } from '../../client/replica/replica.ts';
import { type SqliteDatabase, sqliteStore } from '../../client/replica/sqlite-store.ts';
import { apiKey } from '../../client/service/credentials.ts';

const [url = '', key = '', cursor, file] = process.argv.slice(2);

const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
  readonly DatabaseSync: new (file: string) => SqliteDatabase;
};
const store = file === undefined ? memoryStore() : sqliteStore(new DatabaseSync(file));
let changes = 0;
const { commit } = store;
store.commit = (before, next, read) => {
  changes += read.length;
  return commit.call(store, before, next, read);
};
const copy = new Replica({ url, credentials: apiKey(key) }, store);
await copy.sync();
const state = await store.state();
// The changes since then are read again.
if (state && cursor !== undefined) await store.commit(state, { ...state, cursor }, []);
const [before, start] = [process.cpuUsage(), performance.now()];
await copy.sync();
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    cursor: state?.cursor,
    changes,
    isSnapshot: (await store.state())?.generation !== state?.generation,
    records: await store.count(),
    seconds: (performance.now() - start) / 1000,
    cpu: (user + system) / 1e6,
  }),
);
