import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { revokeApiKey } from '../../auth/api-keys.ts';
import { revokeGrantsTo } from '../../auth/grants.ts';
import { type BrowserSession, endSession, startSession } from '../../auth/oauth/browser-session.ts';
import { endSessions } from '../../auth/oauth/end-sessions.ts';
import { endListedSession } from '../../auth/oauth/session-list.ts';
import { recordSecurityEvent } from '../../auth/security-events.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { changePassword } from '../../auth/passwords/change-password.ts';
import { isOwner, securityOverview } from '../../resolvers/users/security-overview.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { html } from '../../http/answers/html.ts';
import { connectedApps } from './connected-apps.ts';
import { actorIn, clientOf } from '../sign-in/client-of.ts';
import {
  apiKeysSection,
  type FormTarget,
  logSection,
  type PasswordFault,
  passwordSection,
  sessionsSection,
} from './security-sections.ts';
import { type SessionAction, SessionPages } from './session-pages.ts';
import { rejectForNow } from '../sign-in/sign-in-faults.ts';
import type { Service } from '../../models/store/service.ts';

/** Messages about a completed action, by the value of `done` in the address to which a form redirects. */
const DONE: Readonly<Record<string, string>> = {
  password: 'Your password has been changed. You are signed out in every other browser.',
  'end-session': 'That browser is signed out.',
  revoke: 'That app no longer has access.',
  'revoke-key': 'That API key has been revoked.',
};

/** The page on which signed-in users manage their own security: password, sessions, apps, keys, and the log. */
export class SecurityPages extends SessionPages {
  constructor(service: Service, provider: Provider, styles: string) {
    super(service, provider, styles, 'security');
  }

  /** The actions by the last part of their address. */
  readonly actions: Readonly<Record<string, SessionAction>> = {
    password: async (session, form, request, reply) => {
      const change = {
        current: form.one('current') ?? '',
        password: form.one('password') ?? '',
        revokesGrants: form.one('revoke_grants') === 'yes',
      };
      try {
        const outcome = await changePassword(this.service, session, change, clientOf(request));
        if (outcome.kind === 'locked') {
          const text = rejectForNow(reply, outcome.retryAfterSeconds);
          return await this.#show(session, request, reply, { field: 'current', text });
        }
        if (outcome.kind === 'wrong') {
          const text = 'The current password is wrong. Please try again.';
          return await this.#show(session, request, reply.code(422), { field: 'current', text });
        }
        reply.header('Set-Cookie', await startSession(this.provider, outcome.user));
        return this.back(reply, 'password');
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        const text = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
        return this.#show(session, request, reply.code(422), { field: 'password', text });
      }
    },
    'sign-out-everywhere': async (session, _form, request, reply) => {
      await endSessions(this.service, session.user_key);
      await recordSecurityEvent(this.service, { kind: 'sessions_ended', actor: actorIn(session, request) });
      reply.header('Set-Cookie', await endSession(this.provider, request.headers.cookie));
      return this.back(reply);
    },
    'end-session': async (session, form, request, reply) => {
      if (!(await endListedSession(this.service, session.user_key, form.one('session') ?? ''))) return this.back(reply);
      await recordSecurityEvent(this.service, { kind: 'session_ended', actor: actorIn(session, request) });
      return this.back(reply, 'end-session');
    },
    revoke: async (session, form, request, reply) => {
      await revokeGrantsTo(this.service, form.one('client_id') ?? '', session.user_key, actorIn(session, request));
      return this.back(reply, 'revoke');
    },
    'revoke-key': async (session, form, request, reply) => {
      if (!(await isOwner(this.service, session))) return this.reject(reply);
      const accessScope = accountAccessScope(this.service, session.account_key);
      const isThere = await revokeApiKey(form.one('key') ?? '', accessScope, actorIn(session, request));
      return isThere ? this.back(reply, 'revoke-key') : this.back(reply);
    },
    'sign-out': this.signOut,
  };

  protected override async show(session: BrowserSession, request: FastifyRequest, reply: FastifyReply) {
    try {
      return await this.#show(session, request, reply, null);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.back(reply);
    }
  }

  async #show(session: BrowserSession, request: FastifyRequest, reply: FastifyReply, fault: PasswordFault | null) {
    const query = new URLSearchParams(request.url.split('?')[1]);
    const overview = await securityOverview(this.service, session, query.get('after'));
    const done = DONE[query.get('done') ?? ''];
    const target = (name: string): FormTarget => ({ action: `${this.url}/${name}`, formToken: session.formToken });
    const main = html`<h1>Security</h1>
${done !== undefined && fault === null && html`<p class="done" role="status">${done}</p>`}
${passwordSection({ ...target('password'), email: session.email ?? '', changed: overview.password_changed, fault })}
${sessionsSection({
  sessions: overview.sessions,
  current: session.uid,
  endOne: target('end-session'),
  endAll: target('sign-out-everywhere'),
})}
${connectedApps(overview.grants, `${this.url}/revoke`, session.formToken)}
${overview.apiKeys !== null && apiKeysSection(overview.apiKeys, target('revoke-key'))}
${logSection({ ...overview, isOfAccount: overview.apiKeys !== null, url: this.url })}`;
    return this.send(session, reply, main);
  }
}
