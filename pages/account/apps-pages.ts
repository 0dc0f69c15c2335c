import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';

import { type AppForUser, isPermitted } from '../../auth/caller.ts';
import { holderOfGrant, revokeGrantsTo } from '../../auth/grants.ts';
import type { Actor } from '../../auth/security-events.ts';
import type { BrowserSession } from '../../auth/oauth/browser-session.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { type AppManager, deleteApp, listApps, rotateAppSecret, updateApp } from '../../resolvers/apps/app-resolver.ts';
import { listGrants } from '../../resolvers/apps/app-grant-resolver.ts';
import { hiddenZones } from '../../tracking/visibility/hidden-zones.ts';
import {
  createWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../resolvers/webhooks/manage-webhook.ts';
import { deliveryPage, replayWebhook, testWebhook, webhookPage } from '../../resolvers/webhooks/webhook-resolver.ts';
import { EventName } from '../../schema/events/event.ts';
import { registerOwnApp } from '../../resolvers/apps/register-app.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import { type Html, html } from '../../http/answers/html.ts';
import { appList, type ChangedApp, credentialsNotice } from './app-list.ts';
import {
  appUrl,
  appWebhooks,
  EMPTY_WEBHOOK,
  testNotice,
  type TypedWebhook,
  webhookSecretNotice,
} from './app-webhooks.ts';
import { connectedApps } from './connected-apps.ts';
import { EMPTY_REGISTRATION, type Registration, registrationForm } from './registration-form.ts';
import { actorIn } from '../sign-in/client-of.ts';
import type { Message } from '../sign-in/message-page.ts';
import { type SessionAction, SessionPages } from './session-pages.ts';
import type { App } from '../../schema/account/app.ts';
import type { Form } from '../../http/requests/form.ts';
import type { Service } from '../../models/store/service.ts';

const NOT_ADMINISTRATOR: Message = {
  title: 'You may not change the apps of this account',
  text: 'Only its administrators may. Nothing was changed.',
};

const NOT_UNRESTRICTED: Message = {
  title: 'You may not register apps',
  text: 'An app acts in the name of the account, so only an administrator who is not restricted to groups can register one. Nothing was changed.',
};

const NOT_FOUND = html`<p class="fault" role="alert">This app or its webhook does not exist, or is of another account. These are the apps that you manage:</p>`;

const NOT_MANAGED = html`<p class="fault" role="alert">Only administrators manage apps. These are the apps that you have given access:</p>`;

/** Deliveries of a webhook that a page shows. */
const DELIVERIES_SHOWN = 20;

/** An action on the webhooks of an app, for the app as it acts for the signed-in user; its result is shown above them. */
type WebhookAction = (caller: AppForUser, form: Form, actor: Actor) => Promise<Html | null>;

/** The developer platform of a signed-in user: the account's apps, and the apps that the user has granted access. */
export class AppsPages extends SessionPages {
  constructor(service: Service, provider: Provider, styles: string) {
    super(service, provider, styles, 'apps');
  }

  /** The actions by the last part of their address. */
  readonly actions: Readonly<Record<string, SessionAction>> = {
    register: this.#ofAdministrators(async (session, form, request, reply) => {
      if (!mayRegister(session)) return this.reject(reply, NOT_UNRESTRICTED);
      const input = {
        name: form.one('name') ?? '',
        redirectUris: form.one('redirect_uris') ?? '',
        isPublic: form.one('is_public') === 'yes',
        requiresPkce: form.one('requires_pkce') === 'yes',
      };
      try {
        const credentials = await registerOwnApp(this.service, {
          ...input,
          account: session.account_key,
          redirectUris: addressesIn(form),
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
      const secret = await rotateAppSecret(client_id, appManagerOf(this.service, session, request));
      if (secret === null) return this.back(reply);
      return this.#show(session, reply, { notice: credentialsNotice({ client_id, secret }) });
    }),
    update: this.#ofAdministrators(async (session, form, request, reply) => {
      const client_id = form.one('client_id') ?? '';
      const change = {
        name: form.one('name') ?? '',
        redirect_uris: addressesIn(form),
        requires_pkce: form.one('requires_pkce') === 'yes',
      };
      try {
        await updateApp(client_id, change, appManagerOf(this.service, session, request));
        return this.back(reply);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return this.#show(session, reply.code(422), { changed: { client_id, ...change, fault: error.message } });
      }
    }),
    delete: this.#ofAdministrators(async (session, form, request, reply) => {
      await deleteApp(form.one('client_id') ?? '', appManagerOf(this.service, session, request));
      return this.back(reply);
    }),
    revoke: async (session, form, request, reply) => {
      await revokeGrantsTo(this.service, form.one('client_id') ?? '', session.user_key, actorIn(session, request));
      return this.back(reply);
    },
    'webhook-add': this.#ofWebhooks(async (caller, form, actor) => {
      const events = form.all('events').flatMap((name) => Object.values(EventName).filter((event) => event === name));
      const { secret } = await createWebhook(this.service, caller, actor, {
        url: form.one('url') ?? '',
        events,
      });
      return webhookSecretNotice(secret);
    }),
    'webhook-test': this.#ofWebhooks(async (caller, form) =>
      testNotice(await testWebhook(this.service, caller, keyIn(form))),
    ),
    'webhook-status': this.#ofWebhooks(async (caller, form, actor) => {
      await updateWebhook(this.service, caller, actor, keyIn(form), {
        status: form.one('status') === 'active' ? 'active' : 'paused',
      });
      return null;
    }),
    'webhook-secret': this.#ofWebhooks(async (caller, form, actor) =>
      webhookSecretNotice((await rotateWebhookSecret(this.service, caller, actor, keyIn(form))).secret),
    ),
    'webhook-delete': this.#ofWebhooks(async (caller, form, actor) => {
      await deleteWebhook(this.service, caller, actor, keyIn(form));
      return null;
    }),
    'webhook-replay': this.#ofWebhooks(async (caller, form) => {
      await replayWebhook(this.service, caller, keyIn(form), { delivery_key: form.one('delivery') ?? '' });
      return null;
    }),
    'sign-out': this.signOut,
  };

  /** Allows an action on webhooks if the user has granted the app the scope for it. */
  #ofWebhooks(action: WebhookAction): SessionAction {
    return this.#ofAdministrators(async (session, form, request, reply) => {
      const client_id = form.one('client_id') ?? '';
      const app = await managedApp(this.service, session, client_id);
      const caller = app && (await appActingFor(this.service, session, app));
      if (!caller) return this.reject(reply);
      try {
        const notice = await action(caller, form, actorIn(session, request));
        const webhook = form.one('webhook') ?? null;
        if (notice === null) return reply.redirect(appUrl(this.url, client_id, { ...(webhook && { webhook }) }), 303);
        return await this.#showApp(session, reply, { client_id, notice });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (error.code === 'NOT_FOUND') return reply.redirect(appUrl(this.url, client_id), 303);
        const typed = { url: form.one('url') ?? '', events: form.all('events'), fault: error.message };
        return this.#showApp(session, reply.code(422), { client_id, typed });
      }
    });
  }

  /** Allows an action to administrators alone: viewers and drivers cannot change the account. */
  #ofAdministrators(action: SessionAction): SessionAction {
    return async (session, form, request, reply) =>
      session.role === 'administrator' ? action(session, form, request, reply) : this.reject(reply, NOT_ADMINISTRATOR);
  }

  protected override async show(session: BrowserSession, request: FastifyRequest, reply: FastifyReply) {
    const query = new URLSearchParams(request.url.split('?')[1]);
    const client_id = query.get('app');
    if (client_id === null) return this.#show(session, reply, {});
    if (session.role !== 'administrator') return this.#show(session, reply, { notice: NOT_MANAGED });
    try {
      const log = { webhook: query.get('webhook'), after: query.get('after') };
      return await this.#showApp(session, reply, { client_id, ...log });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return this.#show(session, reply.code(404), { notice: NOT_FOUND });
    }
  }

  /** Shows the page of an app that the user manages. @throws ServiceError for an unknown webhook or cursor */
  async #showApp(
    session: BrowserSession,
    reply: FastifyReply,
    { client_id, notice, typed = EMPTY_WEBHOOK, webhook = null, after = null }: ShownApp,
  ): Promise<FastifyReply> {
    const { formToken } = session;
    const app = await managedApp(this.service, session, client_id);
    if (!app) return this.#show(session, reply.code(404), { notice: NOT_FOUND });
    const caller = await appActingFor(this.service, session, app);
    const webhooks = caller && (await webhookPage(this.service, caller, { first: 1000, after: null })).nodes;
    const isSentNothing = caller !== null && (await hiddenZones(this.service, caller)).length > 0;
    const page = { first: DELIVERIES_SHOWN, after };
    const log =
      caller && webhook !== null
        ? { webhook_key: webhook, deliveries: await deliveryPage(this.service, caller, webhook, page) }
        : null;
    const main = html`<h1><bdi>${app.name}</bdi></h1>
${notice}
${appWebhooks({ app, webhooks, isSentNothing, log, typed, url: this.url, formToken })}`;
    return this.send(session, reply, main);
  }

  async #show(
    session: BrowserSession,
    reply: FastifyReply,
    { notice, registration = EMPTY_REGISTRATION, changed }: Shown,
  ): Promise<FastifyReply> {
    const { formToken } = session;
    const manages = session.role === 'administrator';
    const registers = manages && mayRegister(session);
    const [apps, grants] = await Promise.all([
      manages ? listApps(appManagerOf(this.service, session)) : [],
      listGrants(this.service, [session.user_key]),
    ]);
    const main = html`<h1>Developer platform</h1>
${notice}
${(registers || apps.length > 0) && appList(apps, { url: this.url, formToken, changed })}
${registers && registrationForm(`${this.url}/register`, formToken, registration)}
${connectedApps(grants, `${this.url}/revoke`, formToken)}`;
    return this.send(session, reply, main);
  }
}

