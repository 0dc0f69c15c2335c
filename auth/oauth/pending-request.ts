import type { Provider } from 'oidc-provider';

import { AccountStore } from '../../models/account/account.ts';
import { AppStore } from '../../models/account/app.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { createGrant } from '../grants.ts';
import { isScope, type Scope } from '../scopes/scope.ts';
import type { Actor } from '../security-events.ts';
import { type BrowserSession, endSession } from './browser-session.ts';
import { flowSource } from './flow-cookies.ts';
import { OAUTH_PATHS } from './oauth-paths.ts';
import { REFRESH_TOKEN_LIFETIME } from './oauth-provider.ts';
import { versionMark } from './session-version.ts';
import type { ProvedUser } from './proved-user.ts';
import type { Service } from '../../models/store/service.ts';

type Interaction = InstanceType<Provider['Interaction']>;

/** Authorization request of an app that waits for the user's answer. */
export interface PendingRequest {
  /** Next step of the user: sign in, or consent. */
  readonly step: 'sign-in' | 'consent';
  readonly app: {
    readonly client_id: string;
    readonly name: string;
    /** Nickname of the account that publishes it; null if it has none. */
    readonly publisher: string | null;
    /** Account that publishes it. */
    readonly account_key: string;
    /** Reviewed by the operator. */
    readonly isReviewed: boolean;
  };
  /** Address to which the browser goes afterwards. */
  readonly redirectUri: string;
  readonly scopes: readonly Scope[];
  /** E-mail address that the app proposes to sign in with. */
  readonly hint: string;
  /** Query with which the app sent the browser, to start again as another user. */
  readonly query: URLSearchParams;
  readonly interaction: Interaction;
}

/** Finds a request for the browser that brought it; null if it expired, was answered, or belongs to another browser. */
export async function findRequest(
  service: Service,
  provider: Provider,
  uid: string,
  cookies: string | undefined,
): Promise<PendingRequest | null> {
  if (flowSource(cookies, uid) === null) return null;
  const interaction = await provider.Interaction.find(uid);
  if (!interaction) return null;
  const { params, prompt } = interaction;
  const app = await AppStore.findOne(unrestricted(service), { client_id: String(params.client_id) });
  if (!app) return null;
  const { client_id, name, account_key } = app;
  const account = await AccountStore.findOne(unrestricted(service), { key: account_key }, 'nickname');
  return {
    step: prompt.name === 'login' ? 'sign-in' : 'consent',
    app: { client_id, name, publisher: account?.nickname ?? null, account_key, isReviewed: app.reviewed != null },
    redirectUri: String(params.redirect_uri),
    scopes: String(params.scope ?? '')
      .split(' ')
      .filter(isScope),
    hint: String(params.login_hint ?? ''),
    query: new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)])),
    interaction,
  };
}

/** Continues as the user who has just signed in, in a new session: the previous session of the browser ends. */
export async function signedIn(
  provider: Provider,
  { interaction }: PendingRequest,
  user: ProvedUser,
  cookies: string | undefined,
): Promise<string> {
  await endSession(provider, cookies);
  delete interaction.session;
  return answer(provider, interaction, {
    login: { accountId: user.user_key, acr: versionMark(user.session_version) },
  });
}

/** Continues with what `actor` allows, once however often it is sent; returns null if another user was asked. */
export async function allow(
  service: Service,
  provider: Provider,
  { interaction, app }: PendingRequest,
  session: BrowserSession | null,
  scopes: readonly Scope[],
  actor: Actor,
): Promise<string | null> {
  if (!session || interaction.session?.uid !== session.uid) return null;
  const { user_key } = session;
  const expires_at = new Date(Date.now() + REFRESH_TOKEN_LIFETIME * 1000);
  const name = `answer to ${interaction.uid}`;
  const grant = await createGrant(service, { user_key, client_id: app.client_id, scopes, expires_at }, actor, name);
  return answer(provider, interaction, { consent: { grantId: grant.grant_hash } });
}

/** Returns to the app without a code (RFC 6749, section 4.1.2.1, `access_denied`). */
export function deny(provider: Provider, { interaction }: PendingRequest): Promise<string> {
  return answer(provider, interaction, { error: 'access_denied', error_description: 'The user did not allow it' });
}

/** Adds a result to the earlier ones, unless it ends the request; returns the address that the browser goes to next. */
async function answer(provider: Provider, interaction: Interaction, result: Interaction['result']): Promise<string> {
  interaction.result = result && 'error' in result ? result : { ...interaction.lastSubmission, ...result };
  await interaction.persist();
  return `${provider.issuer.replace(/\/$/, '')}${OAUTH_PATHS.authorization}/${interaction.uid}`;
}
