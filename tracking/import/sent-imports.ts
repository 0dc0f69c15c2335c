import { rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { newKey } from '../../models/key.ts';
import { type AccessScope, accountAccessScope } from '../../models/store/tenancy.ts';
import type { Service } from '../../models/store/service.ts';
import { type StoredTripImport, TripImportStore } from '../../models/trips/trip-import.ts';
import { ServiceError } from '../../schema/service-error.ts';
import type { FileOptions } from './file-formats.ts';
import type { ImportSummary } from './import-summary.ts';
import { importTrips } from './import-trips.ts';
import { FileError, withParameters } from './faults/import-failure.ts';
import { formatFault, type ImportFaultKind } from './faults/import-fault.ts';

/** Imports of an account that may run at a time. */
const MAX_RUNNING = 2;
/** Time between two notes of the progress of an import. */
const NOTE_MS = 1000;
/** Time without a note after which an import counts as interrupted. */
const INTERRUPTED_MS = 30_000;

const CANCELED = new FileError('the import was canceled');

/** A file to import, which is removed at the end. */
interface SentFile {
  readonly file: string;
  readonly vehicle: { readonly key: string; readonly account_key: string };
  readonly read: FileOptions;
}

/**
 * Starts to import a file, in the background of this process.
 * @throws ServiceError TOO_MANY_REQUESTS if two imports of the account are running
 */
export async function startImport(service: Service, { file, vehicle, read }: SentFile): Promise<StoredTripImport> {
  const { account_key } = vehicle;
  const accessScope = accountAccessScope(service, account_key);
  const now = new Date();
  const running = { ended: null, touched: { $gt: new Date(now.getTime() - INTERRUPTED_MS) } };
  if ((await TripImportStore.countDocuments(accessScope, running)) >= MAX_RUNNING) {
    throw new ServiceError('TOO_MANY_REQUESTS', 'Two imports of the account are running; wait until one has ended');
  }
  const { size } = await stat(file);
  const key = newKey();
  // The request removes its file when it is answered.
  const kept = join(dirname(file), `waybridge-import-${basename(file)}`);
  await rename(file, kept);
  const record = await TripImportStore.create(accessScope, {
    ...{ key, account_key, vehicle_key: vehicle.key, status: 'running', bytes_total: size, bytes_read: 0 },
    ...{ trip_count: 0, created_count: 0, point_count: 0, faults: [], error: null },
    ...{ created: now, touched: now, ended: null },
  });
  // A database that is closed while the service ends leaves an import that is interrupted.
  runImport(accessScope, key, { file: kept, vehicle, read }).catch(() => {});
  return record as StoredTripImport;
}

/** An import as it is now: one whose process has ended is interrupted. */
export function importNow<Import extends Pick<StoredTripImport, 'ended' | 'touched' | 'status'>>(
  stored: Import,
): Import {
  const isRunning = stored.ended === null && stored.touched.getTime() > Date.now() - INTERRUPTED_MS;
  return stored.ended !== null || isRunning ? stored : { ...stored, status: 'interrupted' };
}

/** Cancels an import that is running, in whichever process; false if there is none. */
export async function cancelImport(accessScope: AccessScope, key: string): Promise<void> {
  await TripImportStore.updateOne(accessScope, { key, status: 'running' }, { status: 'canceling' });
}

async function runImport(accessScope: AccessScope, key: string, { file, vehicle, read }: SentFile): Promise<void> {
  const progress = { bytes_read: 0, trip_count: 0 };
  let isCanceled = false;
  const note = async () => {
    const change = { ...progress, touched: new Date() };
    const noted = await TripImportStore.findOneAndUpdate(accessScope, { key, ended: null }, change);
    isCanceled ||= noted?.status !== 'running';
  };
  const notes = setInterval(() => void note().catch(() => {}), NOTE_MS).unref();
  const onProgress = ({ bytes_read, trips }: { readonly bytes_read: number; readonly trips: number }) => {
    Object.assign(progress, { bytes_read, trip_count: trips });
    if (isCanceled) throw CANCELED;
  };
  try {
    const summary = await importTrips(accessScope.service, { vehicle, files: [file], read, onProgress });
    await end(accessScope, key, { ...progress, ...outcomeOf(summary) });
  } catch (error) {
    await end(accessScope, key, { status: 'failed', error: 'the service failed; send the file again' });
    throw error;
  } finally {
    clearInterval(notes);
    await rm(file, { force: true });
  }
}

async function end(accessScope: AccessScope, key: string, outcome: Partial<StoredTripImport>): Promise<void> {
  const now = new Date();
  await TripImportStore.updateOne(accessScope, { key }, { ...outcome, touched: now, ended: now });
}

function outcomeOf(summary: ImportSummary): Partial<StoredTripImport> {
  const { trip_count, created_count, point_count, fault_totals, failures } = summary;
  const [failure] = failures;
  const faults = Object.entries(fault_totals).map(([kind, { count, trips, line }]) => ({
    ...{ kind, description: withParameters(formatFault(kind as ImportFaultKind)), count, trip_count: trips, line },
  }));
  if (!failure) return { status: 'succeeded', trip_count, created_count, point_count, faults };
  if (failure.reason === CANCELED.message) return { status: 'canceled', trip_count: 0 };
  const place = failure.line === null ? '' : `${failure.line}:${failure.column}: `;
  return { status: 'failed', trip_count: 0, error: place + withParameters(failure.reason) };
}
