import { evaluate, evaluateRemovals } from '../evaluate.ts';
import { jsonBody, type WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

interface Zone {
  readonly key: string;
  readonly name: string;
  readonly point: { readonly lat: number };
}

interface Zones {
  readonly zones: { readonly nodes: readonly Zone[] };
}

/** A zone stays in one of so many rounds; the others are deleted to limit their number. */
const ROUNDS_PER_ZONE = 4;
const MAX_A_ROUND = 16;
/** Zones from which on no more are made: an account may have 100, and two a round may be left by kills. */
const MAX_ZONES = 90;

/** Privacy zones, made and most of them deleted, by GraphQL. */
export const privacyZones: WriteKind = {
  name: 'privacy zones (GraphQL)',
  begin: async ({ number, fleet, newLedger }, server) => {
    const { headers } = fleet.owner;
    const before = await server.query<Zones>('{ zones: privacyZones(first: 100) { nodes { name } } }', headers);
    const isFull = before.zones.nodes.length >= MAX_ZONES;
    const ledger = newLedger();
    const removals = newLedger();
    const tried = new Set<string>();
    let next = 0;
    return {
      ledger,
      writers: 1,
      write: async (to) => {
        if (isFull) return false;
        const at = next++;
        const name = `Zone ${number}-${at}`;
        const lat = -40 - at / 10;
        const make = `mutation { zone: createPrivacyZone(input: { lat: ${lat}, lon: 170, radius_meters: 100, name: "${name}" }) { key } }`;
        const made = await ledger.send([ledger.note(name, String(lat))], () =>
          to.ask('/graphql', { headers, body: { query: make } }),
        );
        if (made && (number % ROUNDS_PER_ZONE !== 0 || at > 0)) {
          const { key } = jsonBody<{ data: { zone: Zone } }>(made).data.zone;
          tried.add(name);
          await removals.send([removals.note(name, '')], () =>
            to.ask('/graphql', { headers, body: { query: `mutation { deletePrivacyZone(key: "${key}") }` } }),
          );
        }
        return at < MAX_A_ROUND;
      },
      verify: async (from) => {
        const { zones } = await from.query<Zones>(
          '{ zones: privacyZones(first: 100) { nodes { name point { lat } } } }',
          headers,
        );
        const mine = zones.nodes.filter(({ name }) => name.startsWith(`Zone ${number}-`));
        const shown = shownBy(mine.map(({ name, point }) => [name, String(point.lat)]));
        return [
          ...evaluate(
            ledger.writes.filter(({ id }) => !tried.has(id)),
            [{ name: 'GraphQL privacyZones', shown }],
          ),
          ...evaluateRemovals('GraphQL privacyZones', removals.writes, new Set(shown.keys())),
        ];
      },
    };
  },
};
