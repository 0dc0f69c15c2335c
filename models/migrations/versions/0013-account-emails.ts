import { dropIndex } from './drop-index.ts';
import type { Migration } from './migration.ts';

const obsolete = dropIndex('users', 'email_folded_1');

/**
 * Makes e-mail addresses unique within an account, where they were unique in the whole service. The new index comes first, so
 * that an address is unique in its account at every moment. Older programs would sign a person in to any account of the address.
 */
export const accountEmails: Migration = {
  number: 13,
  name: 'account-emails',
  description: 'Lets the users of several accounts have the same e-mail address',
  pending: obsolete.pending,
  run: async (context) => {
    const options = { unique: true, partialFilterExpression: { email_folded: { $type: 'string' } } };
    await context.db.collection('users').createIndex({ email_folded: 1, account_key: 1 }, options);
    await obsolete.run(context);
  },
};
