import 'reflect-metadata';

import type { BenchRow } from './bench-row.ts';
import { type Duel, runDuels } from './duel/duel.ts';
import { withDuelHost } from './duel/duel-host.ts';
import { type DuelRecords, duelRecords } from './duel/duel-records.ts';

/** Measures REST against the same by hand: the same look-ups, the same answers, TLS on both sides. */
export async function run(): Promise<BenchRow[]> {
  return withDuelHost(duelRecords, (host) => runDuels(host, restDuels(host.records)));
}

/** By the profile of small requests, whose own code takes 50 to 70 µs in place of 10. */
const WHY = 'metrics, counted usage, permissions and answers written in slices, which the contender does not have';
/** The entry of several changes is one command for all, after the answers. */
const WHY_WRITING = `${WHY}; each record also gets an entry in the log of changes, and is read and marked for it`;

function restDuels({ fleet, callers, other, otherCallers, app }: DuelRecords): Duel[] {
  const peer = { contender: 'Fastify and the driver by hand', why: WHY };
  const device = `/api/v2/device/${fleet.deviceKey}`;
  const get = { ...peer, callers };
  const post = {
    ...{ ...peer, why: WHY_WRITING, ceiling: 1.2, method: 'POST' as const, status: 201, callers: otherCallers },
    headers: { 'content-type': 'application/json' },
    // Each has another key, and a share none.
    ignoredHeaders: ['etag'],
  };
  return [
    { ...get, what: 'GET /device/{key}', path: device, ceiling: 1.1, count: 700 },
    { ...get, what: 'GET /devices of 50', path: '/api/v2/devices', ceiling: 1.1, count: 400 },
    { ...get, what: 'GET /groups of 200', path: '/api/v2/groups', ceiling: 1.1, count: 80 },
    { ...post, what: 'POST /groups', path: '/api/v2/groups', count: 500, body: '{"name":"Night shift"}' },
    {
      ...{ ...post, what: 'POST /devices', path: '/api/v2/devices', count: 300, body: '{"serial":"NEW-%n"}' },
      clears: ['devices', { account_key: other.key }],
    },
    {
      ...{ ...post, what: 'POST /places', path: '/api/v2/places', count: 300, clears: ['places', {}] },
      body: '{"name":"Depot","point":{"lat":40,"lon":8},"radius":50}',
    },
    {
      ...{ ...post, what: 'POST /shares', path: '/api/v2/shares', count: 300, callers, clears: ['shares', {}] },
      body: `{"vehicle_key":"${app.vehicleKey}","expires":"2099-12-31T18:00:00Z"}`,
    },
    { ...peer, what: '401 without a key', path: device, ceiling: 1.3, count: 4000, status: 401 },
    {
      ...peer,
      what: '401 with a wrong key',
      path: device,
      ceiling: 1.3,
      count: 1500,
      status: 401,
      headers: { 'service-api-key': `${fleet.apiKey.slice(0, -1)}_` },
    },
    { ...get, what: '404 of a device', path: `${device}x`, ceiling: 1.3, count: 700, status: 404 },
  ];
}
