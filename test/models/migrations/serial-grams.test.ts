import { expect, test } from 'vitest';

import { serialGrams } from '../../../models/migrations/versions/0003-serial-grams.ts';
import { MIGRATIONS } from '../../../models/migrations/versions/all-migrations.ts';
import { runMigrations } from '../../../models/migrations/run-migrations.ts';
import { serialFields } from '../../../models/vehicles/serial-grams.ts';
import { graphqlClient } from '../../clients/graphql-client.ts';
import { account, device } from '../../services/account-fixture.ts';
import { runSize } from '../../services/run-size.ts';
import { dyingDatabase } from './dying-database.ts';
import { db, useOldDatabase } from './old-database.ts';

useOldDatabase();

/** The migrations up to this one. */
const migrations = MIGRATIONS.slice(0, 3);

const SERIALS = ['A', 'WB-0001', 'wb-0002', 'aaaa', 'İΑΣ 𐐀😀😁', '^$|\\.*'];

/** Stores devices of an account as programs before the migration did. */
async function storeOldDevices(account_key: string, serials: readonly string[]): Promise<void> {
  for (const serial of serials) await device(account_key, { serial });
  await db()
    .collection('devices')
    .updateMany({}, { $unset: { serial_grams: 1 } });
}

async function expectMigrated(serials: readonly string[]): Promise<void> {
  const devices = await db().collection('devices').find().sort({ _id: 1 }).toArray();
  expect(devices).toMatchObject(serials.map(serialFields));
  expect(await serialGrams.pending(db())).toBe(0);
}

test('devices of an older program are found by any part of their serials once they are migrated', async () => {
  const { key, headers } = await account();
  await storeOldDevices(key, SERIALS);
  const ask = await graphqlClient();
  const found = async (q: string) => {
    const query = 'query ($q: String) { devices(q: $q) { nodes { serial } } }';
    const { data } = await ask(query, headers, { q });
    return (data as { devices: { nodes: { serial: string }[] } }).devices.nodes.map(({ serial }) => serial);
  };
  expect(await found('wb-000')).toEqual([]);
  expect(await serialGrams.pending(db())).toBe(SERIALS.length);
  await runMigrations(db(), { migrations });
  await expectMigrated(SERIALS);
  expect(await found('wb-000')).toEqual(['WB-0001', 'wb-0002']);
  expect(await found('1')).toEqual(['WB-0001']);
  expect(await found('AAA')).toEqual(['aaaa']);
  expect(await found('𐐨😀')).toEqual(['İΑΣ 𐐀😀😁']);
});

test('a second run changes nothing', async () => {
  const { key } = await account();
  await storeOldDevices(key, SERIALS);
  await runMigrations(db(), { migrations });
  const changed: number[] = [];
  await serialGrams.run({ db: db(), count: async (more) => void changed.push(more) });
  expect(changed).toEqual([]);
  expect(await runMigrations(db(), { migrations })).toEqual([]);
  await expectMigrated(SERIALS);
});

test('a run that is killed behind any of its commands goes on where it was', async () => {
  const { key } = await account();
  // More than a batch, so that a run can end between two.
  const serials = Array.from({ length: 501 }, (_, at) => `WB-${at}`);
  await storeOldDevices(key, serials);
  const whole = dyingDatabase(db(), Infinity);
  const ignoreCount = async () => undefined;
  await serialGrams.run({ db: whole.db, count: ignoreCount });
  expect(whole.sent()).toBe(5);
  for (let deadline = 1; deadline < whole.sent(); deadline += runSize(2, 1)) {
    await db()
      .collection('devices')
      .updateMany({}, { $unset: { serial_grams: 1 } });
    await expect(serialGrams.run({ db: dyingDatabase(db(), deadline).db, count: ignoreCount })).rejects.toThrow('dead');
    await serialGrams.run({ db: db(), count: ignoreCount });
    await expectMigrated(serials);
  }
});
