import { expect, test, vi } from 'vitest';

import { findApiKey } from '../../../auth/api-keys.ts';
import { isPassword } from '../../../auth/secrets/passwords.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { ApiKeyStore } from '../../../models/account/api-key.ts';
import { BillingSubscriptionStore } from '../../../models/account/billing-subscription.ts';
import { unrestricted, accountAccessScope } from '../../../models/store/tenancy.ts';
import { UserStore } from '../../../models/account/user.ts';
import { createAccount } from '../../../resolvers/account/create-account.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

test('an account has an owner, a key that opens it, and an active subscription', async () => {
  const { account_key, owner_key, api_key } = await createAccount(testService, { nickname: ' Bakery ' });
  const accessScope = accountAccessScope(testService, account_key);
  expect(await AccountStore.findOne(accessScope)).toMatchObject({ nickname: 'Bakery', owner_key });
  expect(await findApiKey(testService, api_key)).toMatchObject({ kind: 'owner', account_key, plan: 'premium' });
  expect(await UserStore.findOne(accessScope, { key: owner_key })).toMatchObject({
    email: null,
    group_keys: [],
    disabled: false,
  });
  expect(await BillingSubscriptionStore.find(accessScope)).toMatchObject([
    { status: 'active', plan: { key: 'standard', name: 'Standard', billing_period: 'month' } },
  ]);
});

test('a basic account has a key that says so', async () => {
  const { api_key } = await createAccount(testService, { nickname: 'Kiosk', plan: 'basic' });
  expect(await findApiKey(testService, api_key)).toMatchObject({ plan: 'basic' });
});

test('the password is kept as its hash', async () => {
  const { owner_key } = await createAccount(testService, {
    nickname: 'Mill',
    signIn: { email: 'Mia@Mill.example', password: 'flour and water, salt' },
  });
  const owner = await UserStore.findOne(unrestricted(testService), { key: owner_key });
  expect(owner).toMatchObject({ email: 'Mia@Mill.example', email_folded: 'mia@mill.example' });
  expect(owner?.password_hash).not.toContain('flour');
  expect(await isPassword('flour and water, salt', owner?.password_hash ?? null)).toBe(true);
});

test('the owners of several accounts have the same e-mail address', async () => {
  const signIn = { email: 'eve@one.example', password: 'rye bread at dawn' };
  const accounts = await Promise.all(
    ['One', 'Two', 'Three'].map((nickname) => createAccount(testService, { nickname, signIn })),
  );
  expect(new Set(accounts.map(({ account_key }) => account_key)).size).toBe(3);
});

test('an owner whose writing was not confirmed is taken back', async () => {
  const before = await count();
  const request = { nickname: 'Pier', signIn: { email: 'pia@pier.example', password: 'rye bread at dawn' } };
  const create = vi.spyOn(UserStore, 'create').mockImplementationOnce(async (within, user) => {
    await UserStore.insertMany(within, [user]);
    throw new Error('connection lost');
  });
  await expect(createAccount(testService, request)).rejects.toThrow('connection lost');
  create.mockRestore();
  expect(await count()).toEqual(before);
  await createAccount(testService, request);
});

test.each([
  [{ nickname: ' ' }, 'nickname must have 1 to 255 characters'],
  [{ nickname: 'A', plan: 'gold' }, 'plan must be one of premium, basic'],
  [
    { nickname: 'A', signIn: { email: 'ada', password: 'rye bread at dawn' } },
    'email must be an e-mail address such as ada@example.com',
  ],
  [
    { nickname: 'A', signIn: { email: 'a@b.example', password: '' } },
    'password must have at least 15 characters; several words in a row are easy to remember',
  ],
])('%j is refused, and nothing is written', async (request, message) => {
  const before = await count();
  await expect(createAccount(testService, request)).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  expect(await count()).toEqual(before);
});

/** Counts of accounts, subscriptions, API keys and users. */
function count(): Promise<number[]> {
  const accessScope = unrestricted(testService);
  return Promise.all([
    AccountStore.countDocuments(accessScope),
    BillingSubscriptionStore.countDocuments(accessScope),
    ApiKeyStore.countDocuments(accessScope),
    UserStore.countDocuments(accessScope),
  ]);
}
