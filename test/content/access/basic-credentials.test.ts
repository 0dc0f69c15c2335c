import { beforeAll, expect, test } from 'vitest';

import { newApplicationPassword, identifyWebsiteUser } from '../../../content/access/application-passwords.ts';
import { readCredentials } from '../../../auth/identify.ts';
import { WebsiteUserStore } from '../../../content/models/website-user.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

const { password, stored } = newApplicationPassword();
beforeAll(async () => {
  await WebsiteUserStore.create(testService, {
    id: 7,
    username: 'Mara',
    username_folded: 'mara',
    email: 'mara@example.com',
    email_folded: 'mara@example.com',
    slug: 'mara',
    roles: ['author'],
    registered_date: new Date(),
    application_passwords: [stored],
  });
});

const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
const visitor = { kind: 'visitor' };

const spaced = password.replace(/.{4}(?=.)/g, '$& ');

test.each([
  ['Mara', password],
  ['mara', password],
  ['MARA', password],
  ['mara', spaced],
  ['Mara@Example.com', spaced],
])('%s and the application password “%s” prove the user', async (login, secret) => {
  const caller = await identifyWebsiteUser(testService, ['Authorization', basic(`${login}:${secret}`)]);
  expect(caller).toMatchObject({ kind: 'website', user_id: 7, login: 'Mara', roles: ['author'] });
  expect(caller).toHaveProperty('capabilities', expect.any(Set));
});

test.each([
  ['no header', []],
  ['another password', ['Authorization', basic('mara:wrong')]],
  ['a password in another case', ['Authorization', basic(`mara:${password.toLowerCase()}x`)]],
  ['another e-mail address', ['Authorization', basic(`ann@example.com:${password}`)]],
  ['another login', ['Authorization', basic(`nobody:${password}`)]],
  ['an empty password', ['Authorization', basic('mara:')]],
  ['an empty login', ['Authorization', basic(`:${password}`)]],
  ['no colon', ['Authorization', basic('mara')]],
  ['what is no base64', ['Authorization', 'Basic !!!']],
  ['another scheme', ['Authorization', `Bearer ${password}`]],
  ['two headers', ['Authorization', basic(`mara:${password}`), 'authorization', basic(`mara:${password}`)]],
])('%s proves nobody, and is no error', async (_, headers) => {
  expect(await identifyWebsiteUser(testService, headers)).toEqual(visitor);
});

test('a revoked application password proves nobody', async () => {
  const other = newApplicationPassword();
  await WebsiteUserStore.updateOne(testService, { id: 7 }, { $push: { application_passwords: other.stored } });
  const headers = ['Authorization', basic(`mara:${other.password}`)];
  expect(await identifyWebsiteUser(testService, headers)).toMatchObject({ user_id: 7 });
  await WebsiteUserStore.updateOne(
    testService,
    { id: 7 },
    { $pull: { application_passwords: { uuid: other.stored.uuid } } },
  );
  expect(await identifyWebsiteUser(testService, headers)).toEqual(visitor);
});

test('an application password is 24 letters and digits, of which a hash alone is stored', () => {
  expect(password).toMatch(/^[A-Za-z0-9]{24}$/);
  expect(JSON.stringify(stored)).not.toContain(password);
});

test('HTTP Basic is no credential at any other endpoint', () => {
  const headers = ['Authorization', basic(`mara:${password}`)];
  expect(() => readCredentials(headers)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
});
