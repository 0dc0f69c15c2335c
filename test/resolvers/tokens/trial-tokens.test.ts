import { beforeAll, expect, test } from 'vitest';

import { findAccessToken } from '../../../auth/grants.ts';
import { verifyTripToken } from '../../../auth/trip-token.ts';
import { AppStore } from '../../../models/account/app.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { addVehicle } from '../../../resolvers/vehicles/write-vehicle.ts';
import { type CreatedAccount, createAccount } from '../../../resolvers/account/create-account.ts';
import { disableUser } from '../../../resolvers/users/manage-user.ts';
import { registerApp } from '../../../resolvers/apps/register-app.ts';
import { issueTrialAccessToken, issueTrialToken } from '../../../resolvers/tokens/trial-token.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

const issuer = 'https://localhost:8443';
const origin = 'https://page.example';
let account: CreatedAccount;
let vehicle: string;
beforeAll(async () => {
  account = await createAccount(testService, { nickname: 'Bakery' });
  vehicle = await addVehicle(testService, { account: account.account_key, nickname: 'Van' });
});

test('a special-purpose token opens the vehicle on its page, and there is one app for all of them', async () => {
  const request = { vehicle, origin: `${origin}/fleet`, scope: 'loc-past-lt:2026-03-01', issuer };
  const tokens = await Promise.all([
    issueTrialToken(testService, request),
    issueTrialToken(testService, request),
    issueTrialToken(testService, request),
  ]);
  for (const { token } of tokens) {
    expect(await verifyTripToken(testService, token, issuer, origin)).toEqual({
      kind: 'embed',
      expires: expect.any(Number),
      account_key: account.account_key,
      group_keys: null,
      vehicle_key: vehicle,
      scope: { lt: Date.UTC(2026, 2, 1) },
      client_id: expect.stringMatching(/^command-line-/),
      grant_hash: expect.any(String),
      trips_state: expect.stringMatching(/^\[0,/),
      zones: [],
    });
  }
  const apps = await AppStore.find(accountAccessScope(testService, account.account_key));
  expect(apps).toMatchObject([{ name: 'Waybridge command line', scopes: ['account_activity.read'] }]);
});

test('a later token comes from the same grant', async () => {
  const grants = () => OauthRecordStore.countDocuments(testService, { kind: 'Grant' });
  await issueTrialToken(testService, { vehicle, origin, scope: 'loc-past', issuer });
  const before = await grants();
  await issueTrialToken(testService, { vehicle, origin, scope: 'loc-past', issuer });
  expect(await grants()).toBe(before);
});

test('an access token lets an app do what it may be granted, or less', async () => {
  const other = await createAccount(testService, { nickname: 'Planners' });
  const redirectUris = ['https://a.example'];
  const app = await registerApp(testService, { account: other.account_key, name: 'Planner', redirectUris });
  const request = { app: app.client_id, user: other.owner_key };
  const all = await findAccessToken(testService, await issueTrialAccessToken(testService, request));
  expect([...(all?.scopes ?? [])]).toEqual([
    'account.read',
    'account_activity.read',
    'vehicles.read',
    'user.read',
    'places.read',
  ]);
  const less = await findAccessToken(
    testService,
    await issueTrialAccessToken(testService, { ...request, scopes: ['vehicles.read'] }),
  );
  expect(less).toMatchObject({ user_key: other.owner_key, scopes: new Set(['vehicles.read']) });
  await expect(issueTrialAccessToken(testService, { ...request, scopes: ['account.manage'] })).rejects.toThrow(
    'scope account.manage has not been approved for the app',
  );
});

test('nobody acts for a user who is shut out', async () => {
  const other = await createAccount(testService, { nickname: 'Closed' });
  const van = await addVehicle(testService, { account: other.account_key, nickname: 'Van' });
  const app = await registerApp(testService, {
    account: other.account_key,
    name: 'App',
    redirectUris: ['https://a.example'],
  });
  await disableUser(testService, other.owner_key);
  await expect(issueTrialAccessToken(testService, { app: app.client_id, user: other.owner_key })).rejects.toThrow(
    'user is disabled',
  );
  await expect(issueTrialToken(testService, { vehicle: van, origin, scope: 'loc-past', issuer })).rejects.toThrow(
    'owner is disabled',
  );
});
