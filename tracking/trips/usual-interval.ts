import { placeAfter } from '../geometry/track.ts';

/** Number of intervals that show how often a device reports. */
const COUNTED = 9;

/** Number of positions before a silence on which it depends if it is usual. */
export const POSITIONS_BEFORE_SILENCE = COUNTED + 1;

/** Time before a silence whose intervals count, in milliseconds. */
export const COUNTED_MS = 86_400_000;

/** A device is not silent before it has reported nothing for this many usual intervals. */
const USUAL_SILENCE = 3;

/**
 * The time for which the device of a recording may be silent, by the median of the last nine intervals, in the 24 hours before,
 * between positions that have a place.
 */
export class UsualInterval {
  readonly #times: readonly number[];
  readonly #earlier: ArrayLike<number> | undefined;
  /** True if a silence depends on positions before the recording, which were not given. */
  needsEarlier = false;

  /** @param times of the positions of the recording, in order, and of `earlier` ones before it, if they are known */
  constructor(times: readonly number[], earlier?: ArrayLike<number>) {
    this.#times = times;
    this.#earlier = earlier;
  }

  /** The usual time between positions until a position, in milliseconds, given its time; 0 if nothing was before. */
  intervalUntil(time: number): number {
    const { intervals, isAll } = this.#intervalsUntil(time);
    this.needsEarlier ||= !isAll;
    return median(intervals);
  }

  /** Milliseconds for which the device may be silent after a position, given its time; 0 if nothing was before. */
  silenceAfter(time: number): number {
    return USUAL_SILENCE * this.intervalUntil(time);
  }

  /** Milliseconds for which it may be silent at most, whatever was before the recording. */
  maximumSilenceAfter(time: number): number {
    const { intervals, isAll } = this.#intervalsUntil(time);
    return USUAL_SILENCE * (isAll ? median(intervals) : (intervals[COUNTED >> 1] ?? Infinity));
  }

  /** The last intervals until an instant, the shortest first. */
  #intervalsUntil(time: number): { readonly intervals: readonly number[]; readonly isAll: boolean } {
    const earlier = this.#earlier ?? [];
    let next = earlier.length + placeAfter(this.#times, time) - 1;
    const timeAt = (at: number) => (at < earlier.length ? earlier[at] : this.#times[at - earlier.length]) ?? -Infinity;
    const intervals: number[] = [];
    for (; next > 0 && intervals.length < COUNTED && timeAt(next - 1) >= time - COUNTED_MS; next--) {
      intervals.push(timeAt(next) - timeAt(next - 1));
    }
    const isAll = this.#earlier !== undefined || next > 0 || intervals.length === COUNTED;
    return { intervals: intervals.toSorted((a, b) => a - b), isAll };
  }
}

/** The median of intervals, the shortest first; 0 if there is none. */
function median(intervals: readonly number[]): number {
  return intervals[intervals.length >> 1] ?? 0;
}
