import { expect, test } from 'vitest';

import { findAccessToken } from '../../../auth/grants.ts';
import { approveApp } from '../../../resolvers/apps/app-resolver.ts';
import { account, appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

test('an app may ask for what was approved; what users have allowed stays as it is', async () => {
  const { client_id, access_token } = await appFor(await user((await account()).key), ['account.read']);
  expect(await approveApp(testService, client_id, ['billing.read', 'account.read'])).toEqual([
    'account.read',
    'billing.read',
  ]);
  expect((await findAccessToken(testService, access_token))?.scopes).toEqual(new Set(['account.read']));
});

test.each([
  ['an unknown scope', ['everything'], 'scope "everything" is unknown'],
  ['an unknown app', ['billing.read'], 'app must be the key of an app'],
])('%s is named', async (_, scopes, message) => {
  await expect(approveApp(testService, 'unknown', scopes)).rejects.toThrow(message);
});
