import { expect, test } from 'vitest';

import { openKey } from '../../../auth/secrets/key-encryption.ts';
import { signTripToken } from '../../../auth/trip-token.ts';
import { OauthRecordStore } from '../../../models/sign-in/oauth-record.ts';
import { SigningKeyStore } from '../../../models/sign-in/signing-key.ts';
import { account } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import {
  actionOf,
  authorizeUrl,
  CALLBACK,
  registeredApp,
  scopesOf,
  send,
  signInUser,
  useOauthHost,
  Visitor,
} from '../../hosts/oauth-host.ts';
import { allStores } from '../../../models/store/plain-store.ts';

useDatabase({ keyEncryptionSecret: 'a secret of the operator that is long enough' });
const service = useOauthHost();

/** All that is stored, as text. */
async function dump(): Promise<string> {
  const records = allStores().map((store) => store.driver(testService).find().toArray());
  return JSON.stringify(await Promise.all(records));
}

test('a stolen database holds nothing that opens an endpoint', async () => {
  const { api_key } = await account();
  const user = await signInUser();
  const app = await registeredApp({ scopes: ['account.read'] });
  const visitor = new Visitor(service.at);
  const request = authorizeUrl(service.at, { client_id: app.client_id, prompt: 'consent' });

  const consent = await visitor.signIn(request, user);
  const allow = async () => {
    const page = await visitor.get(request);
    const { url } = await visitor.post(actionOf(page), { decision: 'allow', scope: scopesOf(page) });
    return new URL(url).searchParams.get('code') ?? '';
  };
  const waiting = actionOf(consent).split('/').at(-1);
  const [unused, code] = [await allow(), await allow()];
  const fields = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...app };
  const { body } = await send(service.at, '/oauth/token', fields);
  const refresh = (token: string) =>
    send(service.at, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...app });
  const { body: next } = await refresh(String(body.refresh_token));
  await signTripToken(testService, service.at.issuer, {
    sub: 'vehicle:a',
    aud: 'https://a.example',
    scope: 'loc-past',
    client_id: 'a',
    grant: 'b',
  });
  const key = await SigningKeyStore.findOne(testService);

  const secrets = {
    api_key,
    password: user.password,
    client_secret: app.client_secret,
    session: visitor.cookies.get('__Host-waybridge_session'),
    browser: visitor.cookies.get('__Host-waybridge_browser'),
    waiting,
    code: unused,
    access_token: body.access_token,
    refresh_token: body.refresh_token,
    next_access_token: next.access_token,
    next_refresh_token: next.refresh_token,
    signing_key: (await openKey(testService, key?.private_key ?? '')).d,
  };
  const stored = await dump();
  expect(stored).toContain(app.client_id);
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, String(secret).length > 20]).toEqual([name, true]);
    expect([name, stored.includes(String(secret))]).toEqual([name, false]);
  }

  // What is kept of the successors of a refresh token, for the seconds in which they are given again, is no token.
  const rotation = await OauthRecordStore.findOne(testService, { kind: 'Rotation' });
  for (const kept of [rotation?.details, rotation?.id_hash]) {
    expect(await refresh(String(kept))).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  }
  expect((rotation?.expires_at?.getTime() ?? Infinity) - Date.now()).toBeLessThanOrEqual(10_000);
});
