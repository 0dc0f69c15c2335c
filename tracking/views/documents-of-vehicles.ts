import { decodeInTurns } from '../../models/store/decode-in-turns.ts';
import { fillDefaults } from '../../models/store/defaults-on-read.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { VehicleStore } from '../../models/vehicles/vehicle.ts';

import { batched } from '../scheduling/batched.ts';
import { groupedBy } from '../../models/grouped-by.ts';
import type { FirstStored, Store } from '../../models/store/store.ts';

/** The first documents of a vehicle, or of all vehicles, in an order: trips, visits or stored events. */
export interface DocumentsOfVehicle extends FirstStored {
  readonly model: Pick<Store<unknown, unknown>, 'collection' | 'findStored' | 'findStoredOfEach' | 'schema'>;
  readonly accessScope: AccessScope;
}

/**
 * Reads the first documents of a vehicle. What a request asks side by side of several vehicles, as the relation of all vehicles of
 * a list does, is read by one command for each model.
 */
export const documentsOfVehicle = batched<DocumentsOfVehicle, readonly unknown[]>(async (_context, queries) => {
  const alike = groupedBy(queries, nameWithoutVehicle);
  const found = await Promise.all([...alike.values()].map(readAlike));
  const documents = new Map(found.flat());
  return queries.map((query) => documents.get(query) ?? []);
});

/** Names what a query reads, whatever the vehicle is. */
function nameWithoutVehicle({ model, accessScope, filter, projection, sort, limit }: DocumentsOfVehicle): string {
  const { vehicle_key, ...others } = accessScope;
  const isOfOne = vehicle_key !== undefined;
  return JSON.stringify([model.collection, filter, projection, sort, limit, isOfOne, others]);
}

/** Reads what queries ask that differ in their vehicles alone. */
async function readAlike(
  queries: readonly DocumentsOfVehicle[],
): Promise<(readonly [DocumentsOfVehicle, readonly unknown[]])[]> {
  const [first] = queries;
  if (!first) return [];
  const { model, accessScope, ...those } = first;
  const keys = [...new Set(queries.flatMap(({ accessScope: { vehicle_key } }) => vehicle_key ?? []))];
  if (keys.length < 2) {
    const documents = await readOne(first);
    return queries.map((query) => [query, documents]);
  }
  const { vehicle_key: _one, ...all } = accessScope;
  const found = await model.findStoredOfEach(VehicleStore, all, keys, those);
  for (const documents of found.values()) fillDefaults(model.schema, documents, those.projection);
  return queries.map((query) => [query, found.get(query.accessScope.vehicle_key ?? '') ?? []]);
}

/** Reads all documents at once: they are decoded in turns. */
async function readOne({ model, accessScope, filter, ...options }: DocumentsOfVehicle): Promise<readonly unknown[]> {
  const cursor = model.findStored(accessScope, filter, { ...options, batchSize: options.limit });
  return decodeInTurns(cursor, (found) => fillDefaults(model.schema, found, options.projection));
}
