import { expect, test } from 'vitest';

import { accountEmails } from '../../../models/migrations/versions/0013-account-emails.ts';
import { UserStore } from '../../../models/account/user.ts';
import { undeclaredIndexes } from '../../../server/database/indexes.ts';
import { dyingDatabase } from './dying-database.ts';
import { db, useOldDatabase } from './old-database.ts';
import { testService } from '../../services/database.ts';

useOldDatabase();

const ignoreCount = async () => undefined;

/** Users and the index of programs before the migration. */
async function storeOldUsers(): Promise<void> {
  const users = db().collection('users');
  await users.insertMany([
    { key: 'ada', account_key: 'a', email_folded: 'ada@example.com' },
    { key: 'bob', account_key: 'a', email_folded: null },
    { key: 'cora', account_key: 'a' },
  ]);
  const partialFilterExpression = { email_folded: { $type: 'string' } };
  await users.createIndex({ email_folded: 1 }, { unique: true, partialFilterExpression });
}

async function expectMigrated(): Promise<void> {
  expect(await accountEmails.pending(db())).toBe(0);
  const users = db().collection('users');
  await users.insertOne({ key: 'ada-too', account_key: 'b', email_folded: 'ada@example.com' });
  const again = { key: 'eve', account_key: 'b', email_folded: 'ada@example.com' };
  await expect(users.insertOne(again)).rejects.toMatchObject({ code: 11_000 });
  await UserStore.model(testService).createIndexes();
  expect((await undeclaredIndexes(testService)).filter((name) => name.startsWith('users.'))).toEqual([]);
}

test('an address of an older program is unique in its account afterwards, and free in others', async () => {
  await storeOldUsers();
  expect(await accountEmails.pending(db())).toBe(1);
  const changed: number[] = [];
  await accountEmails.run({ db: db(), count: async (more) => void changed.push(more) });
  await expectMigrated();
  await accountEmails.run({ db: db(), count: async (more) => void changed.push(more) });
  expect(changed).toEqual([1]);
});

test('a run that is killed behind any of its commands goes on where it was, and leaves no address twice meanwhile', async () => {
  const begin = async () => {
    await db().dropDatabase();
    await storeOldUsers();
  };
  await begin();
  const whole = dyingDatabase(db(), Infinity);
  await accountEmails.run({ db: whole.db, count: ignoreCount });
  expect(whole.sent()).toBeGreaterThan(1);
  for (let deadline = 0; deadline < whole.sent(); deadline += 1) {
    await begin();
    await expect(accountEmails.run({ db: dyingDatabase(db(), deadline).db, count: ignoreCount })).rejects.toThrow(
      'dead',
    );
    const twice = { key: 'twice', account_key: 'a', email_folded: 'ada@example.com' };
    await expect(db().collection('users').insertOne(twice)).rejects.toMatchObject({ code: 11_000 });
    await accountEmails.run({ db: db(), count: ignoreCount });
    await expectMigrated();
  }
});
