import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { revokeGrantsTo } from '../../auth/grants.ts';
import { type BrowserSession, endSession } from '../../auth/oauth/browser-session.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { type AppManager, deleteApp, listApps, requirePkce, rotateAppSecret } from '../../resolvers/apps/manage-app.ts';
import { listGrants } from '../../resolvers/apps/list-grants.ts';
import { registerOwnApp } from '../../resolvers/apps/register-own-app.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { accountHeader } from './account-header.ts';
import { appList, credentialsNotice } from './app-list.ts';
import { connectedApps } from './connected-apps.ts';
import { MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { framedPage } from '../sign-in/page-frame.ts';
import { EMPTY_REGISTRATION, type Registration, registrationForm } from './registration-form.ts';
import { actorIn } from '../sign-in/read-form.ts';
import { readSessionForm, type SessionAction } from './session-form.ts';

/** The developer platform of a signed-in user: the account's apps, and the apps that the user has allowed something. */
export class AppsPages {
  readonly #provider: Provider;
  readonly #styles: string;
  /** Address of the platform. */
  readonly #url: string;

  constructor(provider: Provider, styles: string) {
    this.#provider = provider;
    this.#styles = styles;
    this.#url = `${provider.issuer}/apps`;
  }

  /** The actions by the last part of their address. */
  readonly actions: Readonly<Record<string, SessionAction>> = {
    register: async (session, form, request, reply) => {
      const typed = {
        name: form.one('name') ?? '',
        redirectUris: form.one('redirect_uris') ?? '',
        isPublic: form.one('is_public') === 'yes',
        requiresPkce: form.one('requires_pkce') === 'yes',
      };
      try {
        const credentials = await registerOwnApp({
          account: session.account_key,
          name: typed.name,
          redirectUris: typed.redirectUris.split(/\s+/).filter((uri) => uri !== ''),
          isPublic: typed.isPublic,
          requiresPkce: typed.requiresPkce,
          registeredBy: session.user_key,
          actor: actorIn(session, request),
        });
        return await this.#show(session, reply, { notice: credentialsNotice(credentials) });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return this.#show(session, reply.code(error.code === 'BAD_REQUEST' ? 422 : HTTP_STATUS[error.code]), {
          registration: { ...typed, fault: error.message },
        });
      }
    },
    secret: async (session, form, request, reply) => {
      const client_id = form.one('client_id') ?? '';
      const client_secret = await rotateAppSecret(client_id, {
        ...appManagerOf(session),
        actor: actorIn(session, request),
      });
      if (client_secret === null) return this.#back(reply);
      return this.#show(session, reply, { notice: credentialsNotice({ client_id, client_secret }) });
    },
    pkce: async (session, form, request, reply) => {
      const manager = { ...appManagerOf(session), actor: actorIn(session, request) };
      await requirePkce(form.one('client_id') ?? '', form.one('required') === 'yes', manager);
      return this.#back(reply);
    },
    delete: async (session, form, request, reply) => {
      await deleteApp(form.one('client_id') ?? '', { ...appManagerOf(session), actor: actorIn(session, request) });
      return this.#back(reply);
    },
    revoke: async (session, form, request, reply) => {
      await revokeGrantsTo(form.one('client_id') ?? '', session.user_key, actorIn(session, request));
      return this.#back(reply);
    },
    'sign-out': async (_session, _form, request, reply) => {
      reply.header('Set-Cookie', await endSession(this.#provider, request.headers.cookie));
      return this.#back(reply);
    },
  };

  /** GET, for a session that was found. */
  show(session: BrowserSession, reply: FastifyReply): Promise<FastifyReply> {
    return this.#show(session, reply, {});
  }

  /** POST: does what a form of this session asks for, and nothing that another page sends. */
  async act(action: SessionAction, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sent = await readSessionForm(this.#provider, request);
    if (sent.kind === 'sent') return action(sent.session, sent.form, request, reply);
    return sent.kind === 'forged' ? this.#reject(reply) : this.#back(reply);
  }

  #reject(reply: FastifyReply): FastifyReply {
    return this.#send(reply.code(403), MESSAGES.tampered.title, 'narrow', messageCard(MESSAGES.tampered));
  }

  async #show(
    session: BrowserSession,
    reply: FastifyReply,
    { notice, registration = EMPTY_REGISTRATION }: { notice?: Html; registration?: Registration },
  ): Promise<FastifyReply> {
    const { formToken } = session;
    const [apps, grants] = await Promise.all([listApps(appManagerOf(session)), listGrants([session.user_key])]);
    const main = html`<h1>Developer platform</h1>
${notice}
${appList(apps, { url: this.#url, formToken })}
${registrationForm(`${this.#url}/register`, formToken, registration)}
${connectedApps(grants, `${this.#url}/revoke`, formToken)}`;
    const account = accountHeader(this.#provider.issuer, 'apps', session);
    return this.#send(reply, 'Developer platform', 'wide', main, account);
  }

  #send(reply: FastifyReply, title: string, width: 'narrow' | 'wide', main: Html, account?: Html): FastifyReply {
    const page = framedPage({ title, styles: this.#styles, width, main, ...(account && { account }) });
    return reply.headers(page.headers).send(page.html);
  }

  #back(reply: FastifyReply): FastifyReply {
    return reply.redirect(this.#url, 303);
  }
}

/** A user who is restricted to groups manages what it has registered; the others what the account has. */
function appManagerOf({ account_key, group_keys, user_key }: BrowserSession): AppManager {
  const accessScope = accountAccessScope(account_key);
  return group_keys.length > 0 ? { accessScope, registeredBy: user_key } : { accessScope };
}
