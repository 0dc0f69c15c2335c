import { type Extract, jsonOf } from './answer.ts';
import type { Comparison } from './comparison.ts';

/** Asks for the trips of the seed and keeps keys of some: imported, recorded, and still open. */
export async function keepTrips(comparison: Comparison): Promise<void> {
  await keep(comparison, 'van', { van_trip: tripAt(-1) });
  await keep(comparison, 'lorry', { lorry_trip: tripAt(0), open_trip: tripAt(-1) });
}

async function keep(comparison: Comparison, vehicle: string, values: Readonly<Record<string, Extract>>): Promise<void> {
  const query = `{ trips(vehicle_key: "{{${vehicle}}}") { nodes { key } } }`;
  const json = { query };
  await comparison.ask({ method: 'POST', path: '/graphql', as: 'owner', json, keep: values, isNeeded: true });
}

function tripAt(place: number): Extract {
  return (answer) => {
    const { data } = jsonOf(answer) as {
      readonly data: { readonly trips: { readonly nodes: readonly { readonly key: string }[] } };
    };
    return data.trips.nodes.at(place)?.key;
  };
}
