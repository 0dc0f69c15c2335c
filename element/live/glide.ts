import type { LonLat } from '../trips/trip.ts';

/** Time in which a vehicle glides to its next position, in milliseconds. */
const MIN_MS = 300;
const MAX_MS = 2000;
/** Distance in degrees beyond which a vehicle jumps to its position, since the way is not visible. */
const MAX_DEGREES = 0.05;

/** A vehicle's motion from the position where it was shown to its newest one. */
export class Glide {
  #from: LonLat;
  #to: LonLat;
  #began = 0;
  #duration = 0;

  constructor(position: LonLat) {
    this.#from = position;
    this.#to = position;
  }

  /** Position to which the vehicle moves. */
  get target(): LonLat {
    return this.#to;
  }

  /** Moves to a position from where the vehicle is at `now`, in about the time since the one before. */
  moveTo(position: LonLat, now: number, isGliding: boolean): void {
    const since = now - this.#began;
    this.#from = this.at(now);
    this.#to = position;
    this.#began = now;
    const isFar = Math.hypot(position[0] - this.#from[0], position[1] - this.#from[1]) > MAX_DEGREES;
    this.#duration = isGliding && !isFar ? Math.min(MAX_MS, Math.max(MIN_MS, since)) : 0;
  }

  /** Returns true if the vehicle has not arrived at `now`. */
  isMoving(now: number): boolean {
    return now < this.#began + this.#duration;
  }

  /** Returns the position at `now`, in milliseconds. */
  at(now: number): LonLat {
    const share = this.isMoving(now) ? (now - this.#began) / this.#duration : 1;
    const [fromLon, fromLat] = this.#from;
    const [lon, lat] = this.#to;
    return [fromLon + (lon - fromLon) * share, fromLat + (lat - fromLat) * share];
  }
}
