import { type IncomingMessage, maxHeaderSize } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyError } from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Admission } from './admission/admission.ts';
import { answerError, answerErrors } from './answers/answer-errors.ts';
import { handleClientError } from './answers/handle-client-error.ts';
import { BODY_LIMIT } from './requests/body-limits.ts';
import { compressAnswers } from './answers/compression.ts';
import type { Endpoint } from './endpoint.ts';
import { continueLater } from './requests/expect-continue.ts';
import { type Descriptors, refusedConnections } from './answers/file-descriptors.ts';
import { addHealth, type HealthOptions } from './health.ts';
import { type Certificate, createListener, type Listener } from './tls/listener.ts';
import { logRequest, RequestLog } from './observing/logs.ts';
import { rejectOtherMethods } from './answers/method-not-allowed.ts';
import { hasBody } from './requests/has-body.ts';
import { readJsonBodies } from './requests/json-body.ts';
import { addMetrics, type MetricsOptions } from './observing/metrics.ts';
import { traceRequests } from './observing/tracing.ts';
import { REQUEST_ID_HEADER, requestIdFrom } from './requests/request-id.ts';
import { RequestTimeouts } from './requests/request-timeouts.ts';
import { toOriginForm } from './requests/request-target.ts';
import { endStalledRequests } from './stalled-database.ts';
import { rejectUnsafe } from './tls/transport.ts';
import type { AddressRanges } from './requests/address-ranges.ts';
import { isLoopbackHost } from './requests/loopback.ts';

/** A body with a content coding, or a transfer coding other than `chunked`; 400. */
class EncodedBodyError extends Error {
  override readonly name = 'EncodedBodyError';
  readonly code = 'BODY_ENCODED';
  readonly statusCode = 400;

  constructor() {
    super('The body is compressed');
  }
}

/** Rejects compressed bodies before they are read: a small one could be huge. Each endpoint formats the error. */
function rejectEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, _reply, _payload, done) => {
    done(hasBody(raw) && isEncoded(raw) ? new EncodedBodyError() : null);
  });
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  return (coding !== '' && coding !== 'identity') || transfer !== 'chunked';
}

const HSTS = 'max-age=31536000; includeSubDomains';
const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/**
 * Sets security headers on an answer: other sites may not frame it or embed it, and browsers must not guess its type. Pages
 * override some by `pageHeaders`. HSTS everywhere except on this machine (decisions, section "Addresses").
 */
function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ALWAYS);
  if (!isLoopbackHost(request.hostname)) reply.header('Strict-Transport-Security', HSTS);
}

/** Maximum length of a path parameter: all that Node.js reads, so that a long unknown key is answered like a short one. */
const PARAMETER_LIMIT = maxHeaderSize;
/** Time for requests in flight when the host closes; after it their connections are cut. */
const DRAIN_MS = 4000;

/**
 * Replaces Fastify's schema compilers, since routes have no schemas: not loading Ajv and fast-json-stringify saves
 * 60 ms of CPU and 5 MB of memory.
 */
const rejectSchema = (): never => {
  throw new TypeError('A route has no schema');
};

declare module 'fastify' {
  interface FastifyInstance {
    /** Uses another certificate for new connections; open ones continue. */
    renewCertificate(certificate: Certificate): void;
  }
}

/** Parts of the host. */
export interface HostOptions extends HealthOptions, MetricsOptions {
  readonly certificate: Certificate;
  readonly trustedProxies: AddressRanges;
  readonly log: FastifyBaseLogger;
  readonly endpoints: readonly Endpoint[];
  /** True if the database is another program, which may accept commands and not answer; the embedded one answers. */
  readonly mayStall?: boolean;
  /** Limits on volume; none by default. */
  readonly admission?: Admission;
  /** File descriptors, which bound the number of connections; no bound by default. */
  readonly descriptors?: Descriptors | null;
  /** Limits on slow requests; by default those of the service. */
  readonly timeouts?: RequestTimeouts;
}

/**
 * Composes the HTTP host: one port for TLS and for plain HTTP of trusted proxies, common headers of answers,
 * endpoints. Call `listen({ port, host })`, or `inject(…)` in a test, where requests count as arrived by HTTPS.
 * `close()` waits at most four seconds for answers, and rejects if requests were cut off.
 */
