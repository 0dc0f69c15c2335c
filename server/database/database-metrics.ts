import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import type { Service } from '../../models/store/service.ts';

/**
 * Measures the commands and the connections of the client that the models use. A command holds a connection of the pool for its
 * duration, so that the driver need not monitor commands, for which it would decode every answer twice.
 */
export function databaseMetrics({ connection }: Service): Registry {
  const metrics = new Registry();
  const registers = [metrics];
  const operations = new Counter({
    name: 'waybridge_database_operations_total',
    help: 'Operations of models on their collections',
    labelNames: ['collection', 'operation'],
    registers,
  });
  const seconds = new Histogram({
    name: 'waybridge_database_command_duration_seconds',
    help: 'Time for which a database command held a connection',
    buckets: [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const failures = new Counter({
    name: 'waybridge_database_connection_failures_total',
    help: 'Commands that got no connection',
    registers,
  });
  /** Known connections, and when those in use were taken; some were created before the measurement. */
  const open = new Set<string>();
  const used = new Map<string, number>();
  let waiting = 0;
  new Gauge({
    name: 'waybridge_database_connections',
    help: 'Connections to the database, and commands that wait for one',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, used.size);
      this.set({ state: 'idle' }, open.size - used.size);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  connection.on('operation-start', ({ collectionName, method }: { collectionName: string; method: string }) => {
    operations.inc({ collection: collectionName, operation: method });
  });
  const idOf = ({ address, connectionId }: { address: string; connectionId: unknown }) =>
    `${address} ${String(connectionId)}`;
  const client = connection.getClient();
  client.on('connectionCreated', (event) => void open.add(idOf(event)));
  client.on('connectionClosed', (event) => {
    open.delete(idOf(event));
    used.delete(idOf(event));
  });
  client.on('connectionCheckOutStarted', () => {
    waiting += 1;
  });
  client.on('connectionCheckOutFailed', () => {
    waiting -= 1;
    failures.inc();
  });
  client.on('connectionCheckedOut', (event) => {
    waiting -= 1;
    open.add(idOf(event));
    used.set(idOf(event), performance.now());
  });
  client.on('connectionCheckedIn', (event) => {
    const id = idOf(event);
    const begin = used.get(id);
    if (begin !== undefined) seconds.observe((performance.now() - begin) / 1000);
    used.delete(id);
  });
  return metrics;
}
