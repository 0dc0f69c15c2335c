import { beforeAll, describe, expect, test } from 'vitest';

import { DEFAULT_SCOPES } from '../../../auth/scopes/scope.ts';
import { isSecret } from '../../../auth/secrets/secrets.ts';
import { AppStore } from '../../../models/account/app.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { listApps } from '../../../resolvers/apps/app-resolver.ts';
import { createAccount } from '../../../resolvers/account/create-account.ts';
import { registerApp } from '../../../resolvers/apps/register-app.ts';
import { useDatabase, testService } from '../../services/database.ts';

useDatabase();

let account: string;
beforeAll(async () => {
  account = (await createAccount(testService, { nickname: 'Bakery' })).account_key;
});

test('an app may be granted what is read only, unless the operator says otherwise', async () => {
  const redirectUris = ['https://a.example/back'];
  const plain = await registerApp(testService, { account, name: 'Plain', redirectUris });
  const approved = await registerApp(testService, {
    account,
    name: 'Fleet',
    redirectUris,
    scopes: ['devices.manage', 'account.read'],
  });
  const stored = (client_id: string) => AppStore.findOne(unrestricted(testService), { client_id });
  expect((await stored(plain.client_id))?.scopes).toEqual(DEFAULT_SCOPES);
  expect((await stored(approved.client_id))?.scopes).toEqual(['devices.manage', 'account.read']);
});

test('the secret is kept as its hash', async () => {
  const app = await registerApp(testService, { account, name: 'Planner', redirectUris: ['https://a.example'] });
  const stored = await AppStore.findOne(unrestricted(testService), { client_id: app.client_id });
  expect(isSecret(app.secret ?? '', stored?.secret_hash ?? '')).toBe(true);
  expect(JSON.stringify(stored)).not.toContain(app.secret);
});

test.each([
  'https://app.example/callback?state=kept',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:8080/callback',
])('%s may be a redirect address', async (uri) => {
  await expect(registerApp(testService, { account, name: 'App', redirectUris: [uri] })).resolves.toBeDefined();
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
  await expect(registerApp(testService, { account, name: 'App', redirectUris: [uri] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^redirect_uris must be https URLs/),
  });
});

test.each(['com.example.app:/callback', 'com.example-two.app9:/', 'http://127.0.0.1/callback'])(
  '%s may be a redirect address of a public app',
  async (uri) => {
    await expect(
      registerApp(testService, { account, name: 'App', redirectUris: [uri], isPublic: true }),
    ).resolves.toBeDefined();
  },
);

test.each([
  'custom:/callback',
  'com.example.app://callback',
  'com.example.app:callback',
  'COM.example.app:/callback',
  'com.example.app:/callback#token',
  'com..app:/callback',
  'javascript:alert(1)',
  'http://app.example/callback',
  'https://localhost/callback',
])('%s may not', async (uri) => {
  await expect(
    registerApp(testService, { account, name: 'App', redirectUris: [uri], isPublic: true }),
  ).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^redirect_uris /),
  });
});

test('an app with a secret has no private-use scheme', async () => {
  const redirectUris = ['com.example.app:/callback'];
  await expect(registerApp(testService, { account, name: 'App', redirectUris })).rejects.toThrow(
    /^redirect_uris must be https URLs/,
  );
});

test('an app has at most 20 redirect addresses of at most 2,000 characters', async () => {
  const uri = (length: number, at = 0) => `https://a.example/${at}/`.padEnd(length, 'x');
  const register = (redirectUris: string[]) => registerApp(testService, { account, name: 'App', redirectUris });
  await expect(register(Array.from({ length: 20 }, (_, at) => uri(2000, at)))).resolves.toBeDefined();
  await expect(register(Array.from({ length: 21 }, (_, at) => uri(30, at)))).rejects.toThrow(
    'redirect_uris must have at most 20 addresses',
  );
  await expect(register([uri(2001)])).rejects.toThrow('redirect_uris must be addresses of at most 2000 characters');
});

test.each([true, false])('PKCE is preset, and may be switched off: %s', async (requiresPkce) => {
  const redirectUris = ['https://a.example/back'];
  const { client_id } = await registerApp(testService, {
    account,
    name: 'App',
    redirectUris,
    ...(!requiresPkce && { requiresPkce }),
  });
  const [listed] = (await listApps({ accessScope: unrestricted(testService) })).filter(
    (app) => app.client_id === client_id,
  );
  expect(listed).toMatchObject({ requires_pkce: requiresPkce, is_public: false, reviewed: null });
});

test('an app that was registered before there was a choice need not use PKCE', async () => {
  const { client_id } = await registerApp(testService, {
    account,
    name: 'Old',
    redirectUris: ['https://a.example/back'],
  });
  await AppStore.driver(testService).updateOne({ client_id }, { $unset: { pkce: 1, reviewed: 1 } });
  const [listed] = (await listApps({ accessScope: unrestricted(testService) })).filter(
    (app) => app.client_id === client_id,
  );
  expect(listed).toMatchObject({ requires_pkce: false, reviewed: null });
});

describe('the name of an app', () => {
  const register = (name: string) =>
    registerApp(testService, { account, name, redirectUris: ['https://a.example/back'] });

  test.each(['Route planner', 'Tourenplaner für Müller & Söhne', 'Планировщик', '路線計画', 'Flotte 🚚 2000', "L'été"])(
    '%s is accepted',
    async (name) => {
      await expect(register(name)).resolves.toBeDefined();
    },
  );

  test.each([
    ['a line break', 'Plan\nner'],
    ['a control character', 'Plan\u0007ner'],
    ['a bidi override', 'Plan\u202ener'],
    ['a bidi isolate', 'Plan\u2066ner'],
    ['a zero-width space', 'Plan\u200bner'],
    ['a soft hyphen', 'Plan\u00adner'],
    ['a line separator', 'Plan\u2028ner'],
    ['an invisible letter', 'Plan\u3164ner'],
    ['a tag character', 'Plan\u{e0041}ner'],
  ])('with %s is refused', async (_what, name) => {
    await expect(register(name)).rejects.toThrow('name must not have control, format or other invisible characters');
  });

  test.each([
    'Waybridge',
    'waybridge support',
    'WAY BRIDGE',
    'W-a-y.bridge',
    'Wаybridgе',
    'Ｗａｙｂｒｉｄｇｅ',
    'Wäybrídge',
    'Waybr1dge',
    'Waybrldge',
    'VVaybridge',
    '𝐖𝐚𝐲𝐛𝐫𝐢𝐝𝐠𝐞',
    'ԝауЬгіԁɡе',
  ])('%s looks like the service and is refused', async (name) => {
    await expect(register(name)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/^name must not (look like the name of this service|mix alphabets in one word)/),
    });
  });

  test('that mixes alphabets in one word is refused', async () => {
    await expect(register('Pаypal')).rejects.toThrow('name must not mix alphabets in one word: Pаypal');
  });
});

test('an unknown scope is named', async () => {
  const request = { account, name: 'App', redirectUris: ['https://a.example'], scopes: ['account.read', 'everything'] };
  await expect(registerApp(testService, request)).rejects.toThrow(
    /^scope "everything" is unknown; the scopes are account\.read, /,
  );
});
