import { type Channel, subscribe, unsubscribe } from 'node:diagnostics_channel';

import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { type AskedCache, cacheAsked } from '../../models/stamped-cache.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { positionsRejected, type RejectedPositions } from '../../tracking/recording/note-rejections.ts';
import { positionsRecorded, type RecordedPositions } from '../../tracking/ingest/record-sent.ts';
import { leasedDevices } from '../../tracking/recording/device-lease.ts';
import { type Attempt, notificationAttempted } from '../../notifying/webhooks/attempt.ts';
import { type AnsweredOperation, operationAnswered } from '../../graphql/endpoint/graphql-server.ts';
import { REJECTIONS } from '../../schema/vehicles/ingest-rejection.ts';
import type { Closable } from '../start/shutdown.ts';
import type { Service } from '../../models/store/service.ts';

/** Time for which a number counted in the database is reused, in milliseconds. */
const COUNTED_MS = 10_000;

/** Measures what a service does: operations, positions, caches, notifications; and counts its open trips and leases. */
export function serviceMetrics(service: Service): Closable & { readonly metrics: Registry } {
  const metrics = new Registry();
  const registers = [metrics];
  const operations = new Histogram({
    name: 'waybridge_graphql_operation_duration_seconds',
    help: 'Time of GraphQL operations, by name if the document is trusted',
    labelNames: ['operation', 'type', 'outcome'],
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const positions = new Counter({
    name: 'waybridge_ingest_positions_total',
    help: 'Positions that devices and forwarders sent, by result',
    labelNames: ['result'],
    registers,
  });
  const rejections = new Counter({
    name: 'waybridge_ingest_rejections_total',
    help: 'Positions that were not stored, or stored with a mark, by reason and the way on which they came',
    labelNames: ['reason', 'path'],
    registers,
  });
  const lag = new Histogram({
    name: 'waybridge_ingest_lag_seconds',
    help: 'Time from the newest position of a device in a request until it was recorded',
    buckets: [1, 5, 15, 60, 300, 1800, 7200, 86_400],
    registers,
  });
  const caches = new Counter({
    name: 'waybridge_cache_requests_total',
    help: 'Look-ups of responses in a cache',
    labelNames: ['cache', 'result'],
    registers,
  });
  const notifications = new Histogram({
    name: 'waybridge_webhook_request_duration_seconds',
    help: 'Time of requests to receivers of webhooks',
    labelNames: ['outcome'],
    buckets: [0.05, 0.1, 0.5, 1, 5, 15],
    registers,
  });
  new Gauge({
    name: 'waybridge_device_leases',
    help: 'Devices whose lease this process holds, or waits for',
    registers,
    collect() {
      this.set(leasedDevices(service));
    },
  });
  let counted = -Infinity;
  new Gauge({
    name: 'waybridge_open_trips',
    help: 'Open trips in the database, including those of other servers',
    aggregator: 'max',
    registers,
    async collect() {
      if (Date.now() - counted < COUNTED_MS) return;
      counted = Date.now();
      // Without this number, the other metrics still show why the database does not answer.
      await countOpenTrips(service).then(
        (count) => this.set(count),
        () => this.reset(),
      );
    },
  });
  for (const result of ['accepted', 'duplicate', 'refused']) positions.inc({ result }, 0);

  const stops = [
    listen<AnsweredOperation>(operationAnswered, ({ seconds, ...labels }) => {
      const { operation, type, outcome } = labels;
      operations.observe({ operation, type, outcome }, seconds);
    }),
    listen<RecordedPositions>(positionsRecorded, ({ accepted, duplicates, lags }) => {
      positions.inc({ result: 'accepted' }, accepted);
      positions.inc({ result: 'duplicate' }, duplicates);
      for (const seconds of lags) lag.observe(seconds);
    }),
    listen<RejectedPositions>(positionsRejected, ({ reason, path, count }) => {
      rejections.inc({ reason, path }, count);
      if (REJECTIONS[reason].outcome === 'rejected') positions.inc({ result: 'refused' }, count);
    }),
    listen<AskedCache>(cacheAsked, ({ cache, isHit }) => caches.inc({ cache, result: isHit ? 'hit' : 'miss' })),
    listen<Attempt>(notificationAttempted, ({ outcome, duration_ms }) =>
      notifications.observe({ outcome }, duration_ms / 1000),
    ),
  ];
  return {
    name: 'metrics',
    metrics,
    close: async () => {
      for (const stop of stops) stop();
    },
  };
}

/** Calls back with the messages of a channel, until the returned function is called. */
export function listen<Message>({ name }: Channel, take: (message: Message) => void): () => void {
  const taken = (message: unknown) => take(message as Message);
  subscribe(name, taken);
  return () => unsubscribe(name, taken);
}

/** Counts by the index of open trips, which begins with their devices. */
function countOpenTrips(service: Service): Promise<number> {
  const open = { 'recording.open': true, device_key: { $gt: '' } };
  return TripStore.countDocuments(unrestricted(service), open);
}
