import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createGrant } from '../../../auth/grants.ts';
import { signIn } from '../../../auth/oauth/sign-in.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { GroupStore } from '../../../models/account/group.ts';
import { UserStore } from '../../../models/account/user.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { findResetLink, resetPassword } from '../../../auth/passwords/reset-link.ts';
import { disableUser } from '../../../resolvers/users/manage-user.ts';
import {
  ENDPOINTS,
  FleetClient,
  userChange,
  userCreation,
  userDeletion,
  userInvitation,
  userRestoration,
} from '../../clients/fleet-client.ts';
import { account, appFor, group, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { signInUser } from '../../hosts/oauth-host.ts';

useDatabase();

let client: FleetClient;
let own: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  client = await FleetClient.open();
});
afterAll(() => client.close());
beforeEach(async () => {
  own = await account();
});

const accessScope = unrestricted(testService);
const here = { address: '192.0.2.1' };

describe.each(ENDPOINTS)('By %s', (endpoint) => {
  test('a deleted user is gone, with its sessions and what it has allowed apps', async () => {
    const { key, email, password } = await signInUser(own.key);
    const app = await appFor(key, ['user.read']);
    expect((await client.send(endpoint, userDeletion(key), own.headers)).record).toEqual({ key, deleted: true });
    expect(await client.get(`/user/${key}`, own.headers)).toMatchObject({ status: 404 });
    expect((await client.get('/users', own.headers)).body).not.toContain(key);
    expect((await client.get('/account', own.headers)).body).toContain('"user_count":1');
    expect(await client.get('/user', app.headers)).toMatchObject({ status: 401 });
    expect(await signIn(testService, { email, password, ...here })).toMatchObject({ kind: 'wrong' });
    expect(await OauthRecordStore.countDocuments(testService, { user_key: key })).toBe(0);
    expect(await client.send(endpoint, userDeletion(key), own.headers)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a deleted user comes back with the same password, in its groups as they are now; apps ask anew', async () => {
    const north = await group(own.key, 'North');
    const { key, email, password } = await signInUser(own.key, [north.key]);
    const app = await appFor(key, ['user.read']);
    await client.send(endpoint, userDeletion(key), own.headers);
    const moved = { group_path: ['west', north.key] };
    await GroupStore.updateOne(accessScope, { key: north.key }, moved);
    for (const _ of ['once', 'again']) {
      expect(await client.send(endpoint, userRestoration(key), own.headers)).toMatchObject({
        record: { key, email, group_keys: [north.key], disabled: false },
      });
    }
    expect(await UserStore.findOne(accessScope, { key })).toMatchObject(moved);
    expect(await signIn(testService, { email, password, ...here })).toMatchObject({ kind: 'user', user_key: key });
    expect(await client.get('/user', app.headers)).toMatchObject({ status: 401 });
  });

  test('a user whom the operator disabled is still disabled when it comes back', async () => {
    const key = await user(own.key);
    await disableUser(testService, key);
    await client.send(endpoint, userDeletion(key), own.headers);
    expect(await client.send(endpoint, userRestoration(key), own.headers)).toMatchObject({
      record: { disabled: true },
    });
  });

  test('the e-mail address of a deleted user is free; who comes back later does not take it', async () => {
    const { key, email } = await signInUser(own.key);
    await client.send(endpoint, userDeletion(key), own.headers);
    const other = await client.send(endpoint, userCreation({ email }), own.headers);
    expect(await client.send(endpoint, userRestoration(key), own.headers)).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('email is taken'),
    });
    await client.send(endpoint, userDeletion(String(other.record.key)), own.headers);
    expect(await client.send(endpoint, userRestoration(key), own.headers)).toMatchObject({ code: 'OK' });
  });

  test('a user is kept if the database does not say which index has rejected it', async () => {
    const key = await user(own.key);
    await client.send(endpoint, userDeletion(key), own.headers);
    const rejection = Object.assign(new Error('Duplicate key violation'), { code: 11_000 });
    const rejecting = vi.spyOn(UserStore, 'insertStored').mockRejectedValueOnce(rejection);
    onTestFinished(() => rejecting.mockRestore());
    expect(await client.send(endpoint, userRestoration(key), own.headers)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await client.send(endpoint, userRestoration(key), own.headers)).toMatchObject({ code: 'OK' });
  });

  test('nobody brings back a user of another account, or who never was', async () => {
    const key = await user(own.key);
    await client.send(endpoint, userDeletion(key), own.headers);
    const { headers } = await account();
    for (const unknown of [key, 'nobody']) {
      expect(await client.send(endpoint, userRestoration(unknown), headers)).toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('an invited user sets a password by the link, once; a newer link ends the one before', async () => {
    const email = `${own.key}-${endpoint}@invited.example`.toLowerCase();
    const made = await client.send(endpoint, userCreation({ email }), own.headers);
    const key = String(made.record.key);
    const again = await client.send(endpoint, userInvitation(key), own.headers);
    expect(await findResetLink(testService, tokenIn(made.record))).toBeNull();
    const form = { token: tokenIn(again.record), password: 'rye bread at dawn', revokesGrants: false };
    expect(await resetPassword(testService, form, here)).toEqual(expect.any(String));
    expect(await resetPassword(testService, form, here)).toBeNull();
    expect(await signIn(testService, { email, password: form.password, ...here })).toMatchObject({ user_key: key });
    expect(await client.send(endpoint, userInvitation(key), own.headers)).toMatchObject({
      code: 'BAD_REQUEST',
      message: 'key names a user who has a password already',
    });
  });

  test('an invitation is good for a week', async () => {
    const made = await client.send(
      endpoint,
      userCreation({ email: `${own.key}-${endpoint}@week.example` }),
      own.headers,
    );
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    expect(await findResetLink(testService, tokenIn(made.record), days(6.9))).toMatchObject({ key: made.record.key });
    expect(await findResetLink(testService, tokenIn(made.record), days(7.1))).toBeNull();
  });
});

test('a deletion that was interrupted is completed by repeating it, and undone by bringing the user back', async () => {
  const [one, other] = [await user(own.key), await user(own.key)];
  for (const key of [one, other]) {
    const interrupted = { disabled: true, disabled_before: false };
    await UserStore.updateOne(accessScope, { key }, interrupted);
  }
  await createGrant(testService, { user_key: one, client_id: 'planner', scopes: ['user.read'] });
  expect(await client.send('REST', userDeletion(one), own.headers)).toMatchObject({ code: 'OK' });
  expect(await OauthRecordStore.countDocuments(testService, { user_key: one })).toBe(0);
  for (const key of [one, other]) {
    expect(await client.send('REST', userRestoration(key), own.headers)).toMatchObject({ record: { disabled: false } });
  }
  expect(await client.send('REST', userChange(other, { first_name: 'Ada' }), own.headers)).toMatchObject({
    code: 'OK',
  });
});

function tokenIn({ invitation_url }: Readonly<Record<string, unknown>>): string {
  return new URL(String(invitation_url)).searchParams.get('token') ?? '';
}
