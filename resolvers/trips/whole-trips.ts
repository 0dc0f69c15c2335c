import { BATCH_SIZE } from '../../models/store/plain-store.ts';
import type { AccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import { loadTripLines, loadTripPoints, type PackedTripPoints } from '../../models/trips/trip-points-bucket.ts';
import { bytesOf } from '../../models/trips/trip-points-bytes.ts';

type WholeTrip = Pick<StoredTrip, 'key' | 'pack' | 'point_count'>;

/** Trips of one vehicle of which everything is seen. What is not in their documents is read for all of them by one query. */
export class WholeTrips {
  readonly #records: AccessScope;
  readonly #trips: readonly WholeTrip[];
  #points?: Promise<ReadonlyMap<string, PackedTripPoints>>;
  #lines?: Promise<ReadonlyMap<string, string>>;
  #outlines?: Promise<ReadonlyMap<string, Uint8Array>>;

  constructor(records: AccessScope, trips: readonly WholeTrip[]) {
    this.#records = records;
    this.#trips = trips;
  }

  /** Reads the packed positions of a trip as it is now: it may have more than when it was checked. */
  async points(key: string): Promise<PackedTripPoints> {
    this.#points ??= loadTripPoints(this.#records, this.#trips);
    return (await this.#points).get(key) ?? [];
  }

  /** Reads the encoded polyline of a trip; null if it was not stored, or the trip has been packed again since it was read. */
  async line(key: string): Promise<string | null> {
    this.#lines ??= loadTripLines(this.#records, this.#trips);
    return (await this.#lines).get(key) ?? null;
  }

  /** Reads the packed outline of a trip; null if the trip has been packed again since it was read. */
  async outline(key: string): Promise<Uint8Array | null> {
    this.#outlines ??= loadOutlines(this.#records, this.#trips);
    return (await this.#outlines).get(key) ?? null;
  }
}

async function loadOutlines(
  accessScope: AccessScope,
  trips: readonly WholeTrip[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const packs = new Map(trips.map(({ key, pack }) => [key, pack]));
  const those = { vehicle_key: accessScope.vehicle_key ?? '', key: { $in: [...packs.keys()] } };
  const found = await TripStore.find(accessScope, those, 'key pack outline').batchSize(BATCH_SIZE);
  const asRead = found.filter(({ key, pack }) => packs.get(key) === pack);
  return new Map(asRead.map(({ key, outline }) => [key, bytesOf(outline)]));
}
