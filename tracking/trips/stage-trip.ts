import { createHash } from 'node:crypto';

import { insertIfAbsent, insertMissing } from '../../models/store/duplicate-key.ts';
import { newKey } from '../../models/key.ts';
import { unrestricted, type AccessScope, accountAccessScope, vehicleAccessScope } from '../../models/store/tenancy.ts';
import { type StoredTrip, TripStore } from '../../models/trips/trip.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import { bucketsOf, TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { streetsDue } from '../addresses/streets-due.ts';
import { withAddresses } from '../addresses/trip-addresses.ts';
import { storedLines } from '../geometry/stored-lines.ts';
import type { TripFacts } from '../geometry/trip-facts.ts';
import { forEachInSlices, TimeSlice } from '../scheduling/time-slice.ts';

import type { Service } from '../../models/store/service.ts';

/** A trip to store. */
export interface TripToStage {
  readonly account_key: string;
  readonly vehicle_key: string;
  readonly facts: TripFacts;
  readonly points: TripPoints;
}

/** A trip that is stored, visible or not yet. */
export interface StagedTrip {
  readonly key: string;
  /** True if the run had staged the same trip before. */
  readonly isRepeated: boolean;
}

/**
 * Stores a trip invisibly, unless it is there already. The same positions at the same times are the same trip of a
 * vehicle: the first to stage it names it; others, or the same after a kill, claim it and complete it.
 * `run` is the import that will show the trip or remove it.
 */
export async function stageTrip(accessScope: AccessScope, trip: TripToStage, run = newKey()): Promise<StagedTrip> {
  const { key, staged, staged_by } = await knownOrInserted(accessScope, trip, run);
  if (staged) {
    for (const bucket of bucketsOf({ ...trip, key }, trip.points)) {
      await insertIfAbsent(() => TripPointsBucketStore.create(accessScope, bucket));
    }
  }
  return { key, isRepeated: staged_by.includes(run) };
}

/** Stores many trips like {@link stageTrip}, new ones in two commands. */
export async function stageTrips(service: Service, trips: readonly TripToStage[], run: string): Promise<StagedTrip[]> {
  const keys = await visibleKeys(service, trips);
  const fresh = trips.filter((trip) => !keys.has(trip));
  const slice = new TimeSlice();
  const documents: ReturnType<typeof documentOf>[] = [];
  await forEachInSlices(slice, fresh, (trip) => documents.push(documentOf(service, trip, run)));
  const known = await insertTrips(service, documents);
  const buckets: ReturnType<typeof bucketsOf> = [];
  await forEachInSlices(slice, fresh.entries(), ([i, trip]) => {
    const key = documents[i]?.key;
    if (key === undefined || known.has(i)) return;
    keys.set(trip, key);
    buckets.push(...bucketsOf({ ...trip, key }, trip.points));
  });
  // Another import of the same trip may have completed it meanwhile.
  await insertMissing(() =>
    TripPointsBucketStore.insertMany(unrestricted(service), buckets, { ordered: false, lean: true }),
  );
  const staged: StagedTrip[] = [];
  for (const trip of trips) {
    const key = keys.get(trip);
    const accessScope = vehicleAccessScope(accountAccessScope(service, trip.account_key), { key: trip.vehicle_key });
    staged.push(key === undefined ? await stageTrip(accessScope, trip, run) : { key, isRepeated: false });
  }
  return staged;
}

async function visibleKeys(service: Service, trips: readonly TripToStage[]): Promise<Map<TripToStage, string>> {
  const fingerprints = trips.map(({ points }) => fingerprintOf(points));
  const filter = {
    vehicle_key: { $in: trips.map(({ vehicle_key }) => vehicle_key) },
    fingerprint: { $in: fingerprints },
    staged: false,
  };
  const found = await TripStore.find(unrestricted(service), filter, 'key vehicle_key fingerprint');
  const nameOf = (vehicleKey: string, fingerprint: string | undefined) => `${vehicleKey} ${fingerprint}`;
  const keys = new Map(found.map(({ key, vehicle_key, fingerprint }) => [nameOf(vehicle_key, fingerprint), key]));
  const visible = new Map<TripToStage, string>();
  for (const [i, trip] of trips.entries()) {
    const key = keys.get(nameOf(trip.vehicle_key, fingerprints[i]));
    if (key !== undefined) visible.set(trip, key);
  }
  return visible;
}

/** Inserts trips with the model's defaults in one command; returns the places of those with a known fingerprint. */
export function insertTrips(
  service: Service,
  trips: readonly (Partial<StoredTrip> & Pick<StoredTrip, 'key' | 'account_key' | 'vehicle_key' | 'fingerprint'>)[],
): Promise<ReadonlySet<number>> {
  // Plain documents with the model's defaults: making Mongoose's own of them takes longer than all the rest.
  const { _id, ...defaults } = TripStore.complete(unrestricted(service));
  const complete = trips.map((trip) => ({ ...defaults, ...trip }));
  return insertMissing(() => TripStore.insertMany(unrestricted(service), complete, { ordered: false, lean: true }));
}

interface Known {
  readonly key: string;
  readonly staged: boolean;
  readonly staged_by: readonly string[];
}

/** Between the look-up and the insertion of a trip, another run may have inserted or removed it. */
const MAX_ATTEMPTS = 10;

async function knownOrInserted(accessScope: AccessScope, trip: TripToStage, run: string): Promise<Known> {
  const fingerprint = fingerprintOf(trip.points);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const found =
      (await claim(accessScope, fingerprint, run)) ??
      (await findShown(accessScope, fingerprint)) ??
      (await insertStaged(accessScope.service, trip, run));
    if (found) return found;
  }
  throw new Error('A trip was repeatedly staged and removed by other imports');
}

/** Records that the run will also show a trip that is already staged. */
function claim(accessScope: AccessScope, fingerprint: string, run: string): Promise<Known | null> {
  const filter = { vehicle_key: accessScope.vehicle_key ?? '', fingerprint, staged: true };
  const update = { $addToSet: { staged_by: run }, $set: { staged_at: new Date() } };
  return TripStore.findOneAndUpdate(accessScope, filter, update, { projection: 'key staged staged_by' });
}

function findShown(accessScope: AccessScope, fingerprint: string): Promise<Known | null> {
  const filter = { vehicle_key: accessScope.vehicle_key ?? '', fingerprint, staged: false };
  return TripStore.findOne(accessScope, filter, 'key staged staged_by').exec();
}

async function insertStaged(service: Service, trip: TripToStage, run: string): Promise<Known | null> {
  const document = documentOf(service, trip, run);
  const isFirst = await insertIfAbsent(() => TripStore.create(unrestricted(service), document));
  return isFirst ? { key: document.key, staged: true, staged_by: [] } : null;
}

function documentOf(service: Service, { account_key, vehicle_key, facts, points }: TripToStage, run: string) {
  return {
    ...withAddresses(facts),
    ...streetsDue(service),
    key: newKey(),
    account_key,
    vehicle_key,
    staged: true,
    staged_by: [run],
    staged_at: new Date(),
    fingerprint: fingerprintOf(points),
    ...storedLines(points),
  };
}

/** Hash of positions and their times: a vehicle has at most one trip of each fingerprint. */
export function fingerprintOf({ time, lat, lon }: TripPoints): string {
  const hash = createHash('sha256');
  for (const column of [time, lat, lon]) hash.update(column);
  return hash.digest('base64url');
}
