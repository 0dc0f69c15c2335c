import { expect, test, vi } from 'vitest';

import { findApiKey } from '../../../auth/api-keys.ts';
import { isPassword } from '../../../auth/passwords.ts';
import { AccountModel } from '../../../models/account/account.ts';
import { ApiKeyModel } from '../../../models/account/api-key.ts';
import { BillingSubscriptionModel } from '../../../models/account/billing-subscription.ts';
import { UNRESTRICTED, accountAccessScope } from '../../../models/tenancy.ts';
import { UserModel } from '../../../models/account/user.ts';
import { createAccount } from '../../../resolvers/account/create-account.ts';
import { useDatabase } from '../../services/database.ts';

useDatabase();

test('an account has an owner, a key that opens it, and an active subscription', async () => {
  const { account_key, owner_key, api_key } = await createAccount({ nickname: ' Bakery ' });
  const accessScope = accountAccessScope(account_key);
  expect(await AccountModel.findOne({}, null, { accessScope }).lean()).toMatchObject({ nickname: 'Bakery', owner_key });
  expect(await findApiKey(api_key)).toEqual({ kind: 'owner', account_key, plan: 'premium' });
  expect(await UserModel.findOne({ key: owner_key }, null, { accessScope }).lean()).toMatchObject({
    email: null,
    group_keys: [],
    disabled: false,
  });
  expect(await BillingSubscriptionModel.find({}, null, { accessScope }).lean()).toMatchObject([
    { status: 'active', plan: { key: 'standard', name: 'Standard', billing_period: 'month' } },
  ]);
});

test('a basic account has a key that says so', async () => {
  const { api_key } = await createAccount({ nickname: 'Kiosk', plan: 'basic' });
  expect(await findApiKey(api_key)).toMatchObject({ plan: 'basic' });
});

test('the password is kept as its hash', async () => {
  const { owner_key } = await createAccount({
    nickname: 'Mill',
    signIn: { email: 'Mia@Mill.example', password: 'flour and water, salt' },
  });
  const owner = await UserModel.findOne({ key: owner_key }, null, { accessScope: UNRESTRICTED }).lean();
  expect(owner).toMatchObject({ email: 'Mia@Mill.example', email_folded: 'mia@mill.example' });
  expect(owner?.password_hash).not.toContain('flour');
  expect(await isPassword('flour and water, salt', owner?.password_hash ?? null)).toBe(true);
});

test('the owners of several accounts have the same e-mail address', async () => {
  const signIn = { email: 'eve@one.example', password: 'rye bread at dawn' };
  const accounts = await Promise.all(['One', 'Two', 'Three'].map((nickname) => createAccount({ nickname, signIn })));
  expect(new Set(accounts.map(({ account_key }) => account_key)).size).toBe(3);
});

test('an owner whose writing was not confirmed is taken back', async () => {
  const before = await count();
  const request = { nickname: 'Pier', signIn: { email: 'pia@pier.example', password: 'rye bread at dawn' } };
  const insertMany = UserModel.insertMany.bind(UserModel);
  const create = vi.spyOn(UserModel, 'create').mockImplementationOnce(async (users: unknown) => {
    await insertMany(users);
    throw new Error('connection lost');
  });
  await expect(createAccount(request)).rejects.toThrow('connection lost');
  create.mockRestore();
  expect(await count()).toEqual(before);
  await createAccount(request);
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
  await expect(createAccount(request)).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  expect(await count()).toEqual(before);
});

/** Counts of accounts, subscriptions, API keys and users. */
function count(): Promise<number[]> {
  const accessScope = UNRESTRICTED;
  return Promise.all([
    AccountModel.countDocuments({}, { accessScope }),
    BillingSubscriptionModel.countDocuments({}, { accessScope }),
    ApiKeyModel.countDocuments({}, { accessScope }),
    UserModel.countDocuments({}, { accessScope }),
  ]);
}
