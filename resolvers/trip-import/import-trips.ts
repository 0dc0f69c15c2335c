import { stat } from 'node:fs/promises';

import { newKey } from '../../models/key.ts';
import { type Sight, sightOfAccount, sightOfVehicle } from '../../models/tenancy.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import { tripFacts } from '../geometry/trip-facts.ts';

import { ImportFailure } from './import-failure.ts';
import type { ImportFault } from './import-fault.ts';
import { readGpx } from './read-gpx.ts';
import type { RecordedTrip } from './recorded-trip.ts';
import { showTrips, shownBy, stageTrip, unstageTrips } from './stage-trip.ts';

/** What to import, for which vehicle. */
export interface ImportRequest {
  /** Paths of GPX files. */
  readonly files: readonly string[];
  readonly vehicle: { readonly key: string; readonly account_key: string };
  readonly onProgress?: (progress: ImportProgress) => void;
}

/** How far an import has got. */
export interface ImportProgress {
  readonly file: string;
  readonly bytes_read: number;
  /** Size of the file; 0 where it cannot be told. */
  readonly bytes_total: number;
  /** Trips read of the file so far. */
  readonly trips: number;
}

/** A trip that a file holds. */
export interface ImportedTrip {
  readonly key: string;
  readonly file: string;
  readonly vehicle_key: string;
  /** Number of positions. */
  readonly points: number;
  /** `YYYY-MM-DDThh:mm:ss+00:00` */
  readonly started: string;
  /** `YYYY-MM-DDThh:mm:ss+00:00` */
  readonly ended: string;
  readonly distance_meters: number;
  /** False where the vehicle had the same trip already. */
  readonly created: boolean;
}

/** What an import has done. */
export interface ImportSummary {
  readonly trips: ImportedTrip[];
  /** Implausible data that was imported all the same. */
  readonly faults: ImportFault[];
  /** Files of which nothing was imported. */
  readonly failures: ImportFailure[];
}

/**
 * Imports recorded trips, file by file: the trips of a file become visible once its end has been read, and nothing is
 * left of a file that cannot be read to its end. Importing again, at the same time or after a crash, makes no trip twice
 * and completes what the crash has left.
 */
export async function importTrips(request: ImportRequest): Promise<ImportSummary> {
  const summary: ImportSummary = { trips: [], faults: [], failures: [] };
  for (const file of request.files) {
    try {
      const { trips, faults } = await importFile(file, request);
      summary.trips.push(...trips);
      summary.faults.push(...faults);
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      summary.failures.push(error);
    }
  }
  return summary;
}

async function importFile(
  file: string,
  { vehicle, onProgress }: ImportRequest,
): Promise<Omit<ImportSummary, 'failures'>> {
  const sight = sightOfVehicle(sightOfAccount(vehicle.account_key), vehicle);
  const bytesTotal = await sizeOf(file);
  const run = newKey();
  const staged: Omit<ImportedTrip, 'created'>[] = [];
  const faults: ImportFault[] = [];
  let bytesRead = 0;
  let read = 0;
  const report = (bytes: number) => {
    bytesRead += bytes;
    onProgress?.({ file, bytes_read: bytesRead, bytes_total: bytesTotal, trips: read });
  };

  try {
    for await (const recorded of readGpx(file, report)) {
      read++;
      const trip = await stageRecorded(sight, file, vehicle, recorded, run);
      if (trip) staged.push(trip);
      for (const [kind, { count, line }] of recorded.faults) faults.push({ file, trip: read, kind, count, line });
    }
  } catch (error) {
    if (error instanceof ImportFailure) await unstageTrips(sight, keysOf(staged), run);
    throw error;
  }
  return { trips: await show(sight, staged, run), faults };
}

async function stageRecorded(
  sight: Sight,
  file: string,
  vehicle: ImportRequest['vehicle'],
  recorded: RecordedTrip,
  run: string,
): Promise<Omit<ImportedTrip, 'created'> | null> {
  const points = recorded.finish();
  if (!points) return null;
  const facts = tripFacts(points);
  const owner = { account_key: vehicle.account_key, vehicle_key: vehicle.key };
  return {
    key: await stageTrip(sight, { ...owner, facts, points }, run),
    file,
    vehicle_key: vehicle.key,
    points: facts.point_count,
    started: formatOffsetDateTime(facts.start_point.timestamp),
    ended: formatOffsetDateTime(facts.end_point.timestamp),
    distance_meters: facts.distance_meters,
  };
}

/** Shows the trips of a file and tells which of them are new; a trip that a file holds twice is new once. */
async function show(
  sight: Sight,
  staged: readonly Omit<ImportedTrip, 'created'>[],
  run: string,
): Promise<ImportedTrip[]> {
  if (staged.length === 0) return [];
  const keys = keysOf(staged);
  await showTrips(sight, keys, run);
  const created = new Set(await shownBy(sight, keys, run));
  return staged.map((trip) => ({ ...trip, created: created.delete(trip.key) }));
}

function keysOf(trips: readonly { readonly key: string }[]): string[] {
  return trips.map(({ key }) => key);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
