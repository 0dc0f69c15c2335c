import FitParser from 'fit-file-parser';

import { FileError } from '../rows/import-failure.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import type { SourceFile } from '../rows/source-file.ts';
import type { WholeTrip } from '../rows/stream-position.ts';

/** Maximum size in bytes; a recorder writes about a megabyte a day. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Times before this one count from when the recorder was switched on. Source: FIT, type `date_time`. */
const FIRST_TIME = (631_065_600 + 0x10000000) * 1000;

/**
 * Reads the records of a FIT file, which is one trip; a fault has the number of the record as line.
 * @see https://developer.garmin.com/fit/protocol/
 * @throws FileError if the file is damaged or truncated, or has more than 64 MB
 */
export async function* readFit(file: SourceFile): AsyncGenerator<WholeTrip[]> {
  const records = await recordsOf(await file.whole(MAX_BYTES));
  if (records.length === 0) return;
  const recorded = new RecordedTrip(1);
  for (const [at, { position_lat, position_long, timestamp, enhanced_speed, speed }] of records.entries()) {
    const time = timestamp === undefined ? null : new Date(timestamp).getTime();
    recorded.add({
      lat: position_lat ?? Number.NaN,
      lon: position_long ?? Number.NaN,
      time: time === null || time >= FIRST_TIME ? time : 'unreadable',
      isZoneMissing: false,
      speed: enhanced_speed ?? speed ?? null,
      heading: null,
      events: [],
      line: at + 1,
    });
  }
  yield [{ kind: 'trip', vehicle: null, recorded }];
}

async function recordsOf(bytes: Buffer<ArrayBuffer>) {
  try {
    const { records } = await new FitParser({ force: false, speedUnit: 'm/s', mode: 'list' }).parseAsync(bytes);
    return records ?? [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileError(`it is not FIT, or damaged: ${reason}; copy it from the recorder again`);
  }
}
