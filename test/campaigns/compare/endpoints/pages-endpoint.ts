import { matched } from '../answer.ts';
import type { Draft, Comparison } from '../comparison.ts';
import { CALLBACK, PASSWORD } from '../seed.ts';

const FORM_TOKEN = matched(/name="form_token" value="([^"]+)"/);
const NEW_PASSWORD = 'oats and barley, milk';

/** The pages on which people look after their apps and their security, and what their forms do. */
export async function pagesEndpoint(comparison: Comparison): Promise<void> {
  for (const path of ['/apps', '/security']) await signInPages(comparison, path);
  await apps(comparison);
  await security(comparison);
  await reset(comparison);
}

/** Sends a form of the page last seen. */
function send(path: string, form: Required<Draft>['form'], keep: Draft['keep'] = {}): Draft {
  return {
    method: 'POST',
    path,
    browser: 'keeper',
    form: { form_token: '{{form_token}}', ...form },
    keep,
    isNeeded: true,
  };
}

async function open(comparison: Comparison, path: string, browser = 'keeper', keep: Draft['keep'] = {}): Promise<void> {
  await comparison.ask({ path, browser, keep: { form_token: FORM_TOKEN, ...keep }, isNeeded: true });
}

async function enter(comparison: Comparison, path: string, email: string, password = PASSWORD): Promise<void> {
  await open(comparison, path);
  await comparison.ask(send(`${path}/sign-in`, { email, password }));
  await open(comparison, path);
}

/** Signs in with what is wrong, from pages that are not the service's, and out again. */
async function signInPages(comparison: Comparison, path: string): Promise<void> {
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'POST']) await comparison.ask({ method, path, browser: 'keeper' });
  await comparison.ask({ path: `${path}/nothing`, browser: 'keeper' });
  await comparison.ask({ path: `${path}/`, browser: 'keeper' });
  await comparison.ask({ path: `${path}/sign-in`, browser: 'keeper' });
  for (const [email, password] of [
    ['owner@example.com', 'wrong'],
    ['nobody@example.com', PASSWORD],
    ['former@example.com', PASSWORD],
    ['', ''],
  ] as const) {
    await enter(comparison, path, email, password);
  }
  await open(comparison, path);
  const right = { email: 'owner@example.com', password: PASSWORD };
  await comparison.ask({ ...send(`${path}/sign-in`, right), headers: { origin: 'https://evil.example' } });
  await comparison.ask({ ...send(`${path}/sign-in`, right), headers: { 'sec-fetch-site': 'cross-site' } });
  await comparison.ask(send(`${path}/sign-in`, { ...right, form_token: 'forged' }));
  await comparison.ask({ method: 'POST', path: `${path}/sign-in`, browser: 'keeper', json: right });
  await enter(comparison, path, 'owner@example.com');
  await comparison.ask(send(`${path}/sign-out`, { form_token: 'forged' }));
  await comparison.ask({ ...send(`${path}/sign-out`, {}), headers: { origin: 'https://evil.example' } });
  await comparison.ask(send(`${path}/sign-out`, {}));
  await open(comparison, path);
}

