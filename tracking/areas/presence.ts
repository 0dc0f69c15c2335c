import type { PlaceArea, PlaceSide } from './place-area.ts';
import type { TimedPlace } from '../geometry/motion.ts';

/** A position compared with a place. */
export interface ComparedPoint extends TimedPlace {
  readonly side: PlaceSide;
  /** The area that the place had at the time of the position; null if it had none. */
  readonly area: PlaceArea | null;
  /** True if the place got its area at this time, around an earlier position. */
  readonly isDrawn: boolean;
}

/** A stay as it is found: its entry and, once it is over, its exit. An earlier one began before the positions taken. */
export interface FoundStay {
  readonly entry: ComparedPoint | 'earlier';
  exit: ComparedPoint | null;
}

/**
 * The presence of a vehicle in a place, by positions in the order of their times. It has arrived with the first position in
 * the area, unless it leaves before the dwell time is over. It has left with the first position outside, once it is beyond the
 * border for the dwell time, or outside for the time of the border, unless a position in the area comes before.
 */
export class Presence {
  readonly found: FoundStay[] = [];
  #open: FoundStay | null = null;
  /** The first position in the area since the last one beyond the border. */
  #arriving: ComparedPoint | null = null;
  /** The first position outside since the last one in the area. */
  #leaving: ComparedPoint | null = null;
  /** The first position beyond the border since the last one in the area. */
  #beyond: ComparedPoint | null = null;

  /** @param isInside true if the vehicle is in the place before the first position */
  constructor(isInside: boolean) {
    if (isInside) this.#open = this.#begun('earlier');
  }

  get isInside(): boolean {
    return this.#open !== null;
  }

  take(point: ComparedPoint): void {
    const { side, time } = point;
    this.passTime(time);
    if (side === 'inside') {
      this.#arriving ??= point;
      this.#leaving = this.#beyond = null;
    } else {
      this.#leaving ??= point;
      if (side === 'outside') {
        this.#beyond ??= point;
        this.#arriving = null;
      }
    }
    this.passTime(time);
    if (this.#leaving && time - this.#leaving.time >= (this.#leaving.area?.border_ms ?? 0)) this.#leave();
  }

  /** Has a vehicle arrive or leave whose dwell time is over at a time: it stays where it is until the next position. */
  passTime(time: number): void {
    if (!this.#open && isOver(this.#arriving, time)) this.#open = this.#begun(this.#arriving);
    if (isOver(this.#beyond, time)) this.#leave();
  }

  /** Returns true if earlier positions do not matter any more, after one that was on a side. */
  isSettledBy(side: PlaceSide): boolean {
    return side === (this.#open ? 'inside' : 'outside');
  }

  #begun(entry: FoundStay['entry']): FoundStay {
    const stay = { entry, exit: null };
    this.found.push(stay);
    return stay;
  }

  /** Also of a vehicle that has not arrived yet: then there was no stay. */
  #leave(): void {
    if (this.#open) this.#open.exit = this.#leaving;
    this.#open = this.#arriving = null;
  }
}

function isOver(since: ComparedPoint | null, time: number): since is ComparedPoint {
  return since !== null && time - since.time >= (since.area?.dwell_ms ?? 0);
}
