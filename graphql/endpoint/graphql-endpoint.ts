import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../../auth/caller.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import { bodyFault, reportFault } from '../../http/answers/answer-errors.ts';
import { bearerChallenge } from '../../http/answers/bearer-challenge.ts';
import { BODY_LIMIT, MAX_ANONYMOUS_OPERATION } from '../../http/requests/body-limits.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { hasClientGone } from '../../http/requests/client-gone.ts';
import { jsonParser } from '../../http/requests/json-body.ts';
import { RequestUse } from '../../http/observing/request-use.ts';
import { newNonce, pageHeaders } from '../../http/answers/page-headers.ts';
import { demandLength, readBody } from '../../http/requests/read-body.ts';
import { isLocalPeer } from '../../http/tls/transport.ts';
import { graphqlError, showError } from './graphql-errors.ts';
import { EventStreams, takesEvents } from './event-streams.ts';
import { graphqlPage } from '../page/graphql-page.ts';
import { createGraphqlServer, type OperationContext, REQUEST_LOG } from './graphql-server.ts';
import { identified } from '../../http/requests/identified.ts';
import { cacheKeyOf, CACHING, ResponseCache } from './response-cache.ts';
import { nameOfSent, SENT_DOCUMENT, type ServedDocuments, trustedDocumentOf } from './sent-document.ts';
import { TrustedDocuments } from './trusted-documents.ts';
import type { Service } from '../../models/store/service.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if pages of other origins cannot read the answers of a route. */
    readonly isForOwnPages?: boolean;
  }
}

/** Length up to which the name of an operation is kept. */
const MAX_NAME = 100;
/** Two hours, the maximum for which Chromium caches the answer to a preflight. */
const PREFLIGHT_SECONDS = '7200';

/** Lets pages of any https origin read the answer, without cookies (decisions, "Who may do what": CORS). */
function allowPages(request: FastifyRequest, reply: FastifyReply): void {
  if (request.routeOptions.config.isForOwnPages) return;
  reply.header('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !isHttpsOrigin(origin)) return;
  reply.header('Access-Control-Allow-Origin', origin);
  if (request.method === 'OPTIONS') {
    reply.headers({
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers':
        'authorization, content-type, last-event-id, apollographql-client-name, apollographql-client-version',
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    });
  }
}

/** Returns true if this is an origin as browsers write it (RFC 6454, section 6.2): scheme, host, port, and nothing else. */
function isHttpsOrigin(origin: string): boolean {
  return origin.startsWith('https://') && parsePlainUrl(origin)?.origin === origin;
}

/** Schema, path and callers of the endpoint. */
export interface GraphqlEndpointOptions {
  /** Not shared with other endpoints: Apollo Server's plug-ins may change it. */
  readonly schema: GraphQLSchema;
  /** Path of the endpoint, such as `/graphql`. */
  readonly path: string;
  /** Path at which pages of other origins cannot read answers; absent if there is none. */
  readonly ownPath?: string;
  /** Identifies the caller; throws a `ServiceError` for invalid credentials. */
  readonly contextOf: (request: FastifyRequest) => Promise<RequestContext>;
  /** Documents that are executed: any text by default. */
  readonly documents?: ServedDocuments;
}

/** Codes for an unreadable body, by status. */
export const BODY_CODES = { 400: 'BAD_REQUEST', 408: 'REQUEST_TIMEOUT', 413: 'PAYLOAD_TOO_LARGE' } as const;

const METHODS: HTTPMethods[] = ['GET', 'POST'];
const ALLOW = 'GET, POST, OPTIONS';

/**
 * GraphQL over HTTP. Every error answer carries GraphQL's `errors` with a code (decisions, section "Who may do what"), and
 * their order is: method, credentials, size and form of the request, permission, variables, object. To a browser on this machine
 * the endpoint shows a page for trying out queries.
 */
export function graphqlEndpoint(
  service: Service,
  { schema, path, ownPath = path, contextOf, ...options }: GraphqlEndpointOptions,
): Endpoint {
  const anyText = { trusted: new TrustedDocuments(schema), trustedOnly: false, automatic: false };
  const { documents = anyText } = options;
  const wantsPage = (request: FastifyRequest) => !documents.trustedOnly && isPageRequest(request);
  return {
    name: 'GraphQL',
    register: async (app) => {
      const server = createGraphqlServer(schema, documents, app.log);
      const streams = new EventStreams(service, server, contextOf);
      const use = new RequestUse();
      const contexts = identified<OperationContext>(async (request, reply) => ({
        ...streams.contextOf(request),
        ...use.begin(request, await contextOf(request)),
        isClientGone: () => hasClientGone(reply),
        [REQUEST_LOG]: request.log,
        [CACHING]: { key: null, mayCache: false, used: null },
        [SENT_DOCUMENT]: { trusted: null },
      }));
      const answers = new ResponseCache();
      await server.start();
      app.addHook('preClose', async () => streams.end());
      app.addHook('onClose', () => server.stop());

      const maxBodyOf = (request: FastifyRequest) =>
        known(contexts.get(request)).caller.kind === 'visitor' ? MAX_ANONYMOUS_OPERATION : BODY_LIMIT;
      readBodies(app, maxBodyOf);
      app.setErrorHandler(answerError);
      app.addHook('onRequest', async (request, reply) => allowPages(request, reply));
      app.addHook('onSend', async (request, reply, payload) => {
        const caching = contexts.get(request)?.[CACHING];
        if (caching?.mayCache && caching.key !== null && reply.statusCode === 200 && typeof payload === 'string') {
          answers.store(caching.key, caching.used, String(reply.getHeader('Content-Type')), payload);
        }
        if (reply.statusCode === 401) reply.header('WWW-Authenticate', bearerChallenge(request.headers));
        // Apollo Server names fewer methods if it rejects a mutation by GET.
        if (reply.statusCode === 405 || reply.hasHeader('Allow')) reply.header('Allow', ALLOW);
      });

      app.addHook('onResponse', (request, reply, done) => {
        const context = contexts.get(request);
        use.count(request, reply, context?.[CACHING].used ?? null, operationNameOf(request, context));
        done();
      });

      const answer = fastifyApolloHandler(server, { context: async (request) => known(contexts.get(request)) });
      for (const url of new Set([path, ownPath])) {
        const isForOwnPages = url !== path;
        app.route({
          method: METHODS,
          url,
          config: { callers: 'identified', isForOwnPages },
          // Apollo Server rejects HEAD.
          exposeHeadRoute: false,
          onRequest: async (request, reply) => {
            if (wantsPage(request)) return;
            reply.header('Cache-Control', request.method === 'GET' ? 'private, no-store' : 'no-store');
            await contexts.onRequest(request, reply);
            demandLength(request.raw, maxBodyOf(request));
          },
          preValidation: contexts.preValidation,
          preHandler: async (request, reply) => {
            if (wantsPage(request)) return;
            const { caller, work, [CACHING]: caching, [SENT_DOCUMENT]: sent } = known(contexts.get(request));
            sent.trusted = trustedDocumentOf(request, caller, documents);
            caching.key = cacheKeyOf(caller, request, sent.trusted);
            if (await answers.send(caching, request, reply)) return reply;
            await work?.demand();
          },
          handler: function handle(request, reply) {
            if (takesEvents(request)) return streams.answer(request, reply, known(contexts.get(request)));
            if (!wantsPage(request)) return answer.call(this, request, reply);
            const nonce = newNonce();
            return reply.headers(pageHeaders(nonce)).send(graphqlPage(nonce));
          },
        });
        app.options(url, {
          config: { isForOwnPages },
          // Before the body is read, since bodies have no meaning here.
          onRequest: async (_request, reply) => reply.code(204).header('Allow', ALLOW).send(),
          handler: (_request, reply) => reply,
        });
        app.route({
          method: otherMethods(app),
          url,
          config: { isRejection: true, isForOwnPages },
          onRequest: async (_request, reply) =>
            reject(reply, 405, graphqlError('METHOD_NOT_ALLOWED', 'Use POST or GET for GraphQL requests')),
          handler: (_request, reply) => reply,
        });
      }
    },
  };
}

/** Parses JSON for Apollo Server, and reads other bodies as none, so that it rejects them with its messages. */
function readBodies(app: FastifyInstance, maxOf: (request: FastifyRequest) => number): void {
  const parse = jsonParser(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    return parse(request, await readBody(request.raw, maxOf(request)));
  });
  app.addContentTypeParser('*', async (request: FastifyRequest) => {
    await readBody(request.raw, maxOf(request));
  });
}

