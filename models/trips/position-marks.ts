/**
 * Marks of positions that are not believed, or not as they came. A marked position is stored and shown to the owner on
 * request; apart from `time_corrected`, it has no place: paths, distances, visits, rules and the vehicle's location ignore
 * it. Its time, events and readings count.
 */
export const POSITION_MARKS = ['invalid', 'inaccurate', 'jump', 'stale', 'time_corrected'] as const;

/** One of {@link POSITION_MARKS}. */
export type PositionMark = (typeof POSITION_MARKS)[number];

/** Prefix of marks among the events of a stored position; no event that a device sends begins with it. */
const PREFIX = '!';

/** The word by which a mark is stored among the events of a position. */
export function markWord(mark: PositionMark): string {
  return PREFIX + mark;
}

/** Returns true if a word among the events of a position is a mark. */
export function isMarkWord(event: string): boolean {
  return event.startsWith(PREFIX);
}

/** Returns true if a position with these events has no place that can be believed. */
export function hasNoPlace(events: readonly string[] | undefined): boolean {
  return (events ?? []).some((event) => isMarkWord(event) && event !== markWord('time_corrected'));
}

/** The mark that a word stands for. */
export function markOf(word: string): PositionMark {
  return word.slice(PREFIX.length) as PositionMark;
}

/** The events of a position that a device sent: without marks. */
export function shownEvents(events: readonly string[] = []): string[] {
  return events.filter((event) => !isMarkWord(event));
}
