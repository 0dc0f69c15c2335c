import { readFile } from '../../../tracking/import/read-file.ts';
import type { RecordedTrip } from '../../../tracking/import/rows/recorded-trip.ts';

/** Reads the trips of a file whose format has only tracks, such as GPX. */
export async function* recordedTrips(file: string): AsyncGenerator<RecordedTrip> {
  for await (const items of readFile(file, {}, () => {})) {
    for (const item of items) {
      if (item.kind !== 'track' && item.kind !== 'trip') throw new Error(`${file} holds a ${item.kind}`);
      yield item.recorded;
    }
  }
}
