import type { FastifyInstance } from 'fastify';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';

import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { SCOPES } from '../../../auth/scopes/scope.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { ApiKeyStore } from '../../../models/account/api-key.ts';
import { DeletedRecordStore } from '../../../models/account/deleted-record.ts';
import { UserStore } from '../../../models/account/user.ts';
import { newKey } from '../../../models/key.ts';
import { accountAccessScope, unrestricted } from '../../../models/store/tenancy.ts';
import { listAccounts } from '../../../resolvers/account/list-accounts.ts';
import { removeAccount, restoreAccount } from '../../../resolvers/account/remove-account.ts';
import { purgeDeleted } from '../../../tracking/retention/purge-deleted.ts';
import { accountOfRecord } from '../../../models/lookup/account-of-record.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { everyStore } from '../../../server/database/all-stores.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { makeWorld } from '../../clients/example-requests.ts';
import { appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { dieAfter } from '../../processes/die-after.ts';
import { at, ingestHost } from '../../hosts/ingest-host.ts';

useDatabase();

const DAY_MS = 86_400_000;

let app: FastifyInstance;
let client: AccountClient;
beforeAll(async () => {
  ({ app } = await ingestHost());
  client = await AccountClient.of(app);
  return () => app.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** An account with a record of each kind, positions, an app that a user has allowed, and all its credentials. */
async function accountWithAll() {
  const { headers, keys, secret } = await makeWorld(client);
  const key = (await client.get('/account', headers)).json().key as string;
  const user_key = await user(key);
  const allowed = await appFor(user_key, Object.keys(SCOPES));
  const forwarder = (await issueIngestKey(testService, { account_key: key, device_key: null })).secret;
  const device = { authorization: `Bearer ${secret}` };
  await client.post('/ingest', { points: [at(0, 'engine_start'), at(10, 'trip_hard_brake'), at(20)] }, device);
  await leasedWorkEnded(testService);
  const answers = async () => [
    (await client.get('/trips', headers)).statusCode,
    (await client.get('/trips', allowed.headers)).statusCode,
    (await client.post('/ingest', { points: [] }, device)).statusCode,
    (await client.post('/ingest', { serial: 'WB-0001', points: [] }, { authorization: `Bearer ${forwarder}` }))
      .statusCode,
  ];
  return {
    key,
    keys: { ...keys, user_key, app: allowed.client_id } as Readonly<Record<string, string>>,
    headers,
    answers,
  };
}

/** Numbers of the documents of all collections in which one of some keys stands, by the names of the collections. */
async function documentsWith(keys: readonly string[]): Promise<Record<string, number>> {
  const numbers: Record<string, number> = {};
  for (const { collection } of everyStore()) {
    const documents = await testService.connection.collection(collection).find({}).toArray();
    const found = documents
      .map((document) => JSON.stringify(document))
      .filter((text) => keys.some((key) => text.includes(key)));
    if (found.length > 0) numbers[collection] = found.length;
  }
  return numbers;
}

test('a removed account is open to nobody, and comes back with all its people, keys and apps', async () => {
  const { key, keys, headers, answers } = await accountWithAll();
  const other = await accountWithAll();
  const trips = (await client.get('/trips', headers)).json();
  expect(trips.trips.length).toBeGreaterThan(0);
  expect(await answers()).toEqual([200, 200, 200, 200]);

  await removeAccount(testService, key);
  expect(await answers()).toEqual([401, 401, 401, 401]);
  expect(await other.answers()).toEqual([200, 200, 200, 200]);
  const listed = (await listAccounts(testService, { first: 1000 })).nodes.map((node) => node.key);
  expect([listed.includes(key), listed.includes(other.key)]).toEqual([false, true]);
  await expect(accountOfRecord(testService, 'user', keys.user_key ?? '')).rejects.toThrow(
    `belongs to account ${key}, which was removed`,
  );
  await expect(accountOfRecord(testService, 'vehicle', keys.vehicle ?? '')).rejects.toThrow('restore that first');
  await expect(removeAccount(testService, key)).rejects.toThrow(/^account must be the key of an account/);

  await restoreAccount(testService, key);
  expect(await answers()).toEqual([200, 200, 200, 200]);
  expect((await client.get('/trips', headers)).json()).toEqual(trips);
  expect(await DeletedRecordStore.countDocuments(accountAccessScope(testService, key))).toBe(0);
  await expect(restoreAccount(testService, key)).rejects.toThrow(/^account must be the key of an account/);
});

test('a user who was deleted before stays deleted when the account comes back', async () => {
  const { key, keys, headers } = await accountWithAll();
  await client.delete(`/user/${keys.user}`, headers);
  await removeAccount(testService, key);
  await restoreAccount(testService, key);
  expect((await client.get(`/user/${keys.user}`, headers)).statusCode).toBe(404);
  expect((await client.post(`/user/${keys.user}/restore`, {}, headers)).statusCode).toBe(200);
});

test.each([1, 4])('a removal that is interrupted after %i writes is completed by another', async (writes) => {
  const { key, answers } = await accountWithAll();
  const collections = [UserStore, AccountStore, DeletedRecordStore].map((store) => store.driver(testService));
  const process = dieAfter(writes, collections, ['findOneAndDelete', 'updateOne']);
  await expect(removeAccount(testService, key)).rejects.toThrow('killed');
  expect(process.isDead()).toBe(true);
  vi.restoreAllMocks();
  await removeAccount(testService, key);
  expect(await answers()).toEqual([401, 401, 401, 401]);
  await restoreAccount(testService, key);
  expect(await answers()).toEqual([200, 200, 200, 200]);
});

test('a removed account is purged after 30 days: no document of any collection names it or anything of it', async () => {
  const { key, keys } = await accountWithAll();
  const other = await accountWithAll();
  const all = [key, ...Object.values(keys)];
  const stored = await documentsWith([key]);
  for (const { collection, schema } of everyStore()) {
    if (!schema.path('account_key') || collection in stored) continue;
    const document = { account_key: key, vehicle_key: keys.vehicle, key: newKey() };
    await testService.connection.collection(collection).insertOne(document);
  }
  const before = await documentsWith(all);
  const others = [other.key, ...Object.values(other.keys)];
  const untouched = await documentsWith(others);
  await removeAccount(testService, key);
  await purgeDeleted(testService, undefined, Date.now() + 29 * DAY_MS);
  await restoreAccount(testService, key);
  expect((await documentsWith(all)).trip_points).toBe(before.trip_points);
  await removeAccount(testService, key);
  await purgeDeleted(testService, undefined, Date.now() + 31 * DAY_MS);
  expect(Object.keys(await documentsWith(all))).toEqual(['deleted_records']);
  // A key that a request stored which was under way when the account was removed.
  await ApiKeyStore.create(unrestricted(testService), {
    key: 'late',
    name: null,
    account_key: key,
    secret_hash: 'late',
    created: new Date(),
  });
  for (let times = 0; times < 2; times += 1) await purgeDeleted(testService, undefined, Date.now() + 31 * DAY_MS);
  expect(await documentsWith(all)).toEqual({ security_events: 1 });
  expect(await ApiKeyStore.countDocuments(unrestricted(testService), { key: 'late' })).toBe(0);
  expect(await documentsWith(others)).toEqual(untouched);
  expect(await purgeDeleted(testService, undefined, Date.now() + 31 * DAY_MS)).toBe(false);
});
