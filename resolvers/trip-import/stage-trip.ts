import { createHash } from 'node:crypto';

import { insertUnlessThere } from '../../models/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import type { Sight } from '../../models/tenancy.ts';
import { TripModel } from '../../models/trip.ts';
import type { TripPoints } from '../../models/trip-points.ts';
import { bucketsOf, TripPointsBucketModel } from '../../models/trip-points-bucket.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import type { TripFacts } from '../geometry/trip-facts.ts';

/** What a trip is stored with, beside its positions. */
export interface TripToStage {
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly facts: TripFacts;
  readonly points: TripPoints;
}

/**
 * Stores a trip so that nobody sees it yet, unless it is there already.
 *
 * The same positions at the same times are the same trip of a vehicle: whoever stages it first names it, and whoever
 * comes later, or again after being killed, claims it and completes what is missing. All of them write the same.
 *
 * @param sight the sight of the vehicle
 * @param run the import that will show the trip, or else take it back; one of its own if it never takes back
 * @returns the key of the trip
 */
export async function stageTrip(sight: Sight, trip: TripToStage, run = newKey()): Promise<string> {
  const { key, staged } = await knownOrInserted(sight, trip, fingerprintOf(trip.points), run);
  if (staged) {
    for (const bucket of bucketsOf({ ...trip, key }, trip.points)) {
      await insertUnlessThere(() => TripPointsBucketModel.create([bucket]));
    }
  }
  return key;
}

/**
 * Makes staged trips visible, in one update; those that are visible already stay as they are. A database that is killed
 * on the way may have shown some of them: importing again shows the others.
 */
export async function showTrips(sight: Sight, keys: readonly string[], run: string): Promise<void> {
  const staged = { key: { $in: [...keys] }, staged: true };
  await TripModel.updateMany(staged, { staged: false, staged_by: [], imported_by: run }).setOptions({ sight });
}

/** Takes back the trips that a run has staged, with their positions, where no other run will show them. */
export async function unstageTrips(sight: Sight, keys: readonly string[], run: string): Promise<void> {
  for (const key of keys) {
    await TripModel.updateOne({ key, staged: true }, { $pull: { staged_by: run } }).setOptions({ sight });
    const unclaimed = { key, staged: true, staged_by: { $size: 0 } };
    const { deletedCount } = await TripModel.deleteOne(unclaimed).setOptions({ sight });
    if (deletedCount === 0) continue;
    const positions = { vehicle_key: sight.vehicle_key ?? '', trip_key: key };
    await TripPointsBucketModel.deleteMany(positions).setOptions({ sight });
  }
}

/** Of the given trips, those that the given run has made visible. */
export async function shownBy(sight: Sight, keys: readonly string[], run: string): Promise<ReadonlySet<string>> {
  const trips = await TripModel.find({ key: { $in: [...keys] }, imported_by: run }, 'key', { sight }).lean();
  return new Set(trips.map(({ key }) => key));
}

type Staged = { readonly key: string; readonly staged: boolean };

/** Between looking for a trip and inserting it another run may have inserted it, or taken it back. */
const MOST_ATTEMPTS = 10;

async function knownOrInserted(sight: Sight, trip: TripToStage, fingerprint: string, run: string): Promise<Staged> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const found =
      (await claim(sight, fingerprint, run)) ??
      (await findShown(sight, fingerprint)) ??
      (await insertStaged(trip, fingerprint, run));
    if (found) return found;
  }
  throw new Error('A trip was staged and taken back again and again by other imports');
}

/** Says of a trip that is staged already that the run will show it too. */
function claim(sight: Sight, fingerprint: string, run: string): Promise<Staged | null> {
  const filter = { vehicle_key: sight.vehicle_key ?? '', fingerprint, staged: true };
  return TripModel.findOneAndUpdate(filter, { $addToSet: { staged_by: run } }, { projection: 'key staged' })
    .setOptions({ sight })
    .lean<Staged>()
    .exec();
}

function findShown(sight: Sight, fingerprint: string): Promise<Staged | null> {
  const filter = { vehicle_key: sight.vehicle_key ?? '', fingerprint, staged: false };
  return TripModel.findOne(filter, 'key staged', { sight }).lean<Staged>().exec();
}

/** Inserts a trip; null where it is there already. */
async function insertStaged(trip: TripToStage, fingerprint: string, run: string): Promise<Staged | null> {
  const key = newKey();
  const isFirst = await insertUnlessThere(() =>
    TripModel.create([
      {
        ...trip.facts,
        key,
        account_key: trip.account_key,
        vehicle_key: trip.vehicle_key,
        device_key: null,
        user_key: null,
        tags: [],
        staged: true,
        staged_by: [run],
        imported_by: null,
        fingerprint,
        outline: packOutline(outlineOf(trip.points)),
      },
    ]),
  );
  return isFirst ? { key, staged: true } : null;
}

function fingerprintOf({ time, lat, lon }: TripPoints): string {
  const hash = createHash('sha256');
  for (const column of [time, lat, lon]) hash.update(column);
  return hash.digest('base64url');
}
