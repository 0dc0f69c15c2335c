import { gzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { packageFolder, readPackageFile } from '../../../http/package-file.ts';
import { enter, formTokenOf, signInUser, useOauthHost, Visitor } from '../../hosts/oauth-host.ts';
import { useDatabase } from '../../services/database.ts';

useDatabase();
const host = useOauthHost();

async function signedIn() {
  const user = await signInUser();
  const visitor = new Visitor(host.at);
  return { user, visitor, page: await enter(host.at, visitor, '/console', user) };
}

/** A page of the console in a language. */
async function openIn(visitor: Visitor, accepted: string): Promise<string> {
  const headers = { cookie: visitor.cookieHeader(), 'accept-language': accepted };
  const answer = await host.at.fetch(`${host.at.issuer}/console`, { method: 'GET', headers });
  return answer.text();
}

test('a user who signs in sees the vehicles, and the way to apps and security in the same frame', async () => {
  const { visitor, page } = await signedIn();
  for (const [path, title] of [
    ['/console', 'Vehicles'],
    ['/apps', 'Apps'],
    ['/security', 'Security'],
  ]) {
    const { text } = path === '/console' ? page : await visitor.get(host.at.issuer + path);
    expect([...text.matchAll(/href="[^"]*(\/[a-z]+)"(?: aria-current="page")?><svg/g)].map(([, href]) => href)).toEqual(
      [
        '/console',
        '/devices',
        '/places',
        '/rules',
        '/sharing',
        '/people',
        '/keys',
        '/webhooks',
        '/changes',
        '/settings',
        '/apps',
        '/security',
      ],
    );
    expect(text).toMatch(new RegExp(`${path}" aria-current="page">.*${title}</a>`));
  }
});

test('a page opens after sign-in where it was asked for, and no address leads elsewhere', async () => {
  const { user } = await signedIn();
  const after = async (path: string, action = '/console/sign-in') => {
    const visitor = new Visitor(host.at);
    const { text } = await visitor.get(host.at.issuer + path);
    const to = /name="to" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const { email, password } = user;
    const fields = { email, password, form_token: /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '', to };
    return (await visitor.post(host.at.issuer + action, fields)).url.replace(host.at.issuer, '');
  };
  expect(await after('/console/vehicle?key=a&day=2026-11-29')).toBe('/console/vehicle?key=a&day=2026-11-29');
  expect(await after('/console/sign-in?to=%2Fconsole%2Ftrip%3Fkey%3Db')).toBe('/console/trip?key=b');
  expect(await after('/security?done=password', '/security/sign-in')).toBe('/security?done=password');
  for (const to of [
    'https://evil.example/console/',
    '//evil.example/console/',
    '/consoles',
    '/console/../apps',
    '/\\evil.example',
  ]) {
    expect(await after(`/console/sign-in?to=${encodeURIComponent(to)}`)).toBe('/console');
  }
});

test('signing out ends the session, and the page asks for sign-in again', async () => {
  const { visitor, page } = await signedIn();
  const { text } = await visitor.post(`${host.at.issuer}/console/sign-out`, { form_token: formTokenOf(page) });
  expect(text).toContain('<h1>Sign in</h1>');
});

test.each([
  ['de', 'de', 'Fahrzeuge'],
  ['fr-FR, de-AT;q=0.8, en;q=0.5', 'de', 'Fahrzeuge'],
  ['en-US,de;q=0.9', 'en', 'Vehicles'],
  ['fr', 'en', 'Vehicles'],
  ['', 'en', 'Vehicles'],
])('a reader who accepts %j reads %s', async (accepted, lang, title) => {
  const { visitor } = await signedIn();
  const text = await openIn(visitor, accepted);
  expect(text).toContain(`<html lang="${lang}">`);
  expect(text).toContain(`<h1>${title}</h1>`);
});

test('a page runs scripts by its nonce alone', async () => {
  const { page } = await signedIn();
  const policy = page.headers.get('content-security-policy') ?? '';
  const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1];
  expect(policy).not.toContain('unsafe');
  expect(page.text).toContain(
    `<script type="module" nonce="${nonce}" src="${host.at.issuer}/console/files/vehicles.js">`,
  );
});

test('the scripts of each page, without those that load when they are needed, are smaller than 50 kB', async () => {
  const read = (name: string) => readPackageFile(`build/bundle/console/${name}`);
  for (const page of await packageFolder('pages/console/views')) {
    if (!page.endsWith('.ts')) continue;
    const names = new Set([page.replace('.ts', '.js')]);
    let total = 0;
    for (const name of names) {
      const script = await read(name);
      total += gzipSync(script).length;
      for (const [, imported = ''] of script.toString().matchAll(/(?:from|import)\s*"\.\/([\w-]+\.js)"/g))
        names.add(imported);
    }
    expect([page, total > 5000, total < 50_000]).toEqual([page, true, true]);
  }
});

test.each(['../waybridge.js', '%2e%2e%2fwaybridge.js', 'none.js', 'THIRD-PARTY-NOTICES.txt'])(
  'nothing but the scripts of the console is a file of it: %s',
  async (name) => {
    const visitor = new Visitor(host.at);
    expect((await visitor.get(`${host.at.issuer}/console/files/${name}`)).status).toBe(404);
  },
);
