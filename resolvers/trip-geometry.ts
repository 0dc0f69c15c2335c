import type { TripPoints } from '../models/trip-points.ts';
import type { TimedTripPath } from '../schema/timed-trip-path.ts';
import type { TripPath } from '../schema/trip-path.ts';

import { type Outline, unpackOutline } from './geometry/outline.ts';
import { vanishingTolerances } from './geometry/simplification.ts';
import { timedTripPath } from './geometry/timed-path.ts';
import { encodedTrack, type PathDetail, positionsKept, tripPath } from './geometry/trip-path.ts';

/** What has been worked out of a trip, so that asking again costs nothing. */
interface Known {
  seen?: Promise<SeenPoints>;
  polyline?: Promise<string>;
  outline?: Outline;
  /** The vanishing tolerances of all positions, not told apart below `finest`. */
  vanishing?: { readonly finest: number; readonly meters: Float64Array };
  readonly paths: Map<string, TripPath | Promise<TripPath>>;
}

/** Is told how many positions are about to be worked on; throws where they are too many. */
export type ChargePoints = (count: number) => Promise<void>;

/** The positions that a caller sees of a trip. */
export interface SeenPoints {
  readonly points: TripPoints;
  /** Numbers of the positions before which a privacy zone hides the way. */
  readonly breaks: readonly number[];
}

/** The geometry of one trip as one caller sees it; its positions are read when a field needs them, and kept for others. */
export class TripGeometry {
  readonly #load: () => Promise<SeenPoints>;
  readonly #packedOutline: Uint8Array | null;
  readonly #charge: ChargePoints;
  #known: Known = { paths: new Map() };

  private constructor(load: () => Promise<SeenPoints>, packedOutline: Uint8Array | null, charge: ChargePoints) {
    this.#load = load;
    this.#packedOutline = packedOutline;
    this.#charge = charge;
  }

  /** Geometry of a whole trip: the stored outline serves where it is fine enough. */
  static ofWhole(load: () => Promise<SeenPoints>, packedOutline: Uint8Array, charge: ChargePoints): TripGeometry {
    return new TripGeometry(load, packedOutline, charge);
  }

  /** Geometry of what is left of a trip; the outline, which knows the whole, is not used. */
  static ofCut(load: () => SeenPoints, count: number, charge: ChargePoints): TripGeometry {
    const charged = async () => {
      await charge(count);
      return load();
    };
    return new TripGeometry(charged, null, charge);
  }

  /** All positions. */
  async points(): Promise<TripPoints> {
    return (await this.#seen()).points;
  }

  /** All positions as an encoded polyline. */
  polyline(): Promise<string> {
    this.#known.polyline ??= this.points().then(encodedTrack);
    return this.#known.polyline;
  }

  /** The path, simplified; at once where the outline serves. */
  path(detail: PathDetail): TripPath | Promise<TripPath> {
    const name = `${detail.toleranceMeters} ${detail.maxPoints}`;
    const made = this.#known.paths.get(name) ?? this.#makePath(detail);
    this.#known.paths.set(name, made);
    return made;
  }

  /** The path, simplified, with times and speeds; always made of all positions, since the outline has no times. */
  async timedPath(detail: PathDetail): Promise<TimedTripPath> {
    const { points, breaks } = await this.#seen();
    await this.#charge(points.time.length);
    const kept = positionsKept(detail, this.#vanishing({ points, breaks }, detail.toleranceMeters));
    return timedTripPath(points, breaks, kept);
  }

  /** Lets go of what was worked out; it is worked out again when it is asked for. */
  forget(): void {
    this.#known = { paths: new Map() };
  }

  #makePath(detail: PathDetail): TripPath | Promise<TripPath> {
    const outline = this.#outline();
    const isFineEnough =
      outline && (detail.toleranceMeters >= outline.toleranceMeters || detail.maxPoints <= outline.length);
    if (!isFineEnough) return this.#makeFinePath(detail);
    // The path is made at once: what is too much stops whatever is asked for next.
    this.#charge(outline.length).catch(() => undefined);
    return tripPath(outline, [], detail, () => outline.vanishing);
  }

  async #makeFinePath(detail: PathDetail): Promise<TripPath> {
    const { points, breaks } = await this.#seen();
    await this.#charge(points.time.length);
    return tripPath(points, breaks, detail, (finest) => this.#vanishing({ points, breaks }, finest));
  }

  #seen(): Promise<SeenPoints> {
    this.#known.seen ??= this.#load();
    return this.#known.seen;
  }

  #outline(): Outline | null {
    if (this.#packedOutline) this.#known.outline ??= unpackOutline(this.#packedOutline);
    return this.#known.outline ?? null;
  }

  /** A tolerance finer than the one before is worked out for all tolerances, so that it is done twice at most. */
  #vanishing({ points, breaks }: SeenPoints, finest: number): Float64Array {
    const before = this.#known.vanishing;
    if (before && before.finest <= finest) return before.meters;
    const made = before ? 0 : finest;
    const meters = vanishingTolerances(points, made, breaks);
    this.#known.vanishing = { finest: made, meters };
    return meters;
  }
}
