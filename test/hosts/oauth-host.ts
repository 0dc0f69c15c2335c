import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect } from 'vitest';

import { hashPassword } from '../../auth/secrets/passwords.ts';
import { newKey } from '../../models/key.ts';
import { UserStore } from '../../models/account/user.ts';
import type { User } from '../../schema/account/user.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { oauthEndpoint } from '../../pages/endpoints/oauth-endpoint.ts';
import { freePort } from '../../server/start/free-port.ts';
import { account, type AppFields, app } from '../services/account-fixture.ts';
import { type HttpsFetch, httpsFetch } from '../clients/https-fetch.ts';
import { openHost } from './open-host.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { testService } from '../services/database.ts';

/** Origin of the tests' apps; nothing answers there. */
export const CALLBACK = 'https://planner.example/callback';

/** A service that listens on this machine. */
export interface OauthHost extends OauthServer {
  readonly app: FastifyInstance;
}

/** A service in this process or another, and how it is reached. */
export interface OauthServer {
  /** `{auth_url}` of the service. */
  readonly issuer: string;
  readonly fetch: HttpsFetch;
}

/** Starts a service with the endpoints that are made for its address; the test file closes it. */
export async function oauthHost(endpoints: (issuer: string) => Promise<readonly Endpoint[]>): Promise<OauthHost> {
  const port = await freePort('127.0.0.1', 0);
  const issuer = `https://localhost:${port}`;
  const app = await openHost(await endpoints(issuer));
  await app.listen({ port, host: '127.0.0.1' });
  return { app, issuer, fetch: await httpsFetch() };
}

/** Gives a test file a service with the OAuth server, which is there before its first test. */
export function useOauthHost(): { readonly at: OauthHost } {
  let host: OauthHost | undefined;
  beforeAll(async () => {
    host = await oauthHost(async (issuer) => [await oauthEndpoint(testService, issuer)]);
  });
  afterAll(() => host?.app.close());
  return {
    get at() {
      if (!host) throw new Error('The service is there in tests and later hooks only');
      return host;
    },
  };
}

/** The password of every user that signs in, and its hash: made once, since that takes a tenth of a second. */
const password = `correct horse ${newKey()}`;
let hash: Promise<string> | undefined;

/** A user who can sign in. */
export async function signInUser(account_key?: string, groups: readonly string[] = [], fields: Partial<User> = {}) {
  hash ??= hashPassword(password);
  const key = newKey();
  const email = fields.email ?? `Ada-${newKey()}@example.com`;
  await UserStore.create(unrestricted(testService), {
    key,
    account_key: account_key ?? (await account()).key,
    email,
    email_folded: email.toLowerCase(),
    password_hash: await hash,
    group_keys: [...groups],
    group_path: [...groups],
    disabled: false,
    created: new Date(),
    ...fields,
  });
  return { key, email, password };
}

/** A registered app of an account of its own, called at {@link CALLBACK}. */
export async function registeredApp(fields: AppFields) {
  return app((await account()).key, { redirect_uris: [CALLBACK], ...fields });
}

/** With what a user signs in. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** The visible answer of a page or endpoint. */
export interface Visit {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts: it keeps cookies as they are set, follows redirects and the way on within the service, and sends forms. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #host: OauthServer;
  readonly #userAgent: string;

  constructor(host: OauthServer, userAgent = 'Visitor') {
    this.#host = host;
    this.#userAgent = userAgent;
  }

  /** Visits an address; a redirect out of the service ends the way and is its answer. */
  async get(url: string): Promise<Visit> {
    return this.#follow(url, { method: 'GET' });
  }

  /** Sends a form as a page of the service would. */
  async post(url: string, fields: Record<string, string | readonly string[]>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) body.append(name, one);
    return this.#follow(url, {
      method: 'POST',
      body: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: this.#host.issuer, ...headers },
    });
  }

  /** Signs a user in on the way to an address, and answers the page that comes then. */
  async signIn(url: string, { email, password }: Credentials): Promise<Visit> {
    return this.post(actionOf(await this.get(url)), { email, password });
  }

  async #follow(url: string, init: Parameters<HttpsFetch>[1]): Promise<Visit> {
    const answer = await this.#host.fetch(url, {
      ...init,
      headers: {
        ...init?.headers,
        accept: 'text/html',
        cookie: this.cookieHeader(),
        'user-agent': this.#userAgent,
      },
    });
    for (const cookie of answer.headers.getSetCookie()) this.#keep(cookie);
    const visit = { url, status: answer.status, headers: answer.headers, text: await answer.text() };
    const location = answer.headers.get('location') ?? onwardOf(visit);
    if (location === undefined) return visit;
    const next = new URL(location, url);
    return next.origin === this.#host.issuer
      ? this.#follow(next.href, { method: 'GET' })
      : { ...visit, url: next.href };
  }

  cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(cookie: string): void {
    expect(cookie).toMatch(/^__Host-[\w-]+=/);
    expect(cookie.toLowerCase()).toMatch(
      /(?=.*; path=\/(;|$))(?=.*; secure)(?=.*; httponly)(?=.*; samesite=lax)(?!.*domain)/,
    );
    const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
    const isGone = /expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie);
    if (isGone) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Address at which an app asks a user for access. */
export function authorizeUrl(host: OauthServer, params: Record<string, string>): string {
  const all = { response_type: 'code', redirect_uri: CALLBACK, ...params };
  return `${host.issuer}/authorize?${new URLSearchParams(all)}`;
}

/** The `action` of the form on a page. */
export function actionOf({ text }: Visit): string {
  return /<form method="post" action="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
}

/** The address to which the page after an answer leads, by a link that the browser's user follows. */
export function onwardOf({ text }: Visit): string | undefined {
  return /<a [^>]*id="onward" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
}

/** The token that the forms of a page carry. */
export function formTokenOf({ text }: Visit): string {
  return /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** Reads a page's message about an error. */
export function alertOf({ text }: Visit): string | undefined {
  return /role="alert"[^>]*>([^<]*)/.exec(text)?.[1];
}

/** Signs a user in on a page of the service's own, such as `/security`. */
export async function enter(host: OauthHost, visitor: Visitor, path: string, user: Credentials): Promise<Visit> {
  const form = await visitor.get(host.issuer + path);
  const { email, password } = user;
  return visitor.post(`${host.issuer}${path}/sign-in`, { email, password, form_token: formTokenOf(form) });
}

/** The names of the scopes that a consent page asks for. */
export function scopesOf({ text }: Visit): string[] {
  return [...text.matchAll(/name="scope" value="([^"]+)"/g)].map((match) => match[1] ?? '');
}

/**
 * Goes all the way as a user who signs in and allows what is ticked, where it is asked; answers the address with which the
 * app is called.
 */
export async function authorize(
  host: OauthServer,
  user: Credentials,
  params: Record<string, string>,
  allowed?: readonly string[],
): Promise<URL> {
  const visitor = new Visitor(host);
  const consent = await visitor.signIn(authorizeUrl(host, params), user);
  if (!consent.url.startsWith(host.issuer)) return new URL(consent.url);
  const answer = await visitor.post(actionOf(consent), { decision: 'allow', scope: allowed ?? scopesOf(consent) });
  return new URL(answer.url);
}

/** Sends a form to an endpoint of the protocol. */
export async function send(
  host: OauthHost,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Record<string, unknown>; headers: Headers }> {
  const answer = await host.fetch(host.issuer + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields),
  });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: text === '' ? {} : JSON.parse(text) };
}
