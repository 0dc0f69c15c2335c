import { expect, test } from 'vitest';

import { decodeInTurns } from '../../../models/store/decode-in-turns.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { DeviceStore } from '../../../models/vehicles/device.ts';
import { account, device } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';
import { countTurns } from '../../services/event-loop-turns.ts';

useDatabase();

test('other requests run between the documents of one batch, which arrive complete and in order', async () => {
  const { key } = await account();
  await Promise.all(Array.from({ length: 60 }, () => device(key)));
  const accessScope = accountAccessScope(testService, key);
  const options = { projection: { _id: 0, key: 1 }, sort: { _id: 1 }, batchSize: 1000 } as const;
  const turn = countTurns();
  const pieces: { readonly turn: number; readonly keys: readonly string[] }[] = [];
  const found = await decodeInTurns(DeviceStore.findStored(accessScope, {}, options), (documents) =>
    pieces.push({ turn: turn(), keys: documents.map((document) => document.key) }),
  );
  expect(Math.max(...pieces.map(({ keys }) => keys.length))).toBeLessThanOrEqual(50);
  expect(new Set(pieces.map((piece) => piece.turn)).size).toBe(pieces.length);
  expect(pieces.flatMap(({ keys }) => keys)).toEqual(found.map((document) => document.key));
  expect(found).toEqual(await DeviceStore.findStored(accessScope, {}, options).toArray());
});
