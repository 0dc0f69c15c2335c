import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Provider } from 'oidc-provider';

import { findSession } from '../../auth/oauth/browser-session.ts';
import { metadataPath, oauthMetadata } from '../../auth/oauth/metadata.ts';
import { createOauthProvider, OAUTH_PATHS } from '../../auth/oauth/oauth-provider.ts';
import { noteSessionUse } from '../../auth/oauth/session-list.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import { answerError, bodyFault, reportFault } from '../../http/answers/answer-errors.ts';
import { RETRY_AFTER } from '../../http/answers/database-unreachable.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { AppsPages } from '../account-pages/apps-pages.ts';
import { authorizationMessage, MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { oauthHandler } from '../sign-in/oauth-handler.ts';
import { framedPage, pageStyles } from '../sign-in/page-frame.ts';
import { PlatformSignIn } from '../account-pages/platform-sign-in.ts';
import { acceptForms, clientOf } from '../sign-in/read-form.ts';
import { RequestPages } from '../sign-in/request-pages.ts';
import { ResetPages } from '../account-pages/reset-pages.ts';
import { RESET_PATH, SECURITY_PATH } from '../account-pages/security-paths.ts';
import { SecurityPages } from '../account-pages/security-pages.ts';

/**
 * The OAuth 2.0 server under `{auth_url}`: its endpoints, the pages on which users answer, its metadata, and the developer
 * platform.
 *
 * @param issuer `{auth_url}` as tokens and metadata name it
 */
export async function oauthEndpoint(issuer: string): Promise<Endpoint> {
  const styles = await pageStyles();
  const provider = createOauthProvider({
    issuer,
    errorPage: (error) => {
      const message = authorizationMessage(error);
      return framedPage({ title: message.title, styles, width: 'narrow', main: messageCard(message) });
    },
  });
  const pages = new RequestPages(provider, styles);
  const prefix = new URL(issuer).pathname.replace(/\/$/, '');
  return {
    name: 'OAuth server',
    register: (app) => {
      app.get(metadataPath(issuer), (_request, reply) => {
        return reply.header('Cache-Control', 'public, max-age=300').send(oauthMetadata(issuer));
      });
      app.get('/.well-known/change-password', (_request, reply) => reply.redirect(`${issuer}/security#password`));
      app.register(async (scope) => addEndpoints(scope, provider, pages, prefix));
      app.register(async (scope) => {
        scope.addHook('preHandler', (request) => noteSessionUse(clientOf(request)));
        acceptForms(scope);
        showFaults(scope, pages);
        addRequestPages(scope, pages, `${prefix}${OAUTH_PATHS.request}/:uid`);
        addPlatform(scope, provider, styles, prefix);
        addSecurity(scope, provider, styles, prefix);
      });
    },
  };
}

/** The endpoints of the protocol, whose bodies the library reads itself. */
function addEndpoints(app: FastifyInstance, provider: Provider, pages: RequestPages, prefix: string): void {
  app.addHook('preHandler', (request) => noteSessionUse(clientOf(request)));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setErrorHandler<FastifyError>((fault, request, reply) => {
    if (!(fault instanceof ServiceError)) return answerError(fault, request, reply);
    if (request.method === 'GET') return tellBusy(pages, fault, reply);
    const body = { error: 'temporarily_unavailable', error_description: fault.message };
    return reply.code(HTTP_STATUS[fault.code]).header('Cache-Control', 'no-store').send(body);
  });
  const handler = oauthHandler(provider, app.log);
  app.get(prefix + OAUTH_PATHS.authorization, handler);
  app.get(`${prefix}${OAUTH_PATHS.authorization}/:uid`, handler);
  for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revocation, OAUTH_PATHS.introspection]) {
    app.post(prefix + path, { config: { callers: 'late' } }, handler);
  }
}

function addRequestPages(app: FastifyInstance, pages: RequestPages, path: string): void {
  app.get<{ Params: { uid: string } }>(path, (request, reply) => pages.show(request, reply));
  app.post<{ Params: { uid: string } }>(path, (request, reply) => pages.take(request, reply));
}

/** The developer platform, or the question who somebody is. */
function addPlatform(app: FastifyInstance, provider: Provider, styles: string, prefix: string): void {
  const path = `${prefix}/apps`;
  const url = `${provider.issuer}/apps`;
  const platform = new AppsPages(provider, styles);
  const signIn = new PlatformSignIn(provider, styles, { url, lead: 'to your developer platform' });
  app.get(path, async (request, reply) => {
    const session = await findSession(provider, request.headers.cookie);
    return session ? platform.show(session, reply) : signIn.ask(request, reply);
  });
  app.post(`${path}/sign-in`, (request, reply) => signIn.take(request, reply));
  for (const [name, action] of Object.entries(platform.actions)) {
    app.post(`${path}/${name}`, (request, reply) => platform.act(action, request, reply));
  }
}

/** A page that says that too much was asked for, or that there is too much to do, and when to try again. */
function tellBusy(pages: RequestPages, { code, message }: ServiceError, reply: FastifyReply): FastifyReply {
  if (code === 'SERVICE_UNAVAILABLE') reply.header('Retry-After', RETRY_AFTER);
  return pages.tell(reply, HTTP_STATUS[code], { ...MESSAGES.busy, detail: message });
}

/** The security page with its reset links, or the question who somebody is. */
function addSecurity(app: FastifyInstance, provider: Provider, styles: string, prefix: string): void {
  const path = `${prefix}${SECURITY_PATH}`;
  const url = `${provider.issuer}${SECURITY_PATH}`;
  const pages = new SecurityPages(provider, styles);
  const signIn = new PlatformSignIn(provider, styles, { url, lead: 'to your security page' });
  const reset = new ResetPages(styles, `${provider.issuer}${RESET_PATH}`, url);
  app.get(path, async (request, reply) => {
    const session = await findSession(provider, request.headers.cookie);
    return session ? pages.show(session, request, reply) : signIn.ask(request, reply);
  });
  app.post(`${path}/sign-in`, (request, reply) => signIn.take(request, reply));
  for (const [name, action] of Object.entries(pages.actions)) {
    app.post(`${path}/${name}`, (request, reply) => pages.act(action, request, reply));
  }
  app.get(`${prefix}${RESET_PATH}`, (request, reply) => reset.show(request, reply));
  app.post(`${prefix}${RESET_PATH}`, (request, reply) => reset.take(request, reply));
}

function showFaults(app: FastifyInstance, pages: RequestPages): void {
  app.setErrorHandler<FastifyError>((fault, request, reply) => {
    if (fault instanceof ServiceError) return tellBusy(pages, fault, reply);
    const refused = bodyFault(fault);
    if (refused !== null) return pages.tell(reply, refused.status, MESSAGES.tampered);
    reportFault(fault, request, reply);
    return pages.tell(reply, reply.statusCode, MESSAGES.fault);
  });
}
