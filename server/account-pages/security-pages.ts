import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { revokeApiKey } from '../../auth/api-keys.ts';
import { revokeGrantsTo } from '../../auth/grants.ts';
import { type BrowserSession, endSession, startSession } from '../../auth/oauth/browser-session.ts';
import { endSessions } from '../../auth/oauth/end-sessions.ts';
import { endListedSession } from '../../auth/oauth/session-list.ts';
import { recordSecurityEvent } from '../../auth/security-events.ts';
import { accountAccessScope } from '../../models/tenancy.ts';
import { changePassword } from '../../resolvers/security/change-password.ts';
import { isOwner, securityOverview } from '../../resolvers/security/security-overview.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { accountHeader } from './account-header.ts';
import { connectedApps } from './connected-apps.ts';
import { MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { framedPage } from '../sign-in/page-frame.ts';
import { actorIn, clientOf } from '../sign-in/read-form.ts';
import {
  apiKeysSection,
  type FormTarget,
  logSection,
  type PasswordFault,
  passwordSection,
  sessionsSection,
} from './security-sections.ts';
import { readSessionForm, type SessionAction } from './session-form.ts';
import { rejectForNow } from '../sign-in/sign-in-faults.ts';

/** What was done, by the value of `done` in the address that a form leads back to. */
const DONE: Readonly<Record<string, string>> = {
  password: 'Your password is changed. You are signed out in every other browser.',
  'end-session': 'That browser is signed out.',
  revoke: 'That app may do nothing any more.',
  'revoke-key': 'That API key is revoked.',
};

/** The page on which signed-in users look after their own security: password, sessions, apps, keys, and the log. */
export class SecurityPages {
  readonly #provider: Provider;
  readonly #styles: string;
  readonly #url: string;

  /** @param url address of the page */
  constructor(provider: Provider, styles: string, url: string) {
    this.#provider = provider;
    this.#styles = styles;
    this.#url = url;
  }

  /** The actions by the last part of their address. */
  readonly actions: Readonly<Record<string, SessionAction>> = {
    password: async (session, form, request, reply) => {
      const asked = {
        current: form.one('current') ?? '',
        password: form.one('password') ?? '',
        revokesGrants: form.one('revoke_grants') === 'yes',
      };
      try {
        const outcome = await changePassword(session, asked, clientOf(request));
        if (outcome.kind === 'locked') {
          const text = rejectForNow(reply, outcome.retryAfterSeconds);
          return await this.#show(session, request, reply, { field: 'current', text });
        }
        if (outcome.kind === 'wrong') {
          const text = 'The current password is wrong. Please try again.';
          return await this.#show(session, request, reply.code(422), { field: 'current', text });
        }
        reply.header('Set-Cookie', await startSession(this.#provider, outcome.user));
        return this.#back(reply, 'password');
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const text = sentence(error.message);
        return this.#show(session, request, reply.code(422), { field: 'password', text });
      }
    },
    'sign-out-everywhere': async (session, _form, request, reply) => {
      await endSessions(session.user_key);
      await recordSecurityEvent({ kind: 'sessions_ended', actor: actorIn(session, request) });
      reply.header('Set-Cookie', await endSession(this.#provider, request.headers.cookie));
      return this.#back(reply);
    },
    'end-session': async (session, form, request, reply) => {
      if (!(await endListedSession(session.user_key, form.one('session') ?? ''))) return this.#back(reply);
      await recordSecurityEvent({ kind: 'session_ended', actor: actorIn(session, request) });
      return this.#back(reply, 'end-session');
    },
    revoke: async (session, form, request, reply) => {
      await revokeGrantsTo(form.one('client_id') ?? '', session.user_key, actorIn(session, request));
      return this.#back(reply, 'revoke');
    },
    'revoke-key': async (session, form, request, reply) => {
      if (!(await isOwner(session))) return this.#reject(reply);
      const accessScope = accountAccessScope(session.account_key);
      const isThere = await revokeApiKey(form.one('key') ?? '', accessScope, actorIn(session, request));
      return isThere ? this.#back(reply, 'revoke-key') : this.#back(reply);
    },
    'sign-out': async (_session, _form, request, reply) => {
      reply.header('Set-Cookie', await endSession(this.#provider, request.headers.cookie));
      return this.#back(reply);
    },
  };

  /** GET, for a session that was found. */
  async show(session: BrowserSession, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      return await this.#show(session, request, reply, null);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#back(reply);
    }
  }

  /** POST: does what a form of this session asks for, and nothing that another page sends. */
  async act(action: SessionAction, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sent = await readSessionForm(this.#provider, request);
    if (sent.kind === 'sent') return action(sent.session, sent.form, request, reply);
    return sent.kind === 'forged' ? this.#reject(reply) : this.#back(reply);
  }

  #reject(reply: FastifyReply): FastifyReply {
    return this.#send(reply.code(403), 'narrow', MESSAGES.tampered.title, messageCard(MESSAGES.tampered));
  }

  async #show(session: BrowserSession, request: FastifyRequest, reply: FastifyReply, fault: PasswordFault | null) {
    const query = new URLSearchParams(request.url.split('?')[1]);
    const overview = await securityOverview(session, query.get('after'));
    const done = DONE[query.get('done') ?? ''];
    const target = (name: string): FormTarget => ({ action: `${this.#url}/${name}`, formToken: session.formToken });
    const main = html`<h1>Security</h1>
${done !== undefined && fault === null && html`<p class="done" role="status">${done}</p>`}
${passwordSection({ ...target('password'), email: session.email ?? '', changed: overview.password_changed, fault })}
${sessionsSection({
  sessions: overview.sessions,
  current: session.uid,
  endOne: target('end-session'),
  endAll: target('sign-out-everywhere'),
})}
${connectedApps(overview.grants, `${this.#url}/revoke`, session.formToken)}
${overview.apiKeys !== null && apiKeysSection(overview.apiKeys, target('revoke-key'))}
${logSection({ ...overview, isOfAccount: overview.apiKeys !== null, url: this.#url })}`;
    return this.#send(reply, 'wide', 'Security', main, accountHeader(this.#provider.issuer, 'security', session));
  }

  #send(reply: FastifyReply, width: 'narrow' | 'wide', title: string, main: Html, account?: Html): FastifyReply {
    const page = framedPage({ title, styles: this.#styles, width, main, ...(account && { account }) });
    return reply.headers(page.headers).send(page.html);
  }

  #back(reply: FastifyReply, done?: string): FastifyReply {
    return reply.redirect(done === undefined ? this.#url : `${this.#url}?done=${done}`, 303);
  }
}

/** A message that names its parameter, as a sentence of a page. */
function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}
