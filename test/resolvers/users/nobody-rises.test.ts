import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { unrestricted } from '../../../models/store/tenancy.ts';
import { AccountStore } from '../../../models/account/account.ts';
import { SecurityEventStore } from '../../../models/account/security-event.ts';
import { UserStore } from '../../../models/account/user.ts';
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

useDatabase();

let client: FleetClient;
beforeAll(async () => {
  client = await FleetClient.open();
});
afterAll(() => client.close());

const SCOPES = ['account.read', 'account.manage', 'user.manage'];

/** An account whose first user is an unrestricted administrator, with two groups, one below the other, and a third. */
async function scene() {
  const { key, headers } = await account();
  const north = await group(key, 'North');
  const harbour = await group(key, 'Harbour', north);
  const south = await group(key, 'South');
  const admin = await user(key);
  const restricted = await user(key, [north]);
  return {
    key,
    owner: headers,
    groups: { north, harbour, south },
    app: (await appFor(admin, SCOPES)).headers,
    restricted: (await appFor(restricted, SCOPES)).headers,
    restrictedKey: restricted,
  };
}

const stored = (key: string) => UserStore.findOne(unrestricted(testService), { key });

describe.each(ENDPOINTS)('By %s', (endpoint) => {
  test('an unrestricted administrator makes a user unrestricted', async () => {
    const { key, app, groups } = await scene();
    const someone = await user(key, [groups.north], { account_role: 'viewer' });
    expect(await client.send(endpoint, userChange(someone, { group_keys: [] }), app)).toMatchObject({ code: 'OK' });
    expect(await stored(someone)).toMatchObject({ group_keys: [], group_path: [] });
  });

  test('a restricted administrator makes no user unrestricted, neither itself nor a new one', async () => {
    const { key, restricted, restrictedKey, groups } = await scene();
    const someone = await user(key, [groups.harbour], { account_role: 'viewer' });
    for (const change of [
      userChange(someone, { group_keys: [] }),
      userChange(restrictedKey, { group_keys: [] }),
      userCreation({ first_name: 'Ada' }),
      userCreation({ first_name: 'Ada', group_keys: [] }),
    ]) {
      expect(await client.send(endpoint, change, restricted)).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await stored(someone)).toMatchObject({ group_keys: [groups.harbour.key] });
  });

  test('nobody grants a group out of sight, or above the own ones', async () => {
    const { key, restricted, groups } = await scene();
    const { headers } = await appFor(await user(key, [groups.harbour]), SCOPES);
    const someone = await user(key, [groups.harbour], { account_role: 'viewer' });
    for (const [asker, unseen] of [
      [restricted, groups.south.key],
      [headers, groups.north.key],
    ] as const) {
      for (const change of [
        userChange(someone, { group_keys: [groups.harbour.key, unseen] }),
        userCreation({ group_keys: [unseen] }),
      ]) {
        expect(await client.send(endpoint, change, asker)).toMatchObject({ code: 'BAD_REQUEST' });
      }
    }
    expect(await stored(someone)).toMatchObject({ group_keys: [groups.harbour.key] });
  });

  test('a restricted administrator moves users between the groups that it sees', async () => {
    const { key, restricted, groups } = await scene();
    const someone = await user(key, [groups.harbour], { account_role: 'viewer' });
    const change = userChange(someone, { group_keys: [groups.north.key] });
    expect(await client.send(endpoint, change, restricted)).toMatchObject({
      code: 'OK',
      record: { group_keys: [groups.north.key] },
    });
    expect(await stored(someone)).toMatchObject({ group_path: [groups.north.key] });
  });

  test('a restricted administrator does not change, delete or bring back a user who sees more', async () => {
    const { key, owner, restricted, groups } = await scene();
    const wider = await user(key, [groups.harbour, groups.south], { account_role: 'viewer' });
    const unseen = await user(key, [], { account_role: 'viewer' });
    for (const [someone, code] of [
      [wider, 'FORBIDDEN'],
      [unseen, 'NOT_FOUND'],
    ] as const) {
      expect(await client.send(endpoint, userChange(someone, { first_name: 'Eve' }), restricted)).toMatchObject({
        code,
      });
      expect(await client.send(endpoint, userDeletion(someone), restricted)).toMatchObject({ code });
      await client.send(endpoint, userDeletion(someone), owner);
      expect(await client.send(endpoint, userRestoration(someone), restricted)).toMatchObject({ code });
      expect(await stored(someone)).toBeNull();
    }
  });

  test.each(['viewer', 'driver'] as const)(
    'an app that acts for a %s changes no user, whatever its scopes',
    async (role) => {
      const { key } = await scene();
      const own = await user(key, [], { account_role: role });
      const { headers } = await appFor(own, SCOPES);
      for (const change of [
        userChange(own, { account_role: 'administrator' }),
        userChange(own, { first_name: 'Eve' }),
        userCreation({}),
        userDeletion(own),
        userRestoration(own),
      ]) {
        expect(await client.send(endpoint, change, headers)).toMatchObject({ code: 'FORBIDDEN' });
      }
      expect(await stored(own)).toMatchObject({ account_role: role });
    },
  );

  test('an app without user.manage changes no user', async () => {
    const { key } = await scene();
    const admin = await user(key);
    const { headers } = await appFor(admin, ['account.read', 'account.manage', 'user.read']);
    for (const change of [userChange(admin, {}), userCreation({}), userDeletion(admin), userRestoration(admin)]) {
      expect(await client.send(endpoint, change, headers)).toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  test('an app changes no e-mail address', async () => {
    const { key, app } = await scene();
    const email = `${key}@app.example`;
    const someone = await user(key, [], { account_role: 'viewer', email });
    const change = userChange(someone, { email: `eve-${email}` });
    expect(await client.send(endpoint, change, app)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await client.send(endpoint, userChange(someone, { email, first_name: 'Ada' }), app)).toMatchObject({
      code: 'OK',
    });
    expect(await stored(someone)).toMatchObject({ email, first_name: 'Ada' });
  });

  test('an app sees no invitation link, and none is issued', async () => {
    const { key, app, owner } = await scene();
    const made = await client.send(endpoint, userCreation({ email: `${key}@invited.example` }), app);
    expect(made.code).toBe('OK');
    expect(made.record.invitation_url ?? null).toBeNull();
    const someone = String(made.record.key);
    expect(await stored(someone)).toMatchObject({ reset_hash: null });
    expect(await client.send(endpoint, userInvitation(someone), app)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await client.send(endpoint, userInvitation(someone), owner)).toMatchObject({
      record: { invitation_url: expect.stringContaining('/security/reset?token=') },
    });
  });

  test('an app makes no administrators: not a new one, not by role, group or return', async () => {
    const { key, app, owner, groups } = await scene();
    const viewer = await user(key, [], { account_role: 'viewer' });
    const restricted = await user(key, [groups.harbour]);
    const deleted = await user(key, [groups.harbour]);
    await client.send(endpoint, userDeletion(deleted), owner);
    for (const change of [
      userCreation({ account_role: 'administrator' }),
      userChange(viewer, { account_role: 'administrator' }),
      userChange(restricted, { group_keys: [] }),
      userChange(restricted, { group_keys: [groups.north.key] }),
      userChange(restricted, { group_keys: [groups.harbour.key, groups.south.key] }),
      userRestoration(deleted),
    ]) {
      expect(await client.send(endpoint, change, app)).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(await stored(viewer)).toMatchObject({ account_role: 'viewer' });
    expect(await stored(restricted)).toMatchObject({ group_keys: [groups.harbour.key] });
    expect(await stored(deleted)).toBeNull();
    expect(await client.send(endpoint, userChange(viewer, { account_role: 'administrator' }), owner)).toMatchObject({
      record: { account_role: 'administrator' },
    });
  });

  test('the last administrator is not removed: not deleted, not made anything else, not restricted', async () => {
    const { key, owner, headers } = await lastAdministrator();
    const north = await group(key, 'North');
    const last = await onlyUser(key);
    await user(key, [north]);
    await user(key, [], { account_role: 'viewer' });
    await user(key, [], { disabled: true });
    for (const asker of [owner, headers]) {
      for (const change of [
        userDeletion(last),
        userChange(last, { account_role: 'viewer' }),
        userChange(last, { group_keys: [north.key] }),
      ]) {
        expect(await client.send(endpoint, change, asker)).toMatchObject({ code: 'BAD_REQUEST' });
      }
    }
    expect(await stored(last)).toMatchObject({ account_role: 'administrator', group_keys: [], disabled: false });
    expect(await client.send(endpoint, userChange(last, { first_name: 'Ada' }), owner)).toMatchObject({ code: 'OK' });
  });

  test('of two requests that remove the last two administrators at the same time, one fails', async () => {
    for (let round = 0; round < 4; round++) {
      const { key, owner } = await lastAdministrator();
      const [one, other] = [await onlyUser(key), await user(key)];
      const outcomes = await Promise.all([
        client.send(endpoint, userDeletion(one), owner),
        client.send(endpoint, userChange(other, { account_role: 'driver' }), owner),
      ]);
      expect(outcomes.map(({ code }) => code).sort()).toEqual(['BAD_REQUEST', 'OK']);
      const left = { account_key: key, account_role: 'administrator' as const, disabled: false };
      expect(await UserStore.countDocuments(unrestricted(testService), left)).toBe(1);
    }
  });

  test('changes of rights are in the security log, one line each', async () => {
    const { key, owner, app, groups } = await scene();
    const someone = await user(key, [], { account_role: 'viewer' });
    await client.send(endpoint, userChange(someone, { account_role: 'driver', group_keys: [groups.north.key] }), app);
    await client.send(endpoint, userChange(someone, { email: `${someone}@log.example` }), owner);
    await client.send(endpoint, userChange(someone, { first_name: 'Ada', account_role: 'driver' }), owner);
    await client.send(endpoint, userDeletion(someone), owner);
    await client.send(endpoint, userRestoration(someone), owner);
    const events = await SecurityEventStore.find(unrestricted(testService), { user_key: someone }).sort({ _id: 1 });
    expect(events.map(({ kind, actor }) => `${kind} by ${actor}`)).toEqual([
      'user_role_changed by app',
      'user_groups_changed by app',
      'user_email_changed by owner',
      'user_deleted by owner',
      'user_restored by owner',
    ]);
    expect(events[0]).toMatchObject({ account_key: key, subject: expect.any(String) });
  });
});

test('a removal that was interrupted is taken over, and has no effect if it goes on after all', async () => {
  const { key, owner } = await lastAdministrator();
  const [one, other] = [await onlyUser(key), await user(key)];
  const before = await stored(one);
  const administrator_removal = { key: one, token: 'of a killed process' };
  await AccountStore.updateOne(unrestricted(testService), { key }, { administrator_removal });
  expect(await client.send('REST', userDeletion(other), owner)).toMatchObject({ code: 'OK' });
  expect((await stored(one))?.revision).not.toBe(before?.revision);
  const left = await AccountStore.findOne(unrestricted(testService), { key });
  expect(left?.administrator_removal).toBeNull();
});

/** An account with one user, by whom an app acts. */
async function lastAdministrator() {
  const { key, headers: owner } = await account();
  const { headers } = await appFor(await onlyUser(key), SCOPES);
  return { key, owner, headers };
}

async function onlyUser(account_key: string): Promise<string> {
  const found = await UserStore.findOne(unrestricted(testService), { account_key }, { key: 1 }).sort({ _id: 1 });
  return found?.key ?? '';
}
