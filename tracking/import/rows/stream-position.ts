import type { ImportFaultKind } from '../faults/import-fault.ts';
import type { RecordedPosition, RecordedTrip } from './recorded-trip.ts';

/** One position of a stream of positions. */
export interface StreamPosition extends RecordedPosition {
  readonly kind: 'position';
  readonly time: number | null;
  /** Name of the vehicle in the file; null if the file has a single vehicle. */
  readonly vehicle: string | null;
  /** Name of the trip in the file; null if it names none, so that the stream is cut. */
  readonly trip: string | null;
}

/** A track that is complete in a file: one recording, which is cut into trips, or a trip that the file marks as whole. */
export interface WholeTrack {
  readonly kind: 'track' | 'trip';
  readonly vehicle: string | null;
  readonly recorded: RecordedTrip;
}

/** A part of a file that yields no position, or a remark on the file. */
export interface LeftOut {
  readonly kind: 'left_out';
  readonly fault: ImportFaultKind;
  readonly line: number;
  /** Number of occurrences; 1 if omitted. */
  readonly count?: number;
  /** The value that could not be read, for advice. */
  readonly written?: string;
}

/** An item of a file. */
export type FileItem = StreamPosition | WholeTrack | LeftOut;
