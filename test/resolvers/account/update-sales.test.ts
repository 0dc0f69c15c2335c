import { expect, test } from 'vitest';

import { AccountStore } from '../../../models/account/account.ts';
import { accountAccessScope } from '../../../models/store/tenancy.ts';
import { createAccount } from '../../../resolvers/account/create-account.ts';
import { updateBilling, updatePartner } from '../../../resolvers/account/update-sales.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

test('changes of different fields of an account at once are all stored', async () => {
  const { account_key } = await createAccount(testService, { nickname: 'Bakery' });
  await Promise.all([
    updateBilling(testService, account_key, { card_type: 'Visa' }),
    updateBilling(testService, account_key, { last_four: '4242' }),
    updateBilling(testService, account_key, { expiration_month: 5 }),
    updatePartner(testService, account_key, { partner_key: 'north' }),
    updatePartner(testService, account_key, { partner_name: 'North' }),
  ]);
  const account = await AccountStore.findOne(accountAccessScope(testService, account_key));
  expect(account).toMatchObject({
    billing_info: { card_type: 'Visa', last_four: '4242', expiration_month: 5 },
    partner_key: 'north',
    partner_name: 'North',
  });
});
