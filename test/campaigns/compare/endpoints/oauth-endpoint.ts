import { createHash } from 'node:crypto';

import { type Answer, header, matched, member } from '../answer.ts';
import type { Draft, Comparison } from '../comparison.ts';
import { CALLBACK, PASSWORD } from '../seed.ts';

const VERIFIER = 'a-verifier-of-compared-data-that-is-long-enough-0123456789';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
/** A request for access by an app that must use PKCE. */
const REQUEST: Readonly<Record<string, string>> = {
  response_type: 'code',
  client_id: '{{client_id}}',
  redirect_uri: CALLBACK,
  scope: 'account.read vehicles.read trippoints.read',
  state: 'as sent',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
};

/** The OAuth server: from the request through sign-in and consent, with their pages, to tokens, and what goes wrong. */
export async function oauthEndpoint(comparison: Comparison): Promise<void> {
  await wholeFlow(comparison, 'first', {});
  await consentIsRemembered(comparison);
  await faults(comparison);
  await denied(comparison);
  await tokenFaults(comparison);
}

function authorizePath(change: Readonly<Record<string, string | null>>): string {
  const all = Object.entries({ ...REQUEST, ...change }).filter(([, value]) => value !== null);
  // The names stay readable, to be filled in for each side.
  return `/authorize?${all.map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll(/%7B%7B(\w+)%7D%7D/g, '{{$1}}')}`).join('&')}`;
}

/** Opens the page of a request, following the redirect to it. */
async function openRequest(
  comparison: Comparison,
  browser: string,
  change: Readonly<Record<string, string | null>> = {},
): Promise<Answer> {
  await comparison.ask({ path: authorizePath(change), browser, keep: { next: header('location') }, isNeeded: true });
  if (!comparison.has('next')) return new Map();
  return comparison.ask({ path: '{{next}}', browser, keep: { action: ACTION }, isNeeded: true });
}

const ACTION = matched(/<form method="post" action="([^"]+)"/);
const ONWARD = matched(/id="onward" href="([^"]+)"/);
const CODE = (answer: Answer) =>
  new URL(answer.get('header location') ?? ONWARD(answer) ?? '', CALLBACK).searchParams.get('code') ?? undefined;

/** Sends a form of the request's page and follows the redirects within the service. */
async function submit(
  comparison: Comparison,
  browser: string,
  form: Required<Draft>['form'],
  keep: Draft['keep'] = {},
): Promise<Answer> {
  const post = { method: 'POST', path: '{{action}}', browser, form, isNeeded: true } as const;
  let answer = await comparison.ask({ ...post, keep: { next: header('location'), action: ACTION, ...keep } });
  for (let hop = 0; hop < 4; hop++) {
    const location = answer.get('header location');
    if (location === undefined || location.startsWith(CALLBACK)) break;
    answer = await comparison.ask({
      path: '{{next}}',
      browser,
      keep: { next: header('location'), action: ACTION, ...keep },
      isNeeded: true,
    });
  }
  return answer;
}

const signIn = (email: string, password = PASSWORD) => ({ email, password });
const token = (form: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}): Draft => ({
  method: 'POST',
  path: '/oauth/token',
  form,
  headers,
  isNeeded: true,
});
const APP = { client_id: '{{client_id}}', client_secret: '{{client_secret}}' };
const EXCHANGE = {
  grant_type: 'authorization_code',
  code: '{{code}}',
  redirect_uri: CALLBACK,
  code_verifier: VERIFIER,
  ...APP,
};

async function wholeFlow(
  comparison: Comparison,
  browser: string,
  change: Readonly<Record<string, string>>,
): Promise<void> {
  await openRequest(comparison, browser, change);
  await submit(comparison, browser, signIn('owner@example.com', 'wrong'));
  await submit(comparison, browser, signIn('nobody@example.com'));
  await submit(comparison, browser, { email: '', password: '' });
  await submit(comparison, browser, signIn('former@example.com'));
  await submit(comparison, browser, signIn('owner@example.com'));
  await submit(comparison, browser, { decision: 'nothing' });
  await openRequest(comparison, browser);
  await submit(comparison, browser, { decision: 'allow', scope: ['account.read', 'vehicles.read'] }, { code: CODE });
  await comparison.ask(token({ ...EXCHANGE, code_verifier: `${VERIFIER}x` }));
  await openRequest(comparison, browser, { prompt: 'consent' });
  await submit(
    comparison,
    browser,
    { decision: 'allow', scope: ['account.read', 'vehicles.read', 'trippoints.read'] },
    { code: CODE },
  );
  await comparison.ask({
    ...token(EXCHANGE),
    keep: { made_access: member('access_token'), made_refresh: member('refresh_token') },
  });
  const bearer = { authorization: 'Bearer {{made_access}}' };
  const introspect = (of: string) =>
    ({ method: 'POST', path: '/oauth/introspect', form: { token: of, ...APP } }) as const;
  for (const path of ['/api/v2/account', '/api/v2/devices', '/api/v2/groups']) {
    await comparison.ask({ path, headers: bearer });
  }
  await comparison.ask(introspect('{{made_access}}'));
  await comparison.ask(introspect('{{made_refresh}}'));
  await comparison.ask({
    ...token({ grant_type: 'refresh_token', refresh_token: '{{made_refresh}}', scope: 'account.manage', ...APP }),
  });
  await comparison.ask({
    ...token({ grant_type: 'refresh_token', refresh_token: '{{made_refresh}}', ...APP }),
    keep: { next_access: member('access_token'), next_refresh: member('refresh_token') },
  });
  const revoke = (of: string) => ({ method: 'POST', path: '/oauth/revoke', form: { token: of, ...APP } }) as const;
  await comparison.ask(introspect('{{next_access}}'));
  await comparison.ask(revoke('unknown'));
  await comparison.ask(revoke('{{next_access}}'));
  await comparison.ask(introspect('{{next_access}}'));
  await comparison.ask(token({ grant_type: 'refresh_token', refresh_token: '{{next_refresh}}', ...APP }));
  await comparison.ask({ path: '/api/v2/account', headers: bearer });
}

/** Asks again for the same and for less, and by prompts. */
async function consentIsRemembered(comparison: Comparison): Promise<void> {
  const browser = 'second';
  await openRequest(comparison, browser);
  await submit(comparison, browser, signIn('owner@example.com'));
  await submit(comparison, browser, { decision: 'allow', scope: ['account.read', 'vehicles.read'] });
  for (const change of [
    {},
    { scope: 'account.read' },
    { scope: 'account.read vehicles.read trippoints.read billing.read' },
    { prompt: 'none' },
    { prompt: 'none', scope: 'billing.read' },
    { prompt: 'login' },
    { prompt: 'consent' },
    { prompt: 'select_account' },
  ]) {
    await openRequest(comparison, browser, change);
  }
  await openRequest(comparison, 'stranger', { prompt: 'none' });
}

/** Requests that cannot go back to their app, and those that go back with an error. */
async function faults(comparison: Comparison): Promise<void> {
  for (const change of [
    { client_id: null },
    { client_id: 'unknown' },
    { redirect_uri: null },
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: `${CALLBACK}/more` },
    { response_type: null },
    { response_type: 'token' },
    { response_mode: 'fragment' },
    { response_mode: 'form_post' },
    { scope: 'openid' },
    { scope: 'nothing' },
    { scope: 'account.manage' },
    { scope: null },
    { state: null },
    { code_challenge: null },
    { code_challenge: 'short' },
    { code_challenge_method: 'plain' },
    { code_challenge_method: null },
    { request: 'x' },
    { resource: 'https://elsewhere.example' },
    { client_id: '{{public_client_id}}' },
    { client_id: '{{public_client_id}}', code_challenge: null, code_challenge_method: null },
    { client_id: '{{plain_client_id}}', code_challenge: null, code_challenge_method: null },
  ]) {
    await comparison.ask({ path: authorizePath(change), browser: 'faulty' });
  }
  for (const method of ['POST', 'PUT', 'HEAD', 'OPTIONS']) {
    await comparison.ask({ method, path: authorizePath({}), browser: 'faulty' });
  }
  await comparison.ask({ path: '/authorize/request/unknown', browser: 'faulty' });
  await comparison.ask({
    method: 'POST',
    path: '/authorize/request/unknown',
    browser: 'faulty',
    form: { decision: 'allow' },
  });
}

async function denied(comparison: Comparison): Promise<void> {
  await openRequest(comparison, 'denying');
  const forged = { origin: 'https://evil.example' };
  await comparison.ask({
    method: 'POST',
    path: '{{action}}',
    browser: 'denying',
    form: signIn('owner@example.com'),
    headers: forged,
  });
  await submit(comparison, 'denying', signIn('restricted@example.com'));
  await submit(comparison, 'denying', { decision: 'deny' });
  await comparison.ask({ path: '{{next}}', browser: 'denying' });
}

async function tokenFaults(comparison: Comparison): Promise<void> {
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const { client_id: _id, client_secret: _secret, ...withoutApp } = EXCHANGE;
  const faulty: Draft[] = [
    token({}),
    token({ ...EXCHANGE }),
    token({ ...EXCHANGE, code: 'unknown' }),
    token({ ...EXCHANGE, redirect_uri: 'https://evil.example' }),
    token({ ...EXCHANGE, client_secret: 'wrong' }),
    token({ ...EXCHANGE, client_id: 'unknown' }),
    token({ ...EXCHANGE, grant_type: 'password' }),
    token({ ...EXCHANGE, grant_type: 'client_credentials' }),
    token({ ...withoutApp }),
    token({ ...withoutApp }, basic('unknown', 'wrong')),
    token({ ...withoutApp }, { authorization: 'Bearer x' }),
    token({ grant_type: 'refresh_token', refresh_token: 'unknown', ...APP }),
    token({ grant_type: 'refresh_token', ...APP }),
    { method: 'POST', path: '/oauth/token', json: EXCHANGE },
    {
      method: 'POST',
      path: '/oauth/token',
      body: 'x'.repeat(100_000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
    { method: 'GET', path: '/oauth/token' },
    {
      method: 'OPTIONS',
      path: '/oauth/token',
      headers: { origin: 'https://www.example.com', 'access-control-request-method': 'POST' },
    },
    { method: 'POST', path: '/oauth/introspect', form: { token: '{{app_access_token}}' } },
    { method: 'POST', path: '/oauth/introspect', form: { token: '{{app_access_token}}', ...APP } },
    { method: 'POST', path: '/oauth/introspect', form: { ...APP } },
    {
      method: 'POST',
      path: '/oauth/introspect',
      form: { token: 'x', client_id: '{{plain_client_id}}', client_secret: '{{plain_client_secret}}' },
    },
    { method: 'POST', path: '/oauth/revoke', form: { token: 'x' } },
    { method: 'POST', path: '/oauth/revoke', form: { ...APP } },
    { method: 'GET', path: '/oauth/revoke' },
  ];
  for (const draft of faulty) await comparison.ask(draft);
}
