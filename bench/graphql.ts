import 'reflect-metadata';

import type { BenchRow } from './bench-row.ts';
import { type Duel, runDuels } from './duel/duel.ts';
import { withDuelHost } from './duel/duel-host.ts';
import { duelRecords } from './duel/duel-records.ts';
import { documentIdOf } from '../graphql/endpoint/trusted-documents.ts';

const DEVICE = 'key serial status vehicle_key is_connected disconnected_timestamp last_transmission';
const GROUP = 'key name active member_counts { car user } tree_depth created updated';
const OPERATIONS = {
  device: `query ($key: String!) { device(key: $key) { ${DEVICE} } }`,
  devices: `query ($first: Int) { devices(first: $first) { nodes { ${DEVICE} } page_info { has_next_page } } }`,
  // Without fragments, whose fields graphql-jit puts into another order than the specification does.
  groups: `{ groups { ${GROUP} children { ${GROUP} children { ${GROUP} children { ${GROUP} } } } } }`,
};

/** Measures GraphQL against Mercurius with compiled operations over the same look-ups. */
export async function run(): Promise<BenchRow[]> {
  return withDuelHost(
    duelRecords,
    (host) => {
      const { callers, fleet } = host.records;
      const headers = { 'content-type': 'application/json' };
      const duels = (what: string, query: string, variables: object, count: number): Duel[] => {
        // A trusted document is known by its text, too: another one has to differ.
        const text = JSON.stringify({ query: `\n${query}`, variables });
        const named = JSON.stringify({ documentId: documentIdOf(query), variables });
        const common: Omit<Duel, 'what' | 'ceiling'> = {
          ...{ contender: 'Mercurius with jit', path: '/graphql', method: 'POST', headers, callers, count },
          // The contender has no limit on positions and answers no pages of other origins.
          ignoredHeaders: ['vary', 'ratelimit-policy'],
          why: 'Apollo Server hashes, copies and wraps each request and its answer ("other packages"), and costs are limited',
        };
        return [
          { ...common, what: `${what} by text`, ceiling: 1.2, body: text },
          { ...common, what: `${what} by a trusted document`, ceiling: 1, body: { ours: named, theirs: text } },
        ];
      };
      return runDuels(host, [
        ...duels('a device', OPERATIONS.device, { key: fleet.deviceKey }, 700),
        ...duels('50 devices', OPERATIONS.devices, { first: 50 }, 400),
        ...duels('200 groups', OPERATIONS.groups, {}, 80),
      ]);
    },
    OPERATIONS,
  );
}
