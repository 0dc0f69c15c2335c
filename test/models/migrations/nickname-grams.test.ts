import { expect, test } from 'vitest';

import { nicknameGrams } from '../../../models/migrations/versions/0008-nickname-grams.ts';
import { MIGRATIONS } from '../../../models/migrations/versions/all-migrations.ts';
import { dataVersions } from '../../../models/migrations/data-version.ts';
import { runMigrations } from '../../../models/migrations/run-migrations.ts';
import { nicknameFields } from '../../../models/vehicles/vehicle.ts';
import { graphqlClient } from '../../clients/graphql-client.ts';
import { account, vehicle } from '../../services/account-fixture.ts';
import { db, useOldDatabase } from './old-database.ts';

useOldDatabase();

/** The migrations up to this one. */
const migrations = MIGRATIONS.slice(0, 8);

const NICKNAMES = ['Van 1', 'ΑΣ 𐐀😀', 'x', null];

test('vehicles of an older program are found by any part of their nicknames once they are migrated', async () => {
  const { key, headers } = await account();
  const vehicles = db().collection('vehicles');
  for (const nickname of NICKNAMES) {
    const old = { $set: { nickname }, $unset: { nickname_folded: 1, nickname_grams: 1 } };
    await vehicles.updateOne({ key: await vehicle(key) }, old as never);
  }
  const ask = await graphqlClient();
  const found = async (q: string) => {
    const query = 'query ($q: String) { vehicles(q: $q) { nodes { nickname } } }';
    const { data } = await ask(query, headers, { q });
    return (data as { vehicles: { nodes: { nickname: string }[] } }).vehicles.nodes.map(({ nickname }) => nickname);
  };
  expect(await found('van')).toEqual([]);
  expect(await nicknameGrams.pending(db())).toBe(NICKNAMES.length);
  await runMigrations(db(), { migrations });
  expect(await nicknameGrams.pending(db())).toBe(0);
  expect(await vehicles.find().sort({ _id: 1 }).toArray()).toMatchObject(NICKNAMES.map(nicknameFields));
  expect([await found('van'), await found('𐐨😀'), await found('X')]).toEqual([['Van 1'], ['ΑΣ 𐐀😀'], ['x']]);
  expect(await dataVersions(db()).findOne()).toMatchObject({ version: 8, least_reader: 8 });
});
