import type { OutgoingHttpHeaders } from 'node:http';

import type { IncomingMessage } from 'node:http';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';

import type { Visitor } from '../../auth/caller.ts';
import { identifyWebsiteUser } from '../access/basic-credentials.ts';
import { may } from '../access/capabilities.ts';
import { settingsOnce } from '../models/site-settings.ts';
import { type ContentContext, rejectionStatus } from '../access/content-context.ts';
import { contentSchema } from '../content-schema.ts';
import { describeSite } from '../describe-site.ts';
import { isPermittedTo } from '../access/permitted.ts';
import { type ContentAnswer, contentAnswers, errorAnswer } from './content-answer.ts';
import { contentBridge } from './content-bridge.ts';
import { contentRoutes } from './content-routes.ts';
import { RECORD_LINKS } from './links/record-links.ts';
import { SCHEMA_LINKS } from './links/schema-links.ts';
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
import { readContentRequest } from './read-content-request.ts';

/** Headers of every answer. CORS as the reference has it, but that credentials are never allowed. */
const HEADERS = {
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
};

/** What a user of the website gets belongs to nobody else. */
const UNCACHED = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0',
};

/**
 * The content interface under `{site_url}/wp-json`. Specification: section D.
 *
 * It has one route, since its paths ignore letter case and its unknown ones are answered in its own dialect; the table
 * of `content/rest` finds the row.
 *
 * @param uploads memory for bodies of those who may send large ones
 */
export async function contentEndpoint(siteUrl: URL, uploads = new BodyMemory(MAX_UPLOAD_MEMORY)): Promise<Endpoint> {
  const site = siteUrl.href.replace(/\/$/, '');
  const api = `${site}/wp-json`;
  const prefix = new URL(api).pathname;
  const dispatch = await contentBridge(await contentSchema(), contentRoutes, {
    address: api,
    links: RECORD_LINKS,
    schemaLinks: SCHEMA_LINKS,
    isAllowed: (field, args, context) => isPermittedTo(field, args, context as ContentContext),
    describeSite: (context) => describeSite(context as ContentContext),
  });
  const requests = new WeakMap<object, FastifyRequest>();
  // Whoever has something embedded is spared a request for it, and so it counts.
  const answer = contentAnswers(dispatch, api, async (context) => {
    const request = requests.get(context as object);
    await request?.server.admission.countAgain(request);
  });

  return {
    name: 'content interface',
    register: (app) => {
      const callers = identified((request) =>
        request.server.admission.identify(request, () => identifyWebsiteUser(request.raw.rawHeaders)),
      );
      const held = new WeakMap<FastifyRequest, HeldMemory>();
      const read = (request: FastifyRequest) => {
        const max = maxBodyOf(request, callers.get(request) ?? VISITOR);
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
        if (error instanceof ContentError) return send(errorAnswer(error, api), request, reply, false);
        if (error instanceof ServiceError) return send(errorAnswer(busy(error, reply), api), request, reply, false);
        const fault = isRecordTooLarge(error) ? TOO_LARGE : bodyFault(error);
        if (fault === null) return answerError(error, request, reply);
        const rejection = new ContentError('rest_invalid_request', fault.message, fault.status);
        // The rest of the body may still be on its way.
        reply.header('Connection', 'close');
        return send(errorAnswer(rejection, api), request, reply, false);
      });
      const handler = async (request: FastifyRequest, reply: FastifyReply) => {
        const caller = callers.get(request) ?? VISITOR;
        const { content, body, nonce } = await readContentRequest(request, prefix);
        const context: ContentContext = {
          caller,
          site,
          api,
          settings: settingsOnce(),
          client: { ip: request.ip, userAgent: request.headers['user-agent'] ?? '' },
          body,
        };
        requests.set(context, request);
        const isForged = nonce !== undefined && rejectionStatus(context) === 401;
        const answered = isForged ? errorAnswer(INVALID_NONCE, api) : await answer(content, context);
        return send(answered, request, reply, caller.kind === 'website');
      };
      const serve = (url: string, constraints = {}) =>
        app.route({
          method: app.supportedMethods as HTTPMethods[],
          url,
          constraints,
          config: { callers: 'identified' },
          onRequest: [
            callers.onRequest,
            async (request) => demandLength(request.raw, maxBodyOf(request, callers.get(request) ?? VISITOR)),
          ],
          preValidation: [
            async (request) => {
              // Fastify reads no body of methods that have none as a rule.
              if (request.body === undefined && hasBody(request.raw)) request.body = await read(request);
            },
            callers.preValidation,
          ],
          handler,
        });
      for (const url of [prefix, withoutRewriting(prefix)]) {
        serve(url);
        serve(`${url}/*`);
      }
      app.addConstraintStrategy(REST_ROUTE as ConstraintStrategy);
      serve(prefix.replace(/wp-json$/, ''), { [REST_ROUTE.name]: true });
    },
  };
}

/** The path of the interface on servers that cannot rewrite paths, which some clients are set to. */
function withoutRewriting(prefix: string): string {
  return prefix.replace(/wp-json$/, 'index.php/wp-json');
}

/** What Fastify takes as a strategy; it exports no name for it. */
type ConstraintStrategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];

/** Tells requests for the front page that name a path of the interface: `/?rest_route=/wp/v2/posts`. */
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

/** Maximum body that a caller may send, in bytes: large ones are for those who may upload files. */
function maxBodyOf({ headers }: FastifyRequest, caller: ContentContext['caller']): number {
  if (caller.kind === 'visitor') return MAX_ANONYMOUS_BODY;
  if (!may(caller, 'upload_files')) return BODY_LIMIT;
  return TEXT.test(headers['content-type'] ?? '') ? MAX_CONTENT_BODY : UPLOAD_LIMIT;
}

/** Refusal of a text that grows beyond a record when it is made safe. */
const TOO_LARGE = { status: 413, message: 'The content is too large' } as const;

const VISITOR: Visitor = { kind: 'visitor' };

/** How a media type begins (RFC 9110, section 8.3.1). A `Content-Type` that names none says nothing, as in the reference. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/** A nonce proves a session by cookie, of which there are none here. */
const INVALID_NONCE = new ContentError('rest_cookie_invalid_nonce', 'Cookie nonce is invalid', 403);

/** Words that the service has too much to do, by 429 or 503. */
function busy({ code, message }: ServiceError, reply: FastifyReply): ContentError {
  if (code === 'TOO_MANY_REQUESTS') return new ContentError('rest_too_many_requests', message, HTTP_STATUS[code]);
  reply.headers({ 'Retry-After': RETRY_AFTER, Connection: 'close' });
  return new ContentError('rest_unavailable', message, HTTP_STATUS[code]);
}

function send(answer: ContentAnswer, request: FastifyRequest, reply: FastifyReply, isUser: boolean): FastifyReply {
  const { origin } = request.headers;
  reply.code(answer.status).headers({ ...HEADERS, ...answer.headers, 'Content-Type': answer.type });
  if (isUser) reply.headers(UNCACHED);
  if (origin !== undefined) {
    reply.headers({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
    });
  }
  if (origin !== undefined || (request.method === 'GET' && !isUser)) reply.header('Vary', 'Origin');
  return answer.status === 204 ? sendNothing(reply) : reply.send(answer.body);
}

/** Fastify takes the type off an answer that has no body; of a picture of nothing it is part of the interface. */
function sendNothing(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(204, reply.getHeaders() as OutgoingHttpHeaders).end();
  return reply;
}