/** Returns false for an administrator who is restricted to groups: an app acts in the name of the whole account. */
function mayRegister({ group_keys }: BrowserSession): boolean {
  return group_keys.length === 0;
}

/** The apps as they are shown. */
interface Shown {
  readonly notice?: Html;
  readonly registration?: Registration;
  readonly changed?: ChangedApp;
}

/** The page of an app as it is shown. */
interface ShownApp {
  readonly client_id: string;
  readonly notice?: Html;
  readonly typed?: TypedWebhook;
  /** Key of the webhook whose deliveries are shown, from a cursor on. */
  readonly webhook?: string | null;
  readonly after?: string | null;
}

/** The redirect addresses of a form, one a line. */
function addressesIn(form: Form): string[] {
  return (form.one('redirect_uris') ?? '').split(/\s+/).filter((uri) => uri !== '');
}

function keyIn(form: Form): string {
  return form.one('webhook') ?? '';
}

async function managedApp(service: Service, session: BrowserSession, clientId: string): Promise<App | null> {
  const apps = await listApps(appManagerOf(service, session));
  return apps.find(({ client_id }) => client_id === clientId) ?? null;
}

/**
 * An app that a user manages, as it acts for that user: its webhooks are changed with the rights that the user has granted it.
 * Null if it may not have any.
 *
 * @param app of {@link managedApp}
 */
async function appActingFor(
  service: Service,
  session: BrowserSession,
  { client_id: managed }: App,
): Promise<AppForUser | null> {
  for (const { key, client_id } of await listGrants(service, [session.user_key])) {
    const holder = client_id === managed ? await holderOfGrant(service, key) : null;
    const mayHaveWebhooks = (['account_activity.read', 'account_activity.manage'] as const).every(
      (scope) => holder && isPermitted(holder, [scope]),
    );
    if (mayHaveWebhooks) return holder;
  }
  return null;
}

/** A user who is restricted to groups manages the apps that it has registered; others manage all of the account. */
function appManagerOf(service: Service, session: BrowserSession, request?: FastifyRequest): AppManager {
  return {
    accessScope: accountAccessScope(service, session.account_key),
    ...(session.group_keys.length > 0 && { registeredBy: session.user_key }),
    ...(request && { actor: actorIn(session, request) }),
  };
}
