import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import type { Provider } from 'oidc-provider';

import { metadataPath, oauthMetadata } from '../../auth/oauth/metadata.ts';
import { OAUTH_PATHS } from '../../auth/oauth/oauth-paths.ts';
import { createOauthProvider } from '../../auth/oauth/oauth-provider.ts';
import { noteSessionUse } from '../../auth/oauth/session-list.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import { answerError, bodyFault, reportFault } from '../../http/answers/answer-errors.ts';
import { RETRY_AFTER } from '../../http/answers/database-unreachable.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { AppsPages } from '../account/apps-pages.ts';
import { answeredPage } from '../sign-in/answered-page.ts';
import { authorizationMessage, MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { oauthHandler } from '../sign-in/oauth-handler.ts';
import { type FramedPage, framedPage, pageStyles } from '../sign-in/page-frame.ts';
import { MAX_OAUTH_REQUEST } from '../../http/requests/body-limits.ts';
import { demandLength } from '../../http/requests/read-body.ts';
import { acceptForms } from '../../http/requests/form.ts';
import { clientOf } from '../sign-in/client-of.ts';
import { RequestPages, type RequestRoute } from '../sign-in/request-pages.ts';
import { ResetPages } from '../account/reset-pages.ts';
import { RESET_PATH } from '../../auth/passwords/reset-link.ts';
import { type ReadDemoAccount, SetupPages } from '../account/setup-pages.ts';
import { SETUP_PATH } from '../../resolvers/account/setup-link.ts';
import type { SessionPages } from '../account/session-pages.ts';
import { addConsoleFiles } from '../console/console-files.ts';
import { addressesOf, type ConsoleAddresses, consolePages } from '../console/console-pages.ts';
import { SecurityPages } from '../account/security-pages.ts';
import type { Service } from '../../models/store/service.ts';

/**
 * The OAuth 2.0 server under `{auth_url}`, with its pages, the console and the developer platform.
 *
 * @param issuer `{auth_url}`
 * @param addresses the other addresses of the service, those of a service with one host by default
 * @param readDemoAccount reads the key of the demonstration's account, beside which a setup link works
 */
export async function oauthEndpoint(
  service: Service,
  issuer: string,
  addresses: ConsoleAddresses = addressesOf(issuer),
  readDemoAccount: ReadDemoAccount = async () => null,
): Promise<Endpoint> {
  const styles = await pageStyles();
  const consoleStyles = await pageStyles('pages/console/console.css');
  const frame = (page: Pick<FramedPage, 'title' | 'main' | 'script'>) =>
    framedPage({ ...page, styles, width: 'narrow', needs: { keepsOpener: true } });
  const provider = createOauthProvider(service, {
    issuer,
    errorPage: (error) => {
      const message = authorizationMessage(error);
      return frame({ title: message.title, main: messageCard(message) });
    },
    answeredPage: (answer) => {
      const { status, ...page } = answeredPage(answer);
      return { status, ...frame(page) };
    },
  });
  const pages = new RequestPages(service, provider, styles);
  const setup = new SetupPages(service, provider, styles, readDemoAccount);
  const reset = new ResetPages(service, styles, `${issuer}${RESET_PATH}`, `${issuer}/security`);
  const prefix = new URL(issuer).pathname.replace(/\/$/, '');
  return {
    name: 'OAuth server',
    register: (app) => {
      app.get(metadataPath(issuer), (_request, reply) => {
        return reply.header('Cache-Control', 'public, max-age=300').send(oauthMetadata(issuer));
      });
      app.get('/.well-known/change-password', (_request, reply) => reply.redirect(`${issuer}/security#password`));
      app.register(async (scope) => addEndpoints(service, scope, provider, pages, prefix));
      app.register(async (scope) => {
        scope.addHook('preHandler', (request) => noteSessionUse(service, clientOf(request)));
        acceptForms(scope);
        showFaults(scope, pages);
        const path = `${prefix}${OAUTH_PATHS.request}/:uid`;
        scope.get<RequestRoute>(path, (request, reply) => pages.show(request, reply));
        scope.post<RequestRoute>(path, (request, reply) => pages.take(request, reply));
        addSessionPages(scope, new AppsPages(service, provider, consoleStyles), `${prefix}/apps`);
        addSessionPages(scope, new SecurityPages(service, provider, consoleStyles), `${prefix}/security`);
        for (const page of consolePages(service, provider, consoleStyles, addresses)) {
          const path = `${prefix}/${page.path}`;
          if (path === `${prefix}/console`) addSessionPages(scope, page, path);
          else scope.get(path, (request, reply) => page.open(request, reply));
        }
        addConsoleFiles(scope, `${prefix}/console/files`);
        scope.get(prefix + SETUP_PATH, (request, reply) => setup.show(request, reply));
        scope.post(prefix + SETUP_PATH, (request, reply) => setup.take(request, reply));
        scope.get(prefix + RESET_PATH, (request, reply) => reset.show(request, reply));
        scope.post(prefix + RESET_PATH, (request, reply) => reset.take(request, reply));
      });
    },
  };
}

/** The endpoints of the protocol, whose bodies the library reads. */
function addEndpoints(
  service: Service,
  app: FastifyInstance,
  provider: Provider,
  pages: RequestPages,
  prefix: string,
): void {
  app.addHook('onRequest', async ({ raw }) => demandLength(raw, MAX_OAUTH_REQUEST));
  app.addHook('preHandler', (request) => noteSessionUse(service, clientOf(request)));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.setErrorHandler<FastifyError>((fault, request, reply) => {
    if (!(fault instanceof ServiceError)) {
      const rejection = bodyFault(fault);
      if (rejection === null) return answerError(fault, request, reply);
      const body = { error: 'invalid_request', error_description: rejection.message };
      return reply.code(rejection.status).header('Cache-Control', 'no-store').send(body);
    }
    if (fault.code === 'BAD_REQUEST') {
      const message = authorizationMessage({ error: 'invalid_request', error_description: fault.message });
      return pages.tell(reply, HTTP_STATUS[fault.code], message);
    }
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

/** A page of a signed-in user, with its sign-in page and its actions. */
function addSessionPages(app: FastifyInstance, pages: SessionPages, path: string): void {
  app.get(path, (request, reply) => pages.open(request, reply));
  // Also for a user who is signed in, and enters the password again.
  app.get(`${path}/sign-in`, (request, reply) => pages.signIn.ask(request, reply));
  app.post(`${path}/sign-in`, (request, reply) => pages.signIn.take(request, reply));
  for (const [name, action] of Object.entries(pages.actions)) {
    app.post(`${path}/${name}`, (request, reply) => pages.act(action, request, reply));
  }
}

/** Page for too many requests or a busy service, with the time after which to try again. */
function tellBusy(pages: RequestPages, { code, message }: ServiceError, reply: FastifyReply): FastifyReply {
  if (code === 'SERVICE_UNAVAILABLE') reply.header('Retry-After', RETRY_AFTER);
  return pages.tell(reply, HTTP_STATUS[code], { ...MESSAGES.busy, detail: message });
}

function showFaults(app: FastifyInstance, pages: RequestPages): void {
  app.setErrorHandler<FastifyError>((fault, request, reply) => {
    const rejection = bodyFault(fault);
    if (rejection !== null) {
      return pages.tell(reply, rejection.status, { ...MESSAGES.tampered, detail: rejection.message });
    }
    if (fault instanceof ServiceError) return tellBusy(pages, fault, reply);
    reportFault(fault, request, reply);
    return pages.tell(reply, reply.statusCode, MESSAGES.fault);
  });
}
