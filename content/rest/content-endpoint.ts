import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify';

import { identifyWebsiteUser, VISITOR } from '../access/application-passwords.ts';
import { may } from '../access/capabilities.ts';
import { type ContentContext, contentContext } from '../access/content-context.ts';
import { contentSchema } from '../content-schema.ts';
import { type ContentAnswer, contentAnswer, errorAnswer } from './content-answer.ts';
import { contentBridge } from './content-bridge.ts';
import { ContentError } from '../schema/content-error.ts';
import { HTTP_STATUS, ServiceError } from '../../schema/service-error.ts';
import { answerError, bodyFault } from '../../http/answers/answer-errors.ts';
import { BodyMemory, type HeldMemory } from '../../http/requests/body-memory.ts';
import { RETRY_AFTER } from '../../http/answers/database-unreachable.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import {
  BODY_LIMIT,
  MAX_CONTENT_BODY,
  UPLOAD_LIMIT,
  MAX_ANONYMOUS_BODY,
  MAX_UPLOAD_MEMORY,
} from '../../http/requests/body-limits.ts';
import { hasBody } from '../../http/requests/has-body.ts';
import { demandLength, isRecordTooLarge, readBody } from '../../http/requests/read-body.ts';
import { permitLargeBody } from '../../http/requests/request-timeouts.ts';
import { identified } from '../../http/requests/identified.ts';
import { answerName, userAnswerName } from '../caching/answer-name.ts';
import { type KeptAnswer, keptAnswer, sendKept } from './kept-answer.ts';
import { currentStamp } from '../caching/current-stamp.ts';
import { contentCache } from '../caching/content-cache.ts';
import { type ReadContentRequest, readContentRequest } from './read-content-request.ts';
import type { Service } from '../../models/store/service.ts';

/** Headers of every answer. CORS as in the reference, except that credentials are never allowed. */
const HEADERS = {
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, ETag',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match',
};

/** Headers of answers to a user of the website, which caches must not share. */
const UNCACHED = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0',
};

/**
 * Makes the content interface under `{site_url}/wp-json` (specification: section D). It has one route, since its paths
 * ignore letter case and its unknown ones are answered in its own dialect; the table of `content/rest` finds the row.
 * `uploads` is the memory for bodies of users who may send large ones.
 */
export async function contentEndpoint(
  service: Service,
  siteUrl: URL,
  uploads = new BodyMemory(MAX_UPLOAD_MEMORY),
): Promise<Endpoint> {
  const site = siteUrl.href.replace(/\/$/, '');
  const api = `${site}/wp-json`;
  const prefix = new URL(api).pathname;
  const { dispatch, dependsOnContentAlone } = await contentBridge(await contentSchema());
  const kept = contentCache<KeptAnswer>();
  return {
    name: 'content interface',
    register: (app) => {
      const callers = identified((request) =>
        request.server.admission.identify(request, () => identifyWebsiteUser(service, request.raw.rawHeaders)),
      );
      const callerOf = (request: FastifyRequest) => callers.get(request) ?? VISITOR;
      const held = new WeakMap<FastifyRequest, HeldMemory>();
      const answerTo = async (
        { content, body, nonce }: ReadContentRequest,
        request: FastifyRequest,
        kept: Pick<ContentContext, 'stamp'> | object = {},
      ) => {
        const caller = callerOf(request);
        if (nonce !== undefined && caller.kind === 'visitor') return errorAnswer(INVALID_NONCE, api);
        const client = { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' };
        const context = contentContext({ service, caller, site, client, body, memory: held.get(request), ...kept });
        // An embedded object saves a request, and so counts as one.
        const admit = () => request.server.admission.countAgain(request);
        return contentAnswer(dispatch, content, context, admit);
      };
      const read = (request: FastifyRequest) => {
        const max = maxBodyOf(request, callerOf(request));
        if (max > BODY_LIMIT) permitLargeBody(request.raw);
        return readBody(request.raw, max, max > BODY_LIMIT ? held.get(request) : undefined);
      };
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', read);
      app.addHook('onRequest', async (request, reply) => {
        const { headers } = request.raw;
        held.set(request, uploads.hold(reply.raw));
        if (!MEDIA_TYPE.test(headers['content-type'] ?? '')) delete headers['content-type'];
      });
      app.setErrorHandler((error: FastifyError, request, reply) => {
        const rejection = rejectionOf(error, reply);
        if (rejection === null) return answerError(error, request, reply);
        return send(errorAnswer(rejection, api), request, reply, VISITOR);
      });
      const route = {
        method: app.supportedMethods as HTTPMethods[],
        config: { callers: 'identified' },
        onRequest: [
          callers.onRequest,
          async (request) => demandLength(request.raw, maxBodyOf(request, callerOf(request))),
        ],
        preValidation: [
          async (request) => {
            // Fastify does not read bodies of methods that usually have none.
            if (request.body === undefined && hasBody(request.raw)) request.body = await read(request);
          },
          callers.preValidation,
        ],
        handler: async (request, reply) => {
          const caller = callerOf(request);
          const name = caller.kind === 'website' ? userAnswerName(request, caller) : answerName(request);
          const keep = async (stamp: string | null, content = readContentRequest(request, prefix)) =>
            keptAnswer(await answerTo(content, request, { stamp: async () => stamp }));
          if (name !== null && kept.has(name))
            return sendTo(await kept.get(name, await currentStamp(service), keep), request, reply, caller);
          const read = readContentRequest(request, prefix);
          if (name !== null && namesContentAlone(read) && dependsOnContentAlone(read.content)) {
            const stamp = await currentStamp(service);
            return sendTo(await kept.get(name, stamp, () => keep(stamp, read)), request, reply, caller);
          }
          const answered = await answerTo(read, request);
          // Fastify omits the body of HEAD, but not of another method that `_method` changes to HEAD.
          const isHeaded = read.content.method === 'HEAD' && request.method !== 'HEAD';
          return send(isHeaded ? { ...answered, body: '' } : answered, request, reply, caller);
        },
      } satisfies Omit<RouteOptions, 'url'>;
      // Some clients are configured for `index.php`, for servers that cannot rewrite paths.
      for (const url of [prefix, prefix.replace(/wp-json$/, 'index.php/wp-json')]) {
        app.route({ ...route, url });
        app.route({ ...route, url: `${url}/*` });
      }
      app.addConstraintStrategy(REST_ROUTE as ConstraintStrategy);
      for (const file of ['', 'index.php']) {
        app.route({ ...route, url: prefix.replace(/wp-json$/, file), constraints: { [REST_ROUTE.name]: true } });
      }
    },
  };
}

/** Returns true if a request has no parameter that changes its caller or its target. */
function namesContentAlone({ content: { query }, nonce }: ReadContentRequest): boolean {
  return nonce === undefined && query.password === undefined && query._method === undefined;
}

/** Fastify's type of a constraint strategy, which it does not export. */
type ConstraintStrategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];

