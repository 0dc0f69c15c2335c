import type { FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';

import { metadataPath, oauthMetadata } from '../../auth/oauth/metadata.ts';
import { createOauthProvider, OAUTH_PATHS } from '../../auth/oauth/oauth-provider.ts';
import { reportFault } from '../answer-errors.ts';
import type { Door } from '../door.ts';
import { newNonce } from '../page-headers.ts';
import { formHeaders } from '../sign-in/form-headers.ts';
import { authorizationMessage, MESSAGES, messageCard } from '../sign-in/message-page.ts';
import { oauthHandler } from '../sign-in/oauth-handler.ts';
import { framedPage } from '../sign-in/page-frame.ts';
import { pageStyles } from '../sign-in/page-styles.ts';
import { acceptForms } from '../sign-in/read-form.ts';
import { RequestPages } from '../sign-in/request-pages.ts';

/**
 * The OAuth 2.0 server under `{auth_url}`: its endpoints, the pages on which users answer, and its metadata.
 *
 * @param issuer `{auth_url}` as tokens and metadata name it
 */
export async function oauthDoor(issuer: string): Promise<Door> {
  const styles = await pageStyles();
  const provider = createOauthProvider({
    issuer,
    errorPage: (error) => {
      const nonce = newNonce();
      const message = authorizationMessage(error);
      const html = framedPage({ title: message.title, nonce, styles, width: 'narrow', main: messageCard(message) });
      return { html, headers: formHeaders(nonce) };
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
      app.register(async (scope) => addEndpoints(scope, provider, prefix));
      app.register(async (scope) => addPages(scope, pages, `${prefix}${OAUTH_PATHS.request}/:uid`));
    },
  };
}

/** The endpoints of the protocol, whose bodies the library reads itself. */
function addEndpoints(app: FastifyInstance, provider: Provider, prefix: string): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  const handler = oauthHandler(provider, app.log);
  app.get(prefix + OAUTH_PATHS.authorization, handler);
  app.get(`${prefix}${OAUTH_PATHS.authorization}/:uid`, handler);
  for (const path of [OAUTH_PATHS.token, OAUTH_PATHS.revocation, OAUTH_PATHS.introspection]) {
    app.post(prefix + path, handler);
  }
}

function addPages(app: FastifyInstance, pages: RequestPages, path: string): void {
  acceptForms(app);
  app.setErrorHandler((fault, request, reply) => {
    reportFault(fault, request, reply);
    return pages.tell(reply, reply.statusCode, MESSAGES.fault);
  });
  app.get<{ Params: { uid: string } }>(path, (request, reply) => pages.show(request, reply));
  app.post<{ Params: { uid: string } }>(path, (request, reply) => pages.take(request, reply));
}
