import { bucketFault } from '../../models/trips/trip-points-bucket.ts';
import { tailFault } from '../../models/vehicles/device-tail.ts';
import type { StoredTail } from '../../models/vehicles/device.ts';

import { driverOf } from './database.ts';
import type { Service } from '../../models/store/service.ts';

/** References: a field of a collection that names a `key` of another collection. */
const REFERENCES = [
  ['users', 'account_key', 'accounts'],
  ['groups', 'account_key', 'accounts'],
  ['devices', 'account_key', 'accounts'],
  ['vehicles', 'account_key', 'accounts'],
  ['subscriptions', 'account_key', 'accounts'],
  ['api_keys', 'account_key', 'accounts'],
  ['apps', 'account_key', 'accounts'],
  ['ingest_keys', 'account_key', 'accounts'],
  ['privacy_zones', 'account_key', 'accounts'],
  ['trips', 'vehicle_key', 'vehicles'],
  ['device_minutes', 'vehicle_key', 'vehicles'],
  ['device_minutes', 'device_key', 'devices'],
] as const;

/** Maximum number of findings of one check. */
const MAX_FINDINGS = 1000;

/**
 * Finds references to records that neither exist nor can be restored, and damaged positions, as sentences. Unreferenced
 * buckets of interrupted work are harmless.
 */
export async function recordFindings(
  service: Service,
  progress: (share: number, collection: string) => void,
): Promise<string[]> {
  const findings: string[] = [];
  const deleted = await keysOf(service, 'deleted_records');
  for (const [at, [from, field, to]] of REFERENCES.entries()) {
    progress(at / (REFERENCES.length + 1), from);
    const known = new Set([...(await keysOf(service, to)), ...deleted]);
    for await (const record of collection(service, from).find({}, { projection: { key: 1, [field]: 1 } })) {
      if (known.has(record[field])) continue;
      findings.push(`${from} ${nameOf(record)}: ${field} ${String(record[field])} does not exist in ${to}`);
      if (findings.length >= MAX_FINDINGS) return findings;
    }
  }
  const tails = collection(service, 'devices').find(
    { 'tail.packed': { $ne: null } },
    { projection: { key: 1, tail: 1 } },
  );
  for await (const device of tails) {
    const fault = tailFault(device.tail as StoredTail);
    if (fault !== null) findings.push(`devices ${nameOf(device)}: the latest positions of the open trip: ${fault}`);
    if (findings.length >= MAX_FINDINGS) return findings;
  }
  progress(REFERENCES.length / (REFERENCES.length + 1), 'trip_points');
  for await (const { _id, trip_key, packed, checksum } of collection(service, 'trip_points').find({})) {
    const fault = bucketFault({ packed, checksum });
    if (fault !== null) findings.push(`trip_points ${String(_id)} of trip ${String(trip_key)}: ${fault}`);
    if (findings.length >= MAX_FINDINGS) break;
  }
  return findings;
}

/** Reads the keys of all records of a collection, in batches: they may be more than one answer holds. */
async function keysOf(service: Service, name: string): Promise<unknown[]> {
  const records = collection(service, name).find({}, { projection: { _id: 0, key: 1 } });
  return (await records.toArray()).map(({ key }) => key);
}

function collection(service: Service, name: string) {
  return driverOf(service).collection(name);
}

function nameOf({ _id, key }: { readonly _id: unknown; readonly key?: unknown }): string {
  return String(key ?? _id);
}