/** Selects requests for the front page that name a path of the interface: `/?rest_route=/wp/v2/posts`. */
const REST_ROUTE = {
  name: 'restRoute',
  storage: () => {
    const handlers = new Map<unknown, unknown>();
    return {
      get: (value: unknown) => handlers.get(value) ?? null,
      set: (value: unknown, handler: unknown) => void handlers.set(value, handler),
    };
  },
  validate: () => true,
  deriveConstraint: (request: IncomingMessage) => /[?&]rest_route=/.test(request.url ?? '') || undefined,
};

/** Types of bodies that hold parameters; all others may be files. */
const TEXT = /^\s*application\/(?:json|x-www-form-urlencoded)\s*(?:;|$)/i;

/** Maximum body that a caller may send, in bytes: large texts are for those who may write posts, large files for uploaders. */
function maxBodyOf({ headers }: FastifyRequest, caller: ContentContext['caller']): number {
  if (caller.kind === 'visitor') return MAX_ANONYMOUS_BODY;
  if (TEXT.test(headers['content-type'] ?? '')) return may(caller, 'edit_posts') ? MAX_CONTENT_BODY : BODY_LIMIT;
  return may(caller, 'upload_files') ? UPLOAD_LIMIT : BODY_LIMIT;
}

/** Error for a text that is too large for a record once it is sanitized. */
const TOO_LARGE = { status: 413, message: 'The content is too large' } as const;

/** Start of a media type (RFC 9110, section 8.3.1). A `Content-Type` without one is ignored, as in the reference. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** A nonce proves a cookie session; there are none here. */
const INVALID_NONCE = new ContentError('rest_cookie_invalid_nonce', 'Cookie nonce is invalid', 403);

/** Formats an error in the dialect of the interface; null for a fault of the service. */
function rejectionOf(error: FastifyError, reply: FastifyReply): ContentError | null {
  if (error instanceof ContentError) return error;
  if (error instanceof ServiceError && error.code !== 'BAD_REQUEST') {
    const { code, message } = error;
    if (code === 'TOO_MANY_REQUESTS') return new ContentError('rest_too_many_requests', message, HTTP_STATUS[code]);
    reply.headers({ 'Retry-After': RETRY_AFTER, Connection: 'close' });
    return new ContentError('rest_unavailable', message, HTTP_STATUS[code]);
  }
  const fault = isRecordTooLarge(error) ? TOO_LARGE : bodyFault(error);
  if (fault === null) return null;
  // The rest of the body may not have arrived yet.
  reply.header('Connection', 'close');
  return new ContentError('rest_invalid_request', fault.message, fault.status);
}

function send(
  { status, headers, type, body }: ContentAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: ContentContext['caller'],
): FastifyReply {
  const isUser = caller.kind === 'website';
  reply.code(status).headers({ ...HEADERS, ...headers, 'Content-Type': type, ...(isUser ? UNCACHED : {}) });
  allowOrigin(request, reply, isUser);
  return status === 204 ? sendNothing(reply) : reply.send(body);
}

/** Sends a cacheable answer. Only visitors' clients may cache it as well. */
function sendTo(
  kept: KeptAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: ContentContext['caller'],
): Promise<FastifyReply> {
  const isUser = caller.kind === 'website';
  reply.headers({ ...HEADERS, ...kept.answer.headers, ...(isUser ? UNCACHED : {}) });
  allowOrigin(request, reply, isUser);
  return sendKept(isUser ? { ...kept, etag: null } : kept, request, reply);
}

/** Lets pages of other origins read an answer. */
function allowOrigin({ method, headers: { origin } }: FastifyRequest, reply: FastifyReply, isUser: boolean): void {
  if (origin !== undefined) {
    reply.headers({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    });
  }
  if (origin !== undefined || (method === 'GET' && !isUser)) reply.header('Vary', 'Origin');
}

/** Fastify removes the type of an answer without a body; of an empty picture it is part of the interface. */
function sendNothing(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(204, reply.getHeaders() as OutgoingHttpHeaders).end();
  return reply;
}
