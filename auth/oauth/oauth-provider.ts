import { generateKeyPairSync } from 'node:crypto';

import {
  type Account,
  type Configuration,
  type ErrorOut,
  interactionPolicy,
  type JWK,
  type KoaContextWithOIDC,
  Provider,
} from 'oidc-provider';

import { unrestricted } from '../../models/store/tenancy.ts';
import { UserStore } from '../../models/account/user.ts';
import { ACCESS_TOKEN_LIFETIME, findRememberedGrant } from '../grants.ts';
import { isSecret } from '../secrets/secrets.ts';
import { type AnsweredRequest, findAnswer } from './answered-request.ts';
import { FLOW_COOKIE, COOKIE_OPTIONS, hostCookies, requestOf, SESSION_COOKIE } from './flow-cookies.ts';
import { APP_REQUIRES_PKCE, APP_SCOPES, defaultResource, resourceServer, separatorHint } from './storage/resource.ts';
import { OAUTH_PATHS } from './oauth-paths.ts';
import { ANY_VERSION, isOfVersion } from './session-version.ts';
import { makeRepeatable, secondsSinceFirst } from './storage/derived-tokens.ts';
import { readParameters, restoreMaxAge } from './request-parameters.ts';
import { grantOfRequest } from './storage/grant-of-request.ts';
import { storageOf } from './storage/storage-of.ts';
import { CODE_LIFETIME } from './storage/visit-storage.ts';
import type { Service } from '../../models/store/service.ts';

/** Seconds in which a refresh token must be used; each use returns a new one. */
export const REFRESH_TOKEN_LIFETIME = 90 * 86_400;
/** Seconds that a request waits for its user. */
const REQUEST_LIFETIME = 1800;
/** Seconds that a browser stays signed in without a visit. */
export const SESSION_LIFETIME = 12 * 3600;

/** Methods with which an app may authenticate (RFC 7591, section 2). */
export const CLIENT_AUTHENTICATION = ['client_secret_basic', 'client_secret_post', 'none'] as const;

/** A page with its headers. */
export interface Page {
  readonly html: string;
  readonly headers: Record<string, string>;
}

/** Settings of the OAuth server. */
export interface OauthServerOptions {
  /** `{auth_url}`, the issuer (RFC 8414, section 2). */
  readonly issuer: string;
  /** Writes the page of a request that cannot go back to its app, and the headers of that page. */
  readonly errorPage: (error: ErrorOut) => Page;
  /** Writes the page that leads from an answered form to its app. */
  readonly answeredPage: (answer: AnsweredRequest) => Page & { readonly status: number };
}

/**
 * Makes the OAuth 2.0 server: authorization code with PKCE and rotating refresh tokens. RFC 6749, 6750, 7009, 7636,
 * 7662, 8252, 8707, 9207, 9700.
 */
