import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { revokeGrantsTo } from '../../auth/grants.ts';
import type { BrowserSession } from '../../auth/oauth/browser-session.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { type AppManager, deleteApp, listApps, requirePkce, rotateAppSecret } from '../../resolvers/apps/manage-app.ts';
import { listGrants } from '../../resolvers/apps/list-grants.ts';
import { registerOwnApp } from '../../resolvers/apps/register-app.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { appList, credentialsNotice } from './app-list.ts';
import { connectedApps } from './connected-apps.ts';
import { EMPTY_REGISTRATION, type Registration, registrationForm } from './registration-form.ts';
import { actorIn } from '../sign-in/client-of.ts';
import type { Message } from '../sign-in/message-page.ts';
import { type SessionAction, SessionPages } from './session-pages.ts';

const NOT_ADMINISTRATOR: Message = {
  title: 'You may not change the apps of this account',
  text: 'Only its administrators may. Nothing was changed.',
};

/** The developer platform of a signed-in user: the account's apps, and the apps that the user has granted access. */
export class AppsPages extends SessionPages {
  constructor(provider: Provider, styles: string) {
    super(provider, styles, 'apps');
  }

  /** The actions by the last part of their address. */
  readonly actions: Readonly<Record<string, SessionAction>> = {
    register: this.#ofAdministrators(async (session, form, request, reply) => {
      const input = {
        name: form.one('name') ?? '',
        redirectUris: form.one('redirect_uris') ?? '',
        isPublic: form.one('is_public') === 'yes',
        requiresPkce: form.one('requires_pkce') === 'yes',
      };
      try {
        const credentials = await registerOwnApp({
          ...input,
          account: session.account_key,
          redirectUris: input.redirectUris.split(/\s+/).filter((uri) => uri !== ''),
          registeredBy: session.user_key,
          actor: actorIn(session, request),
        });
        return await this.#show(session, reply, { notice: credentialsNotice(credentials) });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return this.#show(session, reply.code(error.code === 'BAD_REQUEST' ? 422 : HTTP_STATUS[error.code]), {
          registration: { ...input, fault: error.message },
        });
      }
    }),
    secret: this.#ofAdministrators(async (session, form, request, reply) => {
      const client_id = form.one('client_id') ?? '';
      const client_secret = await rotateAppSecret(client_id, appManagerOf(session, request));
      if (client_secret === null) return this.back(reply);
      return this.#show(session, reply, { notice: credentialsNotice({ client_id, client_secret }) });
    }),
    pkce: this.#ofAdministrators(async (session, form, request, reply) => {
      await requirePkce(form.one('client_id') ?? '', form.one('required') === 'yes', appManagerOf(session, request));
      return this.back(reply);
    }),
    delete: this.#ofAdministrators(async (session, form, request, reply) => {
      await deleteApp(form.one('client_id') ?? '', appManagerOf(session, request));
      return this.back(reply);
    }),
    revoke: async (session, form, request, reply) => {
      await revokeGrantsTo(form.one('client_id') ?? '', session.user_key, actorIn(session, request));
      return this.back(reply);
    },
    'sign-out': this.signOut,
  };

  /** Allows an action to administrators alone: viewers and drivers change nothing of the account. */
  #ofAdministrators(action: SessionAction): SessionAction {
    return async (session, form, request, reply) =>
      session.role === 'administrator' ? action(session, form, request, reply) : this.reject(reply, NOT_ADMINISTRATOR);
  }

  protected override show(session: BrowserSession, _request: FastifyRequest, reply: FastifyReply) {
    return this.#show(session, reply, {});
  }

  async #show(
    session: BrowserSession,
    reply: FastifyReply,
    { notice, registration = EMPTY_REGISTRATION }: { notice?: Html; registration?: Registration },
  ): Promise<FastifyReply> {
    const { formToken } = session;
    const manages = session.role === 'administrator';
    const [apps, grants] = await Promise.all([
      manages ? listApps(appManagerOf(session)) : [],
      listGrants([session.user_key]),
    ]);
    const main = html`<h1>Developer platform</h1>
${notice}
${manages && appList(apps, { url: this.url, formToken })}
${manages && registrationForm(`${this.url}/register`, formToken, registration)}
${connectedApps(grants, `${this.url}/revoke`, formToken)}`;
    return this.send(session, reply, main);
  }
}

/** A user who is restricted to groups manages the apps that it has registered; others manage all of the account. */
function appManagerOf(session: BrowserSession, request?: FastifyRequest): AppManager {
  return {
    accessScope: accountAccessScope(session.account_key),
    ...(session.group_keys.length > 0 && { registeredBy: session.user_key }),
    ...(request && { actor: actorIn(session, request) }),
  };
}
