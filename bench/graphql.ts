import 'reflect-metadata';

import type { BenchRow } from './bench-row.ts';
import { type Duel, runDuels } from './duel/duel.ts';
import { withDuelHost } from './duel/duel-host.ts';
import { duelRecords } from './duel/duel-records.ts';

const DEVICE = 'key serial status vehicle_key is_connected disconnected_timestamp last_transmission';
const GROUP = 'key name active member_counts { car user } tree_depth created updated';
const OPERATIONS = {
  device: `query ($key: String!) { device(key: $key) { ${DEVICE} } }`,
  devices: `query ($first: Int) { devices(first: $first) { nodes { ${DEVICE} } page_info { end_cursor has_next_page } } }`,
  groups: `{ groups { ...own children { ...own children { ...own children { ...own } } } } } fragment own on Group { ${GROUP} }`,
};

/** Measures GraphQL against Mercurius with compiled operations over the same look-ups. */
export async function run(): Promise<BenchRow[]> {
  return withDuelHost(duelRecords, (host) => {
    const { apiKey, deviceKey } = host.records.fleet;
    const byText = (what: string, query: string, variables: object, count: number): Duel => ({
      ...{ what: `${what} by text`, contender: 'Mercurius with jit', ceiling: 1.2, count },
      ...{ path: '/graphql', method: 'POST', body: JSON.stringify({ query, variables }) },
      headers: { 'service-api-key': apiKey, 'content-type': 'application/json' },
      // The contender has no limit on positions and answers no pages of other origins.
      ignoredHeaders: ['vary', 'ratelimit-policy'],
    });
    return runDuels(host, [
      byText('a device', OPERATIONS.device, { key: deviceKey }, 700),
      byText('50 devices', OPERATIONS.devices, { first: 50 }, 400),
      byText('200 groups', OPERATIONS.groups, {}, 80),
    ]);
  });
}
