import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { issueApiKey } from '../../../auth/api-keys.ts';
import { createGrant, issueAccessToken, revokeGrant } from '../../../auth/grants.ts';
import { issueIngestKey, revokeIngestKey } from '../../../auth/ingest-keys.ts';
import { signIn } from '../../../auth/oauth/sign-in.ts';
import { rotateSigningKeys } from '../../../auth/signing-keys.ts';
import { SecurityEventStore } from '../../../models/account/security-event.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { approveApp } from '../../../resolvers/apps/app-resolver.ts';
import { addUser, disableUser, enableUser } from '../../../resolvers/users/manage-user.ts';
import { listSecurityEvents } from '../../../resolvers/users/security-event-resolver.ts';
import { issueResetLink, resetPassword } from '../../../auth/passwords/reset-link.ts';
import { setPassword } from '../../../auth/passwords/set-password.ts';
import { account, appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService, changeSettings } from '../../services/database.ts';
import { type AskGraphql, graphqlClient } from '../../clients/graphql-client.ts';
import { signInUser } from '../../hosts/oauth-host.ts';

useDatabase();

type Event = Readonly<Record<string, unknown>>;

interface EventPage {
  readonly nodes: readonly Event[];
  readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
}

let ask: AskGraphql;
let own: Awaited<ReturnType<typeof account>>;
beforeAll(async () => {
  ask = await graphqlClient();
});
beforeEach(async () => {
  own = await account();
});

async function events(args = '', headers = own.headers): Promise<Event[]> {
  const fields = 'key kind time count actor user_key subject network browser';
  const { data } = await ask(`{ securityEvents${args} { nodes { ${fields} } page_info { end_cursor } } }`, headers);
  return (data as { securityEvents: { nodes: Event[] } }).securityEvents.nodes;
}

const kinds = async (args = '') => (await events(args)).map(({ kind }) => kind);

describe('the owner reads', () => {
  test('what the operator does', async () => {
    const password = 'oats and barley, milk';
    const key = await addUser(testService, own.key, { email: `${own.key}@mill.example` }, password);
    await setPassword(testService, { user: key, password: `${password}, eggs`, revokesGrants: false });
    const { token } = await issueResetLink(testService, key);
    await resetPassword(testService, { token, password, revokesGrants: false }, { address: '192.0.2.7' });
    await disableUser(testService, key);
    await disableUser(testService, key);
    await enableUser(testService, { user: key, revokesGrants: false });
    expect((await events(`(user_key: "${key}")`)).map(({ kind, actor }) => [kind, actor])).toEqual([
      ['user_enabled', 'operator'],
      ['user_disabled', 'operator'],
      ['password_reset', 'user'],
      ['reset_link_issued', 'operator'],
      ['password_set', 'operator'],
      ['user_added', 'operator'],
    ]);
  });

  test('keys, apps and grants, with what they are called and no secret', async () => {
    const issued = (await ask('mutation { issueApiKey { key api_key } }', own.headers)).data?.issueApiKey as Record<
      string,
      string
    >;
    await ask(`mutation { revokeApiKey(key: "${issued.key}") { key } }`, own.headers);
    await ask(`mutation { revokeApiKey(key: "${issued.key}") { key } }`, own.headers);
    const registered = (
      await ask(
        'mutation { registerApp(input: { name: "Planner", redirect_uris: ["https://a.example"] }) { client_id client_secret } }',
        own.headers,
      )
    ).data?.registerApp as Record<string, string>;
    const { client_id = '' } = registered;
    await approveApp(testService, client_id, ['trippoints.read']);
    const user_key = await user(own.key);
    const grant = await createGrant(testService, { user_key, client_id, scopes: ['account.read'] });
    await revokeGrant(testService, grant.id_hash);
    await ask(`mutation { rotateAppSecret(client_id: "${client_id}") { client_secret } }`, own.headers);
    for (const required of [false, true]) {
      await ask(
        `mutation { updateApp(client_id: "${client_id}", input: { requires_pkce: ${required} }) { name } }`,
        own.headers,
      );
    }
    await ask(`mutation { updateApp(client_id: "${client_id}", input: { name: "Route" }) { name } }`, own.headers);
    await ask(`mutation { deleteApp(client_id: "${client_id}") }`, own.headers);
    const device = await issueIngestKey(testService, { account_key: own.key, device_key: 'd' });
    await revokeIngestKey(testService, device.key, 'device');
    const forwarder = await issueIngestKey(testService, { account_key: own.key, device_key: null });
    await revokeIngestKey(testService, forwarder.key, 'forwarder');
    await revokeIngestKey(testService, forwarder.key, 'forwarder');
    const found = await events();
    expect(found.map(({ kind, actor, subject }) => [kind, actor, subject])).toEqual([
      ['forwarder_key_revoked', 'operator', forwarder.key],
      ['forwarder_key_created', 'operator', forwarder.key],
      ['device_key_revoked', 'operator', device.key],
      ['device_key_created', 'operator', device.key],
      ['app_deleted', 'owner', client_id],
      ['app_changed', 'owner', client_id],
      ['app_pkce_required', 'owner', client_id],
      ['app_pkce_optional', 'owner', client_id],
      ['app_secret_rotated', 'owner', client_id],
      ['grant_revoked', 'operator', client_id],
      ['grant_given', 'operator', client_id],
      ['app_approved', 'operator', client_id],
      ['app_registered', 'owner', client_id],
      ['api_key_revoked', 'owner', issued.key],
      ['api_key_created', 'owner', issued.key],
      ['api_key_created', 'operator', own.apiKeyKey],
    ]);
    const stored = JSON.stringify(await SecurityEventStore.find(unrestricted(testService)));
    for (const secret of [issued.api_key, registered.client_secret, device.secret, forwarder.secret]) {
      expect(stored).not.toContain(secret);
    }
  });

  test('sign-ins by network and browser; failures of an hour as one', async () => {
    const { key, email, password } = await signInUser(own.key);
    const userAgent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';
    // Counted failures of the past expire, by the clock of the database.
    const at = new Date('2126-03-01T12:10:00Z');
    const attempt = (given: string, address = '192.0.2.7') =>
      signIn(testService, { email, password: given, address, userAgent }, at);
    for (let failure = 0; failure < 10; failure++) await attempt('wrong');
    await attempt('wrong', '2001:db8::7');
    for (let refused = 0; refused < 3; refused++) await attempt(password);
    await attempt(password, '2001:db8::7');
    const said = (await events(`(user_key: "${key}")`)).map(({ kind, count, network, actor }) => [
      kind,
      count,
      network,
      actor,
    ]);
    expect(said).toEqual([
      ['signed_in', 1, '2001:db8::/64', 'user'],
      ['sign_in_limited', 1, '192.0.2.0/24', 'visitor'],
      ['sign_in_failed', 1, '2001:db8::/64', 'visitor'],
      ['sign_in_failed', 10, '192.0.2.0/24', 'visitor'],
    ]);
    expect((await events(`(first: 1, user_key: "${key}")`))[0]).toMatchObject({
      browser: 'Chrome on Windows',
      time: '2126-03-01T12:10:00+00:00',
    });
  });

  test('page by page', async () => {
    for (let n = 0; n < 4; n++) await issueApiKey(testService, own.key);
    const query = (after: string) =>
      `{ securityEvents(first: 2${after}) { nodes { key } page_info { end_cursor has_next_page } } }`;
    const seen: unknown[] = [];
    let after = '';
    for (let page = 0; page < 3; page++) {
      const { data } = await ask(query(after), own.headers);
      const { nodes, page_info } = (data as { securityEvents: EventPage }).securityEvents;
      seen.push(...nodes.map(({ key }) => key));
      expect(page_info.has_next_page).toBe(page < 2);
      after = `, after: "${page_info.end_cursor}"`;
    }
    expect(seen).toEqual((await events()).map(({ key }) => key));
    expect(seen).toHaveLength(5);
  });
});

