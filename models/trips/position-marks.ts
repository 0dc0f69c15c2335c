/**
 * Marks of positions that are not believed, or not as they came. A marked position is stored and shown to the owner on
 * request; apart from `time_corrected` and `speed`, it has no place: paths, distances, visits, rules and the vehicle's location
 * ignore it. Its time, events and readings count. `inaccurate` has the accuracy in meters as its value; `speed`, which marks the
 * speed alone, that speed in meters per second.
 */
export const POSITION_MARKS = ['invalid', 'inaccurate', 'jump', 'stale', 'time_corrected', 'speed'] as const;

/** One of {@link POSITION_MARKS}. */
export type PositionMark = (typeof POSITION_MARKS)[number];

/** Prefix of marks among the events of a stored position; no event that a device sends begins with it. */
const PREFIX = '!';

/** Separates a mark from the value for which it was made. */
const VALUE = '=';

/** The word by which a mark is stored among the events of a position, with the value for which it was made, if there is one. */
export function markWord(mark: PositionMark, value?: number): string {
  return PREFIX + mark + (value === undefined ? '' : VALUE + value);
}

/** Returns true if a word among the events of a position is a mark. */
export function isMarkWord(event: string): boolean {
  return event.startsWith(PREFIX);
}

/** Marks of positions whose places are believed. */
const PLACED: ReadonlySet<PositionMark> = new Set(['time_corrected', 'speed']);

/** Returns true if a position with these events has no place that can be believed. */
export function hasNoPlace(events: readonly string[] | undefined): boolean {
  return (events ?? []).some((event) => isMarkWord(event) && !PLACED.has(markOf(event)));
}

/** The mark that a word stands for. */
export function markOf(word: string): PositionMark {
  return word.slice(PREFIX.length).split(VALUE, 1)[0] as PositionMark;
}

/** The value for which a position with these events has a mark; null if it has no such mark, or one without a value. */
export function markedValue(events: readonly string[] | undefined, mark: PositionMark): number | null {
  const word = events?.find((event) => isMarkWord(event) && markOf(event) === mark);
  const value = word?.split(VALUE)[1];
  return value === undefined ? null : Number(value);
}

/** The events of a position that a device sent: without marks. */
export function shownEvents(events: readonly string[] = []): string[] {
  return events.filter((event) => !isMarkWord(event));
}