export function createHost(options: HostOptions): FastifyInstance {
  const { certificate, trustedProxies, log, endpoints, descriptors = null } = options;
  const { admission = new Admission(null), timeouts = new RequestTimeouts() } = options;
  const listeners: Listener[] = [];
  const onRefused = descriptors && refusedConnections(descriptors, log);
  const app = Fastify({
    serverFactory: (handler) => {
      const listener = createListener(certificate, handler, timeouts);
      listeners.push(listener);
      if (descriptors && onRefused) {
        listener.server.maxConnections = descriptors.maxConnections;
        listener.server.on('drop', onRefused);
      }
      return listener.server;
    },
    loggerInstance: log,
    logController: new RequestLog(),
    genReqId: requestIdFrom(trustedProxies),
    trustProxy: (address) => trustedProxies.has(address),
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    schemaController: { compilersFactory: { buildValidator: rejectSchema, buildSerializer: rejectSchema } },
    rewriteUrl: toOriginForm,
    return503OnClosing: false,
    clientErrorHandler: handleClientError(log, (path) => otherMethods.findAllowed(path)),
    frameworkErrors: handleUnroutableRequest(trustedProxies),
  });

  closeGently(app, listeners);
  traceRequests(app);
  // Synchronous hooks of every request use callbacks: promises would take longer than the hooks.
  app.addHook('onRequest', (request, reply, done) => {
    reply.header(REQUEST_ID_HEADER, request.id);
    setSecurityHeaders(request, reply);
    if (rejectUnsafe(request, reply, trustedProxies) === undefined) done();
  });
  exposeHeaders(app);
  app.decorate('admission', admission);
  app.decorate('renewCertificate', (renewed: Certificate) => {
    for (const listener of listeners) listener.renewCertificate(renewed);
  });
  admission.guard(app);
  if (options.mayStall) endStalledRequests(app, options.ping);
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
  answerErrors(app);
  readJsonBodies(app);
  compressAnswers(app);
  rejectEncodedBodies(app);
  continueLater(app);

  const otherMethods = rejectOtherMethods(app, PARAMETER_LIMIT);
  app.register(async (scope) => addHealth(scope, options));
  addMetrics(app, options);
  for (const endpoint of endpoints) app.register(async (scope) => endpoint.register(scope));
  otherMethods.finish();
  return app;
}

/**
 * Makes the function that answers a request whose path the router cannot read, such as `/%ff`. Fastify runs no hook for
 * it, so the common steps of every answer are done here: request id, security headers, HTTPS before anything else, a line
 * in the log.
 */
function handleUnroutableRequest(proxies: AddressRanges) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.raw.once('finish', () => logRequest(request, reply));
    reply.header(REQUEST_ID_HEADER, request.id);
    setSecurityHeaders(request, reply);
    if (rejectUnsafe(request, reply, proxies) === undefined) answerError(error, request, reply);
  };
}

function closeGently(app: FastifyInstance, listeners: readonly Listener[]): void {
  let closing = false;
  let requestsCut = 0;
  let deadline: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    closing = true;
    for (const listener of listeners) listener.connections.release();
    deadline = setTimeout(() => {
      for (const listener of listeners) requestsCut += listener.connections.cut();
    }, DRAIN_MS);
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    // HTTP/2 has no such header (RFC 9113, section 8.2.2): its streams end anyway.
    if (request.raw.httpVersionMajor === 2) reply.removeHeader('Connection');
    else if (closing || isLargeRest(request.raw)) reply.header('Connection', 'close');
    done();
  });
  app.addHook('onClose', async () => {
    clearTimeout(deadline);
    if (requestsCut > 0) throw new Error(`${requestsCut} requests were cut off`);
  });
}

/** Returns true if more of a body may follow than a client should send after its answer. */
function isLargeRest(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete && !(Number(request.headers['content-length']) <= BODY_LIMIT);
}

/** Headers of all answers that pages of other origins may read. */
const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/**
 * Exposes {@link EXPOSED} to pages that may read an answer, in addition to the headers that its endpoint exposes. See
 * https://fetch.spec.whatwg.org/#http-access-control-expose-headers
 */
function exposeHeaders(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (reply.hasHeader('Access-Control-Allow-Origin')) {
      const named = reply.getHeader('Access-Control-Expose-Headers');
      reply.header('Access-Control-Expose-Headers', named === undefined ? EXPOSED : `${String(named)}, ${EXPOSED}`);
    }
    done();
  });
}
