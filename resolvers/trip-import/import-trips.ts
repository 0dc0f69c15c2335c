import { stat } from 'node:fs/promises';

import { newKey } from '../../models/key.ts';
import { type Sight, sightOfAccount, sightOfVehicle } from '../../models/tenancy.ts';
import { formatOffsetDateTime } from '../../schema/date-time.ts';
import { tripFacts } from '../geometry/trip-facts.ts';

import { ImportFailure } from './import-failure.ts';
import type { ImportFault } from './import-fault.ts';
import { readGpx } from './read-gpx.ts';
import type { RecordedTrip } from './recorded-trip.ts';
import { showTrips, shownBy, stageTrip } from './stage-trip.ts';

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
 * Imports recorded trips, file by file: all trips of a file become visible in one step after its end has been read, or
 * none. Importing again, at the same time or after a crash, makes no trip twice.
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
  const staged: Omit<ImportedTrip, 'created'>[] = [];
  const faults: ImportFault[] = [];
  let bytesRead = 0;
  let read = 0;
  const report = (bytes: number) => {
    bytesRead += bytes;
    onProgress?.({ file, bytes_read: bytesRead, bytes_total: bytesTotal, trips: read });
  };

  for await (const recorded of readGpx(file, report)) {
    read++;
    const trip = await stageRecorded(sight, file, vehicle, recorded);
    if (trip) staged.push(trip);
    for (const [kind, { count, line }] of recorded.faults) faults.push({ file, trip: read, kind, count, line });
  }
  return { trips: await show(sight, staged), faults };
}

async function stageRecorded(
  sight: Sight,
  file: string,
  vehicle: ImportRequest['vehicle'],
  recorded: RecordedTrip,
): Promise<Omit<ImportedTrip, 'created'> | null> {
  const points = recorded.finish();
  if (!points) return null;
  const facts = tripFacts(points);
  const owner = { account_key: vehicle.account_key, vehicle_key: vehicle.key };
  return {
    key: await stageTrip(sight, { ...owner, facts, points }),
    file,
    vehicle_key: vehicle.key,
    points: facts.point_count,
    started: formatOffsetDateTime(facts.start_point.timestamp),
    ended: formatOffsetDateTime(facts.end_point.timestamp),
    distance_meters: facts.distance_meters,
  };
}

/** Shows the trips of a file and tells which of them are new; a trip that a file holds twice is new once. */
async function show(sight: Sight, staged: readonly Omit<ImportedTrip, 'created'>[]): Promise<ImportedTrip[]> {
  if (staged.length === 0) return [];
  const run = newKey();
  const keys = staged.map(({ key }) => key);
  await showTrips(sight, keys, run);
  const created = new Set(await shownBy(sight, keys, run));
  return staged.map((trip) => ({ ...trip, created: created.delete(trip.key) }));
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
