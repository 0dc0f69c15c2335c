import { createHash } from 'node:crypto';

import { newKey } from '../../models/key.ts';
import type { Sight } from '../../models/tenancy.ts';
import { TripModel } from '../../models/trip.ts';
import type { TripPoints } from '../../models/trip-points.ts';
import { bucketsOf, TripPointsBucketModel } from '../../models/trip-points-bucket.ts';
import { outlineOf, packOutline } from '../geometry/outline.ts';
import type { TripFacts } from '../geometry/trip-facts.ts';
import { isDuplicate } from '../provisioning/insert-unless-taken.ts';

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
 * comes later, or again after being killed, completes what is missing. All of them write the same.
 *
 * @param sight the sight of the vehicle
 * @returns the key of the trip
 */
export async function stageTrip(sight: Sight, trip: TripToStage): Promise<string> {
  const fingerprint = fingerprintOf(trip.points);
  const known = await findByFingerprint(sight, fingerprint);
  const { key, staged } = known ?? (await insertStaged(sight, trip, fingerprint));
  if (staged) {
    for (const bucket of bucketsOf({ ...trip, key }, trip.points)) {
      await unlessThere(() => TripPointsBucketModel.create([bucket]));
    }
  }
  return key;
}

/** Makes staged trips visible, all in one step; those that are visible already stay as they are. */
export async function showTrips(sight: Sight, keys: readonly string[], run: string): Promise<void> {
  const staged = { key: { $in: [...keys] }, staged: true };
  await TripModel.updateMany(staged, { staged: false, imported_by: run }).setOptions({ sight });
}

/** Of the given trips, those that the given run has made visible. */
export async function shownBy(sight: Sight, keys: readonly string[], run: string): Promise<ReadonlySet<string>> {
  const trips = await TripModel.find({ key: { $in: [...keys] }, imported_by: run }, 'key', { sight }).lean();
  return new Set(trips.map(({ key }) => key));
}

type Staged = { readonly key: string; readonly staged: boolean };

function findByFingerprint(sight: Sight, fingerprint: string): Promise<Staged | null> {
  const filter = { vehicle_key: sight.vehicle_key ?? '', fingerprint };
  return TripModel.findOne(filter, 'key staged', { sight }).lean<Staged>().exec();
}

async function insertStaged(sight: Sight, trip: TripToStage, fingerprint: string): Promise<Staged> {
  const key = newKey();
  const isFirst = await unlessThere(() =>
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
        imported_by: null,
        fingerprint,
        outline: packOutline(outlineOf(trip.points)),
      },
    ]),
  );
  if (isFirst) return { key, staged: true };
  const other = await findByFingerprint(sight, fingerprint);
  if (!other) throw new Error('A trip that was just staged by another import is gone');
  return other;
}

/** Inserts what a unique index may know already; false if it does. */
async function unlessThere(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

function fingerprintOf({ time, lat, lon }: TripPoints): string {
  const hash = createHash('sha256');
  for (const column of [time, lat, lon]) hash.update(column);
  return hash.digest('base64url');
}