test('nobody reads the events of another account, or goes on from one', async () => {
  const other = await account();
  const [foreign] = await events('', other.headers);
  expect((await events()).map(({ key }) => key)).not.toContain(foreign?.key);
  expect(await ask(`{ securityEvents(after: "${foreign?.key}") { nodes { key } } }`, own.headers)).toMatchObject({
    errors: [{ extensions: { code: 'BAD_REQUEST' } }],
  });
});

test('no app reads them, whatever its scopes', async () => {
  const scopes = ['account.read', 'account.manage', 'devices.manage', 'billing.read', 'user.read'];
  const { headers } = await appFor(await user(own.key), scopes);
  expect(await ask('{ securityEvents { nodes { key } } }', headers)).toMatchObject({
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
});

test('the operator sees what concerns no account: signing keys, and sign-in with an address that nobody has', async () => {
  await rotateSigningKeys(testService);
  await signIn(testService, { email: 'nobody@example.com', password: 'wrong', address: '203.0.113.7' });
  const { nodes } = await listSecurityEvents({ accessScope: unrestricted(testService), first: 2 });
  expect(nodes.map(({ kind, network }) => [kind, network])).toEqual([
    ['sign_in_failed', '203.0.113.0/24'],
    ['signing_keys_rotated', null],
  ]);
  expect(JSON.stringify(nodes)).not.toContain('nobody');
  expect(await kinds()).toEqual(['api_key_created']);
});

test('an event is kept for the days that were set, and one that strangers can cause for 30 at most', async () => {
  changeSettings({ securityLogDays: 90 });
  await issueApiKey(testService, own.key);
  await signIn(testService, { email: 'stranger@example.com', password: 'wrong', address: '198.51.100.8' });
  changeSettings({ securityLogDays: 400 });
  const newest = await SecurityEventStore.find(unrestricted(testService)).sort({ _id: -1 }).limit(2);
  const days = newest.map(({ time, expires_at }) => (expires_at.getTime() - time.getTime()) / 86_400_000);
  expect(days).toEqual([30, 90]);
});

test('a token of an app that is used twice is an event', async () => {
  const someone = await user(own.key);
  const { grant } = await appFor(someone, ['account.read']);
  await issueAccessToken(testService, grant);
  await revokeGrant(testService, grant.id_hash, { by: 'service' }, 'token_reused');
  expect((await events(`(user_key: "${someone}")`)).map(({ kind, actor }) => [kind, actor])).toEqual([
    ['token_reused', 'service'],
    ['grant_given', 'operator'],
  ]);
});