export function createOauthProvider(
  service: Service,
  { issuer, errorPage, answeredPage }: OauthServerOptions,
): Provider {
  const prefix = new URL(issuer).pathname.replace(/\/$/, '');
  const { request: _page, ...endpoints } = OAUTH_PATHS;
  const provider = new Provider(issuer, {
    adapter: (kind) => storageOf(service, kind),
    routes: Object.fromEntries(Object.entries(endpoints).map(([name, path]) => [name, prefix + path])),
    scopes: [],
    claims: {},
    extraParams: { max_age: restoreMaxAge },
    clockTolerance: 0,
    responseTypes: ['code'],
    clientAuthMethods: [...CLIENT_AUTHENTICATION],
    extraClientMetadata: { properties: [APP_SCOPES, APP_REQUIRES_PKCE] },
    // No identity token is ever signed, since `openid` is not a scope; the library demands a key for them all the same.
    jwks: { keys: [unusedKey()] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    pkce: { required: (_ctx, client) => client[APP_REQUIRES_PKCE] === true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    revokeGrantPolicy: async () => true,
    clientBasedCORS: () => true,
    formats: { bitsOfOpaqueRandomness: 256 },
    ttl: {
      AccessToken: () => ACCESS_TOKEN_LIFETIME - secondsSinceFirst(),
      AuthorizationCode: CODE_LIFETIME,
      RefreshToken: REFRESH_TOKEN_LIFETIME,
      Interaction: REQUEST_LIFETIME,
      Session: SESSION_LIFETIME,
    },
    cookies: {
      names: { session: SESSION_COOKIE, interaction: FLOW_COOKIE, resume: FLOW_COOKIE },
      long: COOKIE_OPTIONS,
      short: COOKIE_OPTIONS,
    },
    interactions: {
      policy: signInPolicy(),
      url: (_ctx, { uid }) => `${prefix}${OAUTH_PATHS.request}/${uid}`,
    },
    findAccount: (ctx, userKey, token) =>
      findAccount(service, userKey, token === undefined ? ctx.oidc.session?.acr : ANY_VERSION),
    loadExistingGrant: (ctx) => loadExistingGrant(service, ctx),
    renderError: (ctx, error) => {
      const { html, headers } = errorPage(error);
      ctx.set(headers);
      ctx.body = html;
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      userinfo: { enabled: false },
      introspection: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        defaultResource,
        getResourceServerInfo: resourceServer,
        useGrantedResource: async () => true,
      },
    },
  } satisfies Configuration);

  // The database has no client secret, only its hash.
  provider.Client.prototype.compareClientSecret = function (presented: string) {
    return isSecret(presented, this.clientSecret ?? '');
  };
  for (const { prototype } of [provider.AccessToken, provider.AuthorizationCode, provider.RefreshToken]) {
    makeRepeatable(prototype);
  }
  provider.use(withoutCors);
  provider.use(completeAnswers);
  provider.use(hostCookies);
  provider.use(readParameters);
  provider.use(leadOnward(service, answeredPage));
  // Behind the endpoint every request says by which address it is reached, and it is always `{auth_url}`.
  provider.proxy = true;
  return provider;
}

function unusedKey(): JWK {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as JWK;
}

/** Endpoints that take a client secret are not for pages: no page may read an answer. Decisions: "Who may do what". */
async function withoutCors(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  for (const name of Object.keys(ctx.response.headers)) {
    if (name.startsWith('access-control-')) ctx.remove(name);
  }
}

/**
 * Replaces the redirect that answers a form by a page that leads to the app: the policy of the form would stop redirects to
 * other places, the app's own included (`form-action`, CSP Level 3, section 6.4.2). A request that was answered already gets
 * its page again.
 */
function leadOnward(service: Service, answeredPage: OauthServerOptions['answeredPage']) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    if (ctx.oidc?.route !== 'resume') return;
    const { client, entities, provider } = ctx.oidc;
    const url = ctx.response.get('Location');
    const isNew = entities.Interaction !== undefined;
    if (isNew && (!url || url.startsWith('/'))) return;
    const answer = isNew
      ? { app: client?.clientName ?? '', url }
      : await findAnswer(service, provider.issuer, requestOf(ctx.path), ctx.headers.cookie);
    if (answer === null) return;
    const { status, html, headers } = answeredPage(answer);
    ctx.remove('Location');
    ctx.set(headers);
    ctx.body = html;
    ctx.status = status;
  };
}

/**
 * Completes what the library answers: revocation is answered with JSON like everything else, and an error names the wrong
 * scope.
 */
async function completeAnswers(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const { body } = ctx;
  if (ctx.status === 200 && body === '') ctx.body = {};
  const { error, error_description, scope } = (body ?? {}) as ErrorOut;
  if (error === 'invalid_scope' && scope !== undefined) {
    ctx.body = { error, error_description: `${error_description}: ${scope}${separatorHint(scope)}`, scope };
  }
}

/** The library's own policy; and a user who was disabled, or whose session was ended, must sign in again. */
function signInPolicy() {
  const policy = interactionPolicy.base();
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'no_account',
        'the user must sign in again',
        'login_required',
        ({ oidc }) => oidc.session?.accountId !== undefined && !oidc.account,
      ),
    );
  return policy;
}

/**
 * Finds the grant that a request continues: the one that the user has just given, or else the last one that the user gave
 * this app, provided that it covers every scope asked for. Otherwise there is none, and the user is asked. The library asks
 * again in any case for `prompt=consent`, and for native apps, whose identity nothing proves (RFC 8252, section 8.6).
 */
async function loadExistingGrant(service: Service, { oidc }: KoaContextWithOIDC) {
  const given = oidc.result?.consent?.grantId;
  if (given !== undefined) return oidc.provider.Grant.find(given);
  const { accountId } = oidc.session ?? {};
  if (accountId === undefined || !oidc.client) return undefined;
  const remembered = await findRememberedGrant(service, accountId, oidc.client.clientId);
  if (!remembered || ![...oidc.requestParamScopes].every((scope) => remembered.scopes.includes(scope)))
    return undefined;
  return oidc.provider.Grant.find(remembered.grant_hash);
}

/**
 * A user who may continue: by a session of the current version, or by a token, which its grant keeps alive and which was read
 * with its user.
 */
async function findAccount(
  service: Service,
  userKey: string,
  mark: string | undefined | typeof ANY_VERSION,
): Promise<Account | undefined> {
  const held = mark === ANY_VERSION ? grantOfRequest() : undefined;
  if (held?.user.key === userKey) return accountOf(userKey);
  const user = await UserStore.findOne(
    unrestricted(service),
    { key: userKey },
    { key: 1, disabled: 1, session_version: 1 },
  );
  if (!user || user.disabled || (mark !== ANY_VERSION && !isOfVersion(mark, user))) return undefined;
  return accountOf(user.key);
}

function accountOf(userKey: string): Account {
  return { accountId: userKey, claims: async () => ({ sub: userKey }) };
}
