import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';

import { readBearer } from '../../auth/identify.ts';
import { hashSecret, isSecret } from '../../auth/secrets/secrets.ts';

import { isLocalPeer } from '../tls/transport.ts';
import { once } from '../../schema/once.ts';

/** Metrics of one process, to which those of others are added. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Options of the metrics. */
export interface MetricsOptions {
  /** Bearer token for `/metrics`; null opens it to this machine only. */
  readonly metricsToken: string | null;
  /** Version of the program. */
  readonly version: string;
  /** Metrics of the service; none by default. */
  readonly metrics?: readonly Registry[];
  /** Makes the function that gathers the metrics of all processes of the service, as text; only this process by default. */
  readonly gathered?: (own: () => Promise<ProcessMetrics>) => () => Promise<string>;
}

/**
 * Measures requests by method, route and status, and adds `/metrics` in Prometheus' text format: for programs on this
 * machine and the bearer token, if any (decisions, section "Addresses"); for others it looks like an unknown path.
 */
export function addMetrics(app: FastifyInstance, options: MetricsOptions): void {
  const { metricsToken, version, metrics = [], gathered } = options;
  const requests = new Registry();
  new Gauge({
    name: 'waybridge_build_info',
    help: 'Versions of the program and of Node.js; the value is 1',
    aggregator: 'first',
    labelNames: ['version', 'node'],
    registers: [requests],
  }).set({ version, node: process.versions.node }, 1);
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers: [requests],
  });
  app.addHook('onResponse', ({ method, routeOptions }, reply, done) => {
    const labels = { method, route: routeOptions.url ?? 'unknown', status: reply.statusCode };
    seconds.observe(labels, reply.elapsedTime / 1000);
    done();
  });
  const own = () => Registry.merge([processMetrics(), requests, ...metrics]);
  const read = gathered?.(() => own().getMetricsAsJSON()) ?? (() => own().metrics());
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    if (!isLocalPeer(request) && !presents(request, metricsToken)) return reply.callNotFound();
    reply.header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE).header('Cache-Control', 'no-store');
    return read();
  });
}

/** Memory, processor, event loop and garbage collection of this process, measured from the first request for them. */
export const processMetrics = once(() => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
});

function presents({ headers }: FastifyRequest, token: string | null): boolean {
  const given = readBearer(headers.authorization ?? '');
  return token !== null && given !== null && isSecret(given, hashSecret(token));
}
