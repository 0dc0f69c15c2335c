import FitParser from 'fit-file-parser';

import { FileError } from '../faults/import-failure.ts';
import { RecordedTrip } from '../rows/recorded-trip.ts';
import type { SourceFile } from '../rows/source-file.ts';
import type { WholeTrack } from '../rows/stream-position.ts';

/** Maximum size in bytes; a recorder writes about a megabyte a day. */
const MAX_BYTES = 64 * 1024 * 1024;

/** Lengths of the header and of the checksum in bytes, and the place of the length of the records. */
const HEADER_BYTES = 14;
const CHECKSUM_BYTES = 2;
const LENGTH_AT = 4;

/** Times before this one count from when the recorder was switched on. Source: FIT, type `date_time`. */
const FIRST_TIME = (631_065_600 + 0x10000000) * 1000;

/**
 * Reads the records of a FIT file, which is one trip; a fault has the number of the record as line.
 * @see https://developer.garmin.com/fit/protocol/
 * @throws FileError if the file is damaged or has more than 64 MB; if it is cut off, after the trip before that place
 */
export async function* readFit(file: SourceFile): AsyncGenerator<WholeTrack[]> {
  const bytes = await file.whole(MAX_BYTES);
  try {
    const records = await recordsOf(bytes);
    if (records.length > 0) yield [tripOf(records)];
  } catch (error) {
    const records = await wholeRecordsOf(bytes);
    if (records.length === 0) throw error;
    yield [tripOf(records)];
    throw new FileError(error instanceof Error ? error.message : '', { line: records.length + 1, column: 1 });
  }
}

function tripOf(records: FitRecords): WholeTrack {
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
  return { kind: 'track', vehicle: null, recorded };
}

type FitRecords = Awaited<ReturnType<typeof recordsOf>>;

async function recordsOf(bytes: Buffer<ArrayBuffer>, force = false) {
  try {
    const { records } = await new FitParser({ force, speedUnit: 'm/s', mode: 'list' }).parseAsync(bytes);
    return records ?? [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new FileError(`it is not FIT, or damaged: ${reason}; copy it from the recorder again`);
  }
}

/** Returns the records of a file that is cut off; none if it is damaged in another way, which can have changed any of them. */
async function wholeRecordsOf(bytes: Buffer<ArrayBuffer>): Promise<FitRecords> {
  if (bytes.length <= HEADER_BYTES) return [];
  const [header = 0, length] = [bytes[0], bytes.readUInt32LE(LENGTH_AT)];
  // A recorder writes the length last: it is 0 if its power failed.
  if (length !== 0 && header + length + CHECKSUM_BYTES <= bytes.length) return [];
  const cut = Buffer.from(bytes);
  cut.writeUInt32LE(bytes.length - header, LENGTH_AT);
  const records = await recordsOf(cut, true).catch(() => []);
  const { timestamp, position_lat, position_long } = records.at(-1) ?? {};
  const isWhole = timestamp !== undefined && position_lat !== undefined && position_long !== undefined;
  return isWhole ? records : records.slice(0, -1);
}
