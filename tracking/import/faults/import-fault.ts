/** Implausible data in an import; it is imported nevertheless, unless stated otherwise. */
const IMPORT_FAULTS = {
  repeated_time: 'has the time of the previous position',
  repeated_position: 'repeats the previous position',
  time_backwards: 'is stamped earlier than the previous position',
  in_future: 'is stamped in the future',
  jump: 'is too far from the previous position to be reached at 300 km/h',
  gap: 'comes after a time without positions',
  frozen_fix: 'begins a repetition of one position for 10 seconds or longer while the vehicle was moving',
  no_zone: 'has a time without a zone, taken as GMT',
  no_time: 'has no time; it was computed from the adjacent positions',
  decimal_comma: 'has a decimal comma, which was read as a decimal point',
  joined_columns: 'names a date and a time in two columns, which were read together',
  sorted: 'begins a trip that is not in the order of its times, and was sorted',
  repeated_part: 'repeats an earlier position of its trip, which was taken once',
  contained_trip: 'belongs to a trip that is part of another one in the file, which was imported once',
  week_rollover:
    'is dated 1,024 weeks early, as by an old receiver, so its trip was not imported; give --week-rollover correct, or keep',
  corrected_week: 'is dated 1,024 weeks early, which was corrected',
  damaged: 'is where the file is cut off or damaged; what is whole before it was imported',
  speed_unit: 'has a speed without a known unit, which was ignored; give --speed-unit',
  bad_motion: 'has an impossible speed or heading, which was ignored',
  bad_reading: 'has an impossible odometer or fuel level, which was ignored',
  one_point: 'is the only position of its trip',
  long_trip: 'follows so many positions without a pause that the trip was split before it',
  repeated_trip: 'belongs to a trip that the file contains twice, which was imported once',
  untimed_trip: 'belongs to a trip without any time, which was not imported',
  old_trip: 'belongs to a trip that is older than the account keeps positions, which was not imported',
  recorded_trip: 'belongs to a trip that the vehicle already has from another recording, which was not imported again',
  recorded_part: 'belongs to a trip of which the vehicle already has a part; only the rest was imported',
  overlapping_trip:
    'belongs to a trip that the vehicle already has from another recording, which was imported nevertheless',
  short_track:
    'begins a track that is shorter than other trips of the account, which was imported because it has no other trip',
  empty_trip: 'is a trip without positions, which was not imported',
  no_trip: 'begins a file that contains no trip',
  no_drive:
    'begins a file in which nothing is a trip by the settings of the account (movement_meters, minimum_meters, minimum_seconds); lower them, or map a column to trip that names the trips',
  no_position: 'has no position or an impossible one, and was skipped',
  bad_time: 'has a time that cannot be read, and was skipped',
  no_line: 'is a feature without a line or a time, which was skipped',
  no_vehicle: 'names no vehicle, and was skipped',
  no_join: 'has no row in the joined file, and was skipped',
  bad_checksum: 'has a wrong checksum, or lacks the one that other lines have, and was skipped',
  not_driven: 'is an activity that is no drive, such as walking, which was skipped',
  no_activity: 'lies outside of all activities of the file, belongs to no trip, and was skipped',
  standing: 'was recorded where the vehicle stood, belongs to no trip, and was skipped',
  short_drive:
    'begins a drive that is too short for a trip of the account (minimum_meters, minimum_seconds), and was skipped',
  stray: 'begins a trip with positions that no vehicle can have driven to and from, which were skipped',
} as const;

/** One of {@link IMPORT_FAULTS}. */
export type ImportFaultKind = keyof typeof IMPORT_FAULTS;

/** The faults that discard the position. */
export const LOST_POSITION: ReadonlySet<ImportFaultKind> = new Set(['no_position', 'bad_time']);

/** The faults that discard nothing that could be read. */
export const REMARKS: ReadonlySet<ImportFaultKind> = new Set(['joined_columns', 'damaged']);

/** Count of a fault in a trip of a file, or in the parts of a file outside its trips. */
export interface ImportFault {
  readonly file: string;
  /** Place of the trip in its file, from 1, in the order in which trips end; null for data that belongs to no trip. */
  readonly trip: number | null;
  readonly kind: ImportFaultKind;
  readonly count: number;
  /** Line of the first one. */
  readonly line: number;
}

/** Count of a fault in all files, and the place of the first. */
export interface FaultTotal {
  count: number;
  /** Number of trips with this fault; 0 for data that belongs to no trip. */
  trips: number;
  readonly file: string;
  readonly line: number;
}

/** Describes the fault, as the end of a sentence. */
export function formatFault(kind: ImportFaultKind): string {
  return IMPORT_FAULTS[kind];
}

/** Formats a fault for people: `a.gpx:12: jump: is too far … (3 times in trip 1)`. */
export function faultSentence({ file, trip, kind, count, line }: ImportFault): string {
  const times = count === 1 ? 'once' : `${count} times`;
  const where = trip === null ? '' : ` in trip ${trip}`;
  return `${file}:${line}: ${kind}: ${IMPORT_FAULTS[kind]} (${times}${where})`;
}

/** Formats the number of faults of a kind in all files. */
export function faultTotalSentence(kind: ImportFaultKind, { count, trips, file, line }: FaultTotal): string {
  const times = count === 1 ? 'once' : `${count} times`;
  const where = trips === 0 ? '' : ` in ${trips} ${trips === 1 ? 'trip' : 'trips'}`;
  return `${kind}: ${IMPORT_FAULTS[kind]} (${times}${where}, first at ${file}:${line})`;
}