/** Name of the operation of a request, as sent or of its trusted document; null if there is none. */
function operationNameOf({ body }: FastifyRequest, context: OperationContext | undefined): string | null {
  if (context?.[SENT_DOCUMENT].trusted) return nameOfSent(context[SENT_DOCUMENT]);
  const { operationName = null } = Object(body) as { readonly operationName?: unknown };
  return typeof operationName === 'string' ? operationName.slice(0, MAX_NAME) : null;
}

function otherMethods(app: FastifyInstance): HTTPMethods[] {
  const served = ALLOW.split(', ');
  return app.supportedMethods.filter((method) => !served.includes(method)) as HTTPMethods[];
}

function isPageRequest(request: FastifyRequest): boolean {
  return request.method === 'GET' && (request.headers.accept ?? '').includes('text/html') && isLocalPeer(request);
}

function known(context: OperationContext | undefined): OperationContext {
  if (context === undefined) throw new TypeError('A request was executed before its caller was identified');
  return context;
}

/** Answers errors that occur before GraphQL is reached: credentials, the form of the body, a fault while identifying. */
function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  allowPages(request, reply);
  const fault = bodyFault(error);
  if (fault !== null) {
    return reject(reply, fault.status, graphqlError(BODY_CODES[fault.status], fault.message));
  }
  const shown = showError(
    { message: error.message, extensions: 'extensions' in error ? Object(error.extensions) : {} },
    error,
  );
  if (error instanceof ServiceError) return reject(reply, HTTP_STATUS[error.code], shown);
  return reject(reportFault(error, request, reply), reply.statusCode, shown);
}

function reject(reply: FastifyReply, status: number, error: GraphQLFormattedError): FastifyReply {
  return reply.code(status).send({ errors: [error] });
}
