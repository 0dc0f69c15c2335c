import { beforeAll, expect, test } from 'vitest';

import { DEFAULT_SCOPES } from '../../../auth/scope.ts';
import { isSecret } from '../../../auth/secrets.ts';
import { AppModel } from '../../../models/app.ts';
import { EVERYTHING } from '../../../models/tenancy.ts';
import { createAccount } from '../../../resolvers/provisioning/create-account.ts';
import { registerApp } from '../../../resolvers/provisioning/register-app.ts';
import { useDatabase } from '../../database.ts';

useDatabase();

let account: string;
beforeAll(async () => {
  account = (await createAccount({ nickname: 'Bakery' })).account_key;
});

test('an app may be granted what is read only, unless the operator says otherwise', async () => {
  const redirectUris = ['https://a.example/back'];
  const plain = await registerApp({ account, name: 'Plain', redirectUris });
  const approved = await registerApp({
    account,
    name: 'Fleet',
    redirectUris,
    scopes: ['devices.manage', 'account.read'],
  });
  const stored = (client_id: string) => AppModel.findOne({ client_id }, null, { sight: EVERYTHING }).lean();
  expect((await stored(plain.client_id))?.scopes).toEqual(DEFAULT_SCOPES);
  expect((await stored(approved.client_id))?.scopes).toEqual(['devices.manage', 'account.read']);
});

test('the secret is kept as its hash', async () => {
  const app = await registerApp({ account, name: 'Planner', redirectUris: ['https://a.example'] });
  const stored = await AppModel.findOne({ client_id: app.client_id }, null, { sight: EVERYTHING }).lean();
  expect(isSecret(app.client_secret ?? '', stored?.secret_hash ?? '')).toBe(true);
  expect(JSON.stringify(stored)).not.toContain(app.client_secret);
});

test.each([
  'https://app.example/callback?state=kept',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:8080/callback',
])('%s may be a redirect address', async (uri) => {
  await expect(registerApp({ account, name: 'App', redirectUris: [uri] })).resolves.toBeDefined();
});

test.each([
  'http://app.example/callback',
  'http://localhost.app.example/callback',
  'http://127.0.0.1.app.example/',
  'https://app.example/callback#token',
  'https://*.app.example/callback',
  'https://%2A.app.example/callback',
  'https://app%2eexample/callback',
  'https://0x7f.1/callback',
  'http://2130706433/callback',
  'https:app.example/callback',
  'https://ada:secret@app.example/callback',
  'https://app.example/call back',
  'https:\\\\app.example',
  'javascript:alert(1)',
  'data:text/html,hello',
  'custom://app',
  '//app.example',
  '',
])('%j may not', async (uri) => {
  await expect(registerApp({ account, name: 'App', redirectUris: [uri] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^redirect_uri must be an https URL/),
  });
});

test('an unknown scope is named', async () => {
  const request = { account, name: 'App', redirectUris: ['https://a.example'], scopes: ['account.read', 'everything'] };
  await expect(registerApp(request)).rejects.toThrow(/^scope "everything" is unknown; the scopes are account\.read, /);
});
