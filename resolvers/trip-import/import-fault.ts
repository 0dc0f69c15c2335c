/** Implausible data that an import has met; it is imported all the same, unless said otherwise. */
const IMPORT_FAULTS = {
  repeated_time: 'has the time of the position before it',
  repeated_position: 'repeats the position before it',
  time_backwards: 'is stamped earlier than the position before it',
  jump: 'is too far from the position before it to be reached at 300 km/h',
  no_zone: 'has a time without a zone, taken as GMT',
  no_time: 'has no time, which was worked out from its neighbours',
  one_point: 'is the only position of its trip',
  untimed_trip: 'belongs to a trip without any time, which was not imported',
  empty_trip: 'is a trip without positions, which was not imported',
} as const;

/** One of {@link IMPORT_FAULTS}. */
export type ImportFaultKind = keyof typeof IMPORT_FAULTS;

/** How often a fault was met in a trip of a file. */
export interface ImportFault {
  readonly file: string;
  /** Place of the trip in its file, from 1. */
  readonly trip: number;
  readonly kind: ImportFaultKind;
  readonly count: number;
  /** Line of the first one. */
  readonly line: number;
}

/** Words a fault for people: `a.gpx:12: jump: is too far … (3 times in trip 1)`. */
export function faultSentence({ file, trip, kind, count, line }: ImportFault): string {
  const times = count === 1 ? 'once' : `${count} times`;
  return `${file}:${line}: ${kind}: ${IMPORT_FAULTS[kind]} (${times} in trip ${trip})`;
}
