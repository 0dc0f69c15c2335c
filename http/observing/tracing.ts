import {
  type Attributes,
  type Context,
  context,
  propagation,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Name of the instrumentation in every span. */
const SCOPE = 'waybridge';

/** Returns true if the operator has registered an OpenTelemetry SDK. Without one nothing is measured, at no cost. */
export function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  // The registered provider may belong to another copy of the API; the one of this copy is then only a placeholder.
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(SCOPE) !== undefined;
}

/** The tracer of the service; its spans lead nowhere without an SDK. */
export function tracer(): Tracer {
  return trace.getTracer(SCOPE);
}

/**
 * Makes a span of each request if an SDK is registered, below the span that the client names by `traceparent`. It has the
 * route and never the path, since paths and queries have keys.
 */
export function traceRequests(app: FastifyInstance): void {
  if (!isTraced()) return;
  const contexts = new WeakMap<FastifyRequest, Context>();
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions, id } = request;
    const route = routeOptions.url;
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = {
      'http.request.method': method,
      'url.scheme': 'https',
      'waybridge.request_id': id,
      ...(route !== undefined && { 'http.route': route }),
    };
    const name = route === undefined ? method : `${method} ${route}`;
    const span = tracer().startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
    reply.raw.once('close', () => {
      const status = reply.raw.statusCode;
      span.setAttribute('http.response.status_code', status);
      if (!reply.raw.writableFinished) span.setAttribute('error.type', 'client_gone');
      else if (status >= 500) failed(span, String(status));
      span.end();
    });
    const inside = trace.setSpan(parent, span);
    contexts.set(request, inside);
    context.with(inside, done);
  });
  // A body is read in events of its socket, outside the context of the request.
  app.addHook('preValidation', (request, _reply, done) => context.with(contexts.get(request) ?? ROOT_CONTEXT, done));
}

/** A span below the current one. */
export interface SpanOptions<Result> {
  readonly name: string;
  readonly attributes?: Attributes;
  readonly kind?: SpanKind;
  /** True for a span below no other. */
  readonly isRoot?: boolean;
  /** Names the fault in a result; null if there is none. */
  readonly faultOf?: (result: Result) => string | null;
}

/**
 * Does some work, in a span if an SDK is registered. Only the name of an error is recorded, since its message may contain data.
 */
export async function inSpan<Result>(
  { name, attributes = {}, kind = SpanKind.INTERNAL, isRoot = false, faultOf }: SpanOptions<Result>,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  if (!isTraced()) return work();
  const parent = isRoot ? ROOT_CONTEXT : context.active();
  const span = tracer().startSpan(name, { kind, attributes }, parent);
  try {
    const result = await context.with(trace.setSpan(parent, span), work);
    const fault = faultOf?.(result) ?? null;
    if (fault !== null) failed(span, fault);
    return result;
  } catch (error) {
    failed(span, error instanceof Error ? error.name : typeof error);
    throw error;
  } finally {
    span.end();
  }
}

/** Headers that name the current span to another service; none without an SDK. */
export function traceHeaders(): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** Marks a span as failed. */
export function failed(span: Span, type: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
}
