import { stat } from 'node:fs/promises';

import { ImportFailure } from './faults/import-failure.ts';
import { importFile, type ImportTarget } from './import-file.ts';
import { addSummary, emptySummary, type ImportSummary } from './import-summary.ts';
import type { FileOptions } from './file-formats.ts';
import { purgeStaleTrips } from './show-trips.ts';
import type { Service } from '../../models/store/service.ts';

/** Files to import, and their target. */
export type ImportRequest = ImportTarget & {
  readonly files: readonly string[];
  readonly read?: FileOptions;
  readonly onProgress?: (progress: ImportProgress) => void;
};

/** Progress of an import. */
export interface ImportProgress {
  readonly file: string;
  readonly bytes_read: number;
  /** Size of the file; 0 if it cannot be told. */
  readonly bytes_total: number;
  readonly trips: number;
}

/**
 * Imports recorded trips, file by file: the trips of a file become visible at its end, and nothing is left of a file
 * that cannot be read to its end. Importing again, concurrently or after a crash, adds only missing trips.
 */
export async function importTrips(service: Service, request: ImportRequest): Promise<ImportSummary> {
  await purgeStaleTrips(service, 'vehicle' in request ? request.vehicle.account_key : request.account_key);
  const summary = emptySummary();
  for (const file of request.files) {
    const bytes_total = (await stat(file).catch(() => null))?.size ?? 0;
    let bytes_read = 0;
    const onBytes = (count: number, trips: number) => {
      bytes_read += count;
      request.onProgress?.({ file, bytes_read, bytes_total, trips });
    };
    try {
      addSummary(summary, await importFile(service, file, request, request.read ?? {}, onBytes));
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      summary.failures.push(error);
    }
  }
  return summary;
}
