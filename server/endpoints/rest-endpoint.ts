import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

import { accessOf, authorize } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { readOf, type RestEndpoint, showsRecord } from '../../rest-bridge/rest-bridge.ts';
import type { RestRequest } from '../../rest-bridge/rest-request.ts';
import { deprecationHeaders, isRead } from '../../rest-bridge/rest-table.ts';
import { stringifyInSlices } from '../../graphql/execution/stringify-in-slices.ts';
import type { ErrorResponder, RestAnswer } from '../../http/answers/error-response.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { answerError, sendAnswer } from '../../http/answers/answer-errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { hasClientGone } from '../../http/requests/client-gone.ts';
import { MAX_APP_MESSAGE, MAX_TRIPS_FILE } from '../../http/requests/body-limits.ts';
import { inSpan, type SpanOptions } from '../../http/observing/tracing.ts';
import { demandLength } from '../../http/requests/read-body.ts';
import { permitLargeBody } from '../../http/requests/request-timeouts.ts';
import { type FileForm, isFileForm, receiveFileForm } from '../../http/requests/file-form.ts';
import { receiveFile } from '../../http/requests/temporary-file.ts';
import { queryOf } from '../../http/requests/utf8.ts';

import { conditionalAnswer } from '../../http/answers/conditional.ts';
import { RequestUse } from '../../http/observing/request-use.ts';
import { identified } from '../../http/requests/identified.ts';

import { answerChange } from './answer-change.ts';
import { usedParameters } from './used-parameters.ts';

/** Endpoints of a bridge, with the options for serving them over HTTP. */
export interface RestEndpointOptions {
  readonly name: string;
  /** Path prefix of the endpoints, without a trailing slash. */
  readonly prefix: string;
  readonly endpoints: readonly RestEndpoint[];
  /** Identifies the caller, before a body is read and again after it; throws a `ServiceError` for invalid credentials. */
  readonly contextOf: (request: FastifyRequest, endpoint: RestEndpoint) => Promise<RequestContext>;
  /** Request headers that pages of any origin may send with GET; null prevents all pages from reading answers. */
  readonly pagesMaySend: readonly string[] | null;
  /** Formats errors that occur before an endpoint is reached. */
  readonly reject: ErrorResponder;
  /** `identified` if `contextOf` identifies the caller, `late` if the endpoints do. */
  readonly callers: 'identified' | 'late';
  /** Maximum body, in bytes; that of the host by default. */
  readonly bodyLimit?: number;
}

/** Headers of answers that pages of any origin may read. */
const READABLE = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Deprecation, Sunset, Link',
};

/** Mounts a bridge's endpoints. Order of errors: credentials, permission, body size, parameters, object ("Errors"). */
export function restEndpoint(options: RestEndpointOptions): Endpoint {
  return {
    name: options.name,
    register: (app) => {
      const contentTypes = new WeakMap<FastifyRequest, string | undefined>();
      const files = new WeakMap<FastifyRequest, FileForm>();
      const members = new WeakMap<FastifyRequest, readonly string[]>();
      const use = new RequestUse();
      app.setErrorHandler((error: FastifyError, request, reply) => {
        if (!(error instanceof ServiceError)) return void answerError(error, request, reply);
        // Beyond a rate limit, the headers of the answer are not set yet.
        if (request.method === 'GET' && options.pagesMaySend) reply.headers(READABLE);
        sendAnswer(options.reject(error), request, reply);
      });
      app.removeAllContentTypeParsers();
      app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

      for (const endpoint of options.endpoints) {
        const { method } = endpoint;
        const headers = {
          ...answerHeaders(options, method, accessOf(endpoint.field)?.includes('visitor') === true),
          ...deprecationHeaders(endpoint.route, options.prefix),
        };
        const { bodyLimit, ...identifying } = rulesOf(options, endpoint);
        const shown = readOf(endpoint, options.endpoints);
        const isTagged = showsRecord(endpoint, options.endpoints);
        const span = spanOf(endpoint);
        const callers = identified(async (request, reply) => {
          const identity = await options.contextOf(request, endpoint);
          const context = use.begin(request, { ...identity, isClientGone: () => hasClientGone(reply) });
          for (const root of endpoint.roots) authorize(context, root);
          return context;
        });
        const usedBy = usedParameters(endpoint);
        const route: RouteOptions = {
          method,
          url: pathOf(options, endpoint),
          config: { callers: identifying.callers },
          // Changes have no HEAD route, whichever method the app uses.
          ...(!isRead(endpoint) && { exposeHeadRoute: false }),
          ...(bodyLimit !== undefined && { bodyLimit }),
          onResponse: (request, reply, done) => {
            use.count(request, reply, callers.get(request) ? usedBy(request, members.get(request)) : null);
            done();
          },
          onRequest: [
            (_request, reply, done) => {
              reply.headers(headers);
              done();
            },
            ...(identifying.isAfterBody ? [] : [callers.onRequest]),
            (request, _reply, done) => {
              demandLength(request.raw, request.routeOptions.bodyLimit);
              contentTypes.set(request, takeContentType(request));
              done();
            },
          ],
          preValidation: identifying.isAfterBody ? callers.afterBody : callers.preValidation,
          handler: sendingLater(async (request) => {
            const sent: RestRequest = {
              params: request.params as Record<string, string>,
              search: new URLSearchParams([...queryOf(request.raw.url), ...(files.get(request)?.fields ?? [])]),
              contentType: contentTypes.get(request),
              prefer: request.headers.prefer?.toString(),
              body: bodyOf(request),
              file: files.get(request)?.file,
              onMembers: (names) => members.set(request, names),
            };
            const context = callers.get(request);
            const answer = async () => inSlices(await inSpan(span, () => endpoint.answer(sent, context)));
            if (isRead(endpoint)) return conditionalAnswer(await answer(), request.headers['if-none-match']);
            if (options.callers === 'late' || !context || endpoint.route.file !== undefined) return answer();
            const changed = await answerChange({ request, sent, context, endpoint, shown }, answer);
            return isTagged ? conditionalAnswer(changed, undefined) : changed;
          }),
        };
        if (endpoint.route.file === undefined) app.route(route);
        else app.register(async (scope) => addFileRoute(scope, route, files, contentTypes));
      }

      for (const [url, methods] of methodsByPath(options)) {
        app.options(url, {
          // Before the body is read, since bodies have no meaning here.
          onRequest: async (_request, reply) => reply.code(204).headers(preflightHeaders(options, methods)).send(),
          handler: (_request, reply) => reply,
        });
      }
    },
  };
}

