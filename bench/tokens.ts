import 'reflect-metadata';

import type { BenchRow } from './bench-row.ts';
import { runDuels } from './duel/duel.ts';
import { withDuelHost } from './duel/duel-host.ts';
import { duelRecords } from './duel/duel-records.ts';

/** Measures special-purpose tokens against the same by hand: the same checks, look-ups and signature. */
export async function run(): Promise<BenchRow[]> {
  return withDuelHost(duelRecords, (host) => {
    const { clientId, clientSecret, callers, vehicleKey } = host.records.app;
    const claims = { sub: `vehicle:${vehicleKey}`, aud: 'https://www.example.com', scope: 'loc-past' };
    const client = { client_id: clientId, client_secret: clientSecret };
    return runDuels(host, [
      {
        ...{ what: 'a special-purpose token', contender: 'Fastify and the driver by hand', ceiling: 1.3, count: 400 },
        ...{ path: '/api/special-purpose/v1/token', method: 'POST' },
        headers: { 'content-type': 'application/json' },
        callers,
        body: JSON.stringify({ ...client, ...claims, roles: 'service://<service-trips-map />' }),
      },
    ]);
  });
}
