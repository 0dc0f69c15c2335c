import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { TimedTripPath } from '../../schema/trips/timed-trip-path.ts';
import type { TripPath } from '../../schema/trips/trip-path.ts';

import { FINEST_METERS, type Outline, outlineOf, unpackOutline } from '../geometry/outline.ts';
import { vanishingTolerances } from '../geometry/simplification.ts';
import { timedTripPath } from '../geometry/timed-path.ts';
import { encodedTrack, type PathDetail, retainedBy, tripPath } from '../geometry/trip-path.ts';

/** Cached results, so that repeated fields of a trip cost nothing. */
interface Known {
  seen?: Promise<SeenPoints>;
  polyline?: Promise<string>;
  outline?: Outline | Promise<Outline>;
  /** The vanishing tolerances of all positions, not told apart below `finest`. */
  vanishing?: { readonly finest: number; readonly meters: Float64Array };
  readonly paths: Map<string, TripPath | Promise<TripPath>>;
}

/** Called with the number of positions that are about to be processed; throws if they are too many. */
export type ChargePoints = (count: number) => Promise<void>;

/** The positions that a caller sees of a trip. */
export interface SeenPoints {
  readonly points: TripPoints;
  /** Numbers of the positions before which a privacy zone hides the way. */
  readonly breaks: readonly number[];
}

/**
 * The geometry of one trip as one caller sees it; its positions are read when a field needs them, and cached for
 * others. All of it follows in one way from the visible positions: the outline that was stored with a trip, used if all
 * of it is visible, equals the one that would be computed.
 */
export class TripGeometry {
  readonly #load: () => Promise<SeenPoints>;
  readonly #packedOutline: Uint8Array | null;
  readonly #charge: ChargePoints;
  #known: Known = { paths: new Map() };

  /** @param packedOutline the outline that was stored, of a trip of which everything is seen; null of any other */
  constructor(load: () => Promise<SeenPoints>, packedOutline: Uint8Array | null, charge: ChargePoints) {
    this.#load = load;
    this.#packedOutline = packedOutline;
    this.#charge = charge;
  }

  async points(): Promise<TripPoints> {
    return (await this.#seen()).points;
  }

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
    const retained = retainedBy(detail, this.#vanishing({ points, breaks }, detail.toleranceMeters));
    return timedTripPath(points, breaks, retained);
  }

  clear(): void {
    this.#known = { paths: new Map() };
  }

  #makePath(detail: PathDetail): TripPath | Promise<TripPath> {
    if (detail.toleranceMeters < FINEST_METERS && detail.maxPoints === Infinity) return this.#makeFinePath(detail);
    const outline = this.#outline();
    return outline instanceof Promise
      ? outline.then((made) => this.#makePathFrom(made, detail))
      : this.#makePathFrom(outline, detail);
  }

  #makePathFrom(outline: Outline, detail: PathDetail): TripPath | Promise<TripPath> {
    const isFineEnough = detail.toleranceMeters >= outline.toleranceMeters || detail.maxPoints <= outline.length;
    if (!isFineEnough) return this.#makeFinePath(detail);
    // The path is made immediately: what is too much stops whatever is asked for next.
    this.#charge(outline.length).catch(() => undefined);
    return tripPath(outline, outline.breaks, detail, () => outline.vanishing);
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

  #outline(): Outline | Promise<Outline> {
    this.#known.outline ??= this.#packedOutline
      ? unpackOutline(this.#packedOutline)
      : this.#seen().then(({ points, breaks }) => outlineOf(points, breaks));
    return this.#known.outline;
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