/** Adds a route whose body, or the file in its form, is written to a temporary file, which is removed when the request is answered. */
function addFileRoute(
  scope: FastifyInstance,
  route: RouteOptions,
  files: WeakMap<FastifyRequest, FileForm>,
  contentTypes: WeakMap<FastifyRequest, string | undefined>,
): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', async (request: FastifyRequest, body: Readable) => {
    permitLargeBody(request.raw);
    const contentType = contentTypes.get(request);
    const form = isFileForm(contentType)
      ? await receiveFileForm(body, contentType, MAX_TRIPS_FILE)
      : { file: await receiveFile(body, MAX_TRIPS_FILE), fields: new URLSearchParams() };
    files.set(request, form);
  });
  scope.addHook('onResponse', async (request) => {
    const file = files.get(request)?.file;
    if (file !== undefined) await rm(file, { force: true });
  });
  scope.route(route);
}

/** The span of a row's operation. */
function spanOf({ route, field }: RestEndpoint): SpanOptions<RestAnswer> {
  const type = 'query' in route ? 'query' : 'mutation';
  return {
    name: `${type} ${field.name}`,
    attributes: { 'graphql.operation.type': type, 'graphql.operation.name': field.name },
    faultOf: ({ status }) => (status >= 500 ? String(status) : null),
  };
}

/** Returns when a row's caller is identified, and its maximum body size; that of unknown callers is small. */
function rulesOf({ callers, bodyLimit }: RestEndpointOptions, { route }: RestEndpoint) {
  const isAfterBody = Array.isArray(route.deviceKey);
  if (route.file !== undefined) return { isAfterBody, callers, bodyLimit: MAX_TRIPS_FILE };
  return isAfterBody
    ? { isAfterBody, callers: 'late' as const, bodyLimit: MAX_APP_MESSAGE }
    : { isAfterBody, callers, bodyLimit };
}

/**
 * Makes a handler that sends an answer when it is ready. It returns nothing: if a handler returns its reply, Fastify
 * watches the response to its end.
 */
function sendingLater(work: (request: FastifyRequest) => Promise<RestAnswer>) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    work(request)
      .then((answer) => void sendAnswer(answer, request, reply))
      .catch((fault: unknown) => void reply.send(fault));
  };
}

/** Writes the JSON of an answer that may be long; Fastify would write it synchronously, with the same type. */
async function inSlices(answer: RestAnswer): Promise<RestAnswer> {
  const { body } = answer;
  if (typeof body !== 'object' || body === null || body instanceof Readable) return answer;
  const headers = { 'Content-Type': 'application/json; charset=utf-8', ...answer.headers };
  return { ...answer, headers, body: await stringifyInSlices(body) };
}

/** Hides the type of the body from Fastify, so that the bridge checks it, with errors in its dialect. */
function takeContentType({ headers }: FastifyRequest): string | undefined {
  const contentType = headers['content-type'];
  if (contentType !== undefined) headers['content-type'] = 'text/plain';
  return contentType;
}

/** Bytes of a request's body; none if it has no body. */
export function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

/** An endpoint's path as Fastify writes it. */
function pathOf({ prefix }: RestEndpointOptions, { path }: RestEndpoint): string {
  return prefix + path.replace(/\{(\w+)\}/g, ':$1');
}

function answerHeaders(options: RestEndpointOptions, method: string, isPublic: boolean): Record<string, string> {
  const isRead = method === 'GET';
  return {
    'Cache-Control': isRead && isPublic ? 'public, max-age=300' : 'no-store',
    ...(isRead && options.pagesMaySend ? READABLE : {}),
  };
}

function methodsByPath(options: RestEndpointOptions): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const endpoint of options.endpoints) {
    const url = pathOf(options, endpoint);
    paths.set(url, [...(paths.get(url) ?? []), endpoint.method]);
  }
  return paths;
}

/** Headers of the answer to OPTIONS for a path with these methods. */
function preflightHeaders({ pagesMaySend }: RestEndpointOptions, methods: readonly string[]): Record<string, string> {
  const readable = methods.includes('GET');
  const allow = [...methods, ...(readable ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  if (!pagesMaySend || !readable) return { Allow: allow };
  return {
    Allow: allow,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Allow-Headers': pagesMaySend.join(', '),
    'Access-Control-Max-Age': '86400',
  };
}
