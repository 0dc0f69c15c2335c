import { gapEnds } from './gaps.ts';

/** Maximum number of gaps of a path; the longest are kept, and both ends of each regardless of the tolerance. */
const MAX_GAPS = 1000;

/** Numbers of the positions of a track without a recorded way from the previous one, ascending; none is in both lists. */
export interface Interruptions {
  /** The way is hidden by a privacy zone. */
  readonly breaks: readonly number[];
  /** Nothing was recorded on the way. */
  readonly gaps: readonly number[];
}

/** The interruptions of a track without any. */
export const UNINTERRUPTED: Interruptions = { breaks: [], gaps: [] };

/** Finds the gaps of a track in addition to its breaks; `time` contains its times in milliseconds. */
export function interruptionsOf(time: Float64Array, breaks: readonly number[] = []): Interruptions {
  const hidden = new Set(breaks);
  const gaps = gapEnds(time).filter((end) => !hidden.has(end));
  if (gaps.length <= MAX_GAPS) return { breaks, gaps };
  const lengthOf = (end: number): number => (time[end] ?? 0) - (time[end - 1] ?? 0);
  const told = gaps.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, MAX_GAPS);
  return { breaks, gaps: told.sort((a, b) => a - b) };
}

/** The first positions of the parts of a track except the first part, ascending. */
export function startsOfParts({ breaks, gaps }: Interruptions): readonly number[] {
  return gaps.length === 0 ? breaks : [...breaks, ...gaps].sort((a, b) => a - b);
}

/** The interruptions of the path with the retained positions, by their places in it. */
export function interruptionsAmong(retained: readonly number[], { breaks, gaps }: Interruptions): Interruptions {
  const among = firstsAmong(retained, breaks);
  const hidden = new Set(among);
  return { breaks: among, gaps: firstsAmong(retained, gaps).filter((at) => !hidden.has(at)) };
}

/** Finds the first retained position of each part; a part without one has none. */
function firstsAmong(retained: readonly number[], starts: readonly number[]): number[] {
  const among = new Set<number>();
  let at = 0;
  for (const first of starts) {
    while (at < retained.length && (retained[at] ?? 0) < first) at++;
    if (at > 0 && at < retained.length) among.add(at);
  }
  return [...among];
}