async function apps(comparison: Comparison): Promise<void> {
  await enter(comparison, '/apps', 'owner@example.com');
  for (const form of [
    { name: '', redirect_uris: '' },
    { name: 'Waybridge', redirect_uris: CALLBACK },
    { name: 'Logbook', redirect_uris: 'http://elsewhere.example' },
    { name: 'Logbook', redirect_uris: 'com.example.app:/callback' },
    { name: '<b>&', redirect_uris: `${CALLBACK}\r\nhttp://localhost:3000/cb`, requires_pkce: 'yes' },
    { name: 'Native', redirect_uris: 'com.example.app:/callback', is_public: 'yes' },
  ]) {
    await comparison.ask(send('/apps/register', form));
  }
  await comparison.ask(
    send(
      '/apps/register',
      { name: 'Logbook', redirect_uris: CALLBACK },
      { page_client_id: matched(/class="secret">([^<]+)/) },
    ),
  );
  const client_id = '{{page_client_id}}';
  for (const [action, form] of [
    ['secret', { client_id }],
    ['secret', { client_id: 'unknown' }],
    ['pkce', { client_id, required: 'yes' }],
    ['pkce', { client_id, required: 'no' }],
    ['pkce', {}],
    ['revoke', { client_id }],
    ['revoke', { client_id: 'unknown' }],
    ['delete', { client_id }],
    ['delete', { client_id }],
    ['nothing', {}],
  ] as const) {
    await comparison.ask(send(`/apps/${action}`, form));
    await open(comparison, '/apps');
  }
  await comparison.ask(send('/apps/sign-out', {}));
  await enter(comparison, '/apps', 'restricted@example.com');
  await comparison.ask(send('/apps/register', { name: 'Own', redirect_uris: CALLBACK }));
  await comparison.ask(send('/apps/sign-out', {}));
}

async function security(comparison: Comparison): Promise<void> {
  await enter(comparison, '/security', 'owner@example.com');
  const after = matched(/href="[^"]*\?(after=[^"#]+)/);
  await open(comparison, '/security', 'keeper', { older: after });
  if (comparison.has('older')) await open(comparison, '/security?{{older}}');
  for (const done of ['password', 'end-session', 'revoke', 'revoke-key', 'nothing']) {
    await open(comparison, `/security?done=${done}`);
  }
  for (const [action, form] of [
    ['password', { current: 'wrong', password: NEW_PASSWORD }],
    ['password', { current: PASSWORD, password: 'short' }],
    ['password', { current: PASSWORD, password: 'owner@example.com' }],
    ['password', { current: PASSWORD, password: 'aaaaaaaaaaaaaaaaaaaa' }],
    ['password', {}],
    ['end-session', { session: 'unknown' }],
    ['revoke', { client_id: 'unknown' }],
    ['revoke', { client_id: '{{public_client_id}}' }],
    ['revoke-key', { key: 'unknown' }],
    ['password', { current: PASSWORD, password: NEW_PASSWORD }],
    ['password', { current: NEW_PASSWORD, password: PASSWORD }],
    ['nothing', {}],
    ['sign-out-everywhere', {}],
  ] as const) {
    await comparison.ask(send(`/security/${action}`, form));
    await open(comparison, '/security');
  }
  await enter(comparison, '/security', 'restricted@example.com');
  await comparison.ask(send('/security/revoke-key', { key: '{{north}}' }));
  await comparison.ask(send('/security/sign-out', {}));
}

/** A reset link, looked at and used, and used again. */
async function reset(comparison: Comparison): Promise<void> {
  const link = (answer: ReadonlyMap<string, string>) => /token=([\w-]+)/.exec(answer.get('stdout') ?? '')?.[1];
  await comparison.run({
    args: ['user', 'reset-link', '{{restricted_user}}', '--json'],
    keep: { reset_token: link },
    isNeeded: true,
  });
  const post = (form: Required<Draft>['form'], headers = {}): Draft => ({
    method: 'POST',
    path: '/security/reset',
    browser: 'lost',
    form,
    headers,
  });
  const right = { token: '{{reset_token}}', password: NEW_PASSWORD };
  await comparison.ask({ path: '/security/reset', browser: 'lost' });
  await comparison.ask({ path: '/security/reset?token=unknown', browser: 'lost' });
  await comparison.ask({ path: '/security/reset?token={{reset_token}}', browser: 'lost' });
  await comparison.ask(post({ ...right, token: 'unknown' }));
  await comparison.ask(post({ ...right, password: 'short' }));
  await comparison.ask(post(right, { origin: 'https://evil.example' }));
  await comparison.ask(post(right));
  await comparison.ask(post(right));
  await comparison.ask({ path: '/security/reset?token={{reset_token}}', browser: 'lost' });
}
