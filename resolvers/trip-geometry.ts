import type { TripPoints } from '../models/trip-points.ts';
import type { TripPath } from '../schema/trip-path.ts';

import { type Outline, unpackOutline } from './geometry/outline.ts';
import { vanishingTolerances } from './geometry/simplification.ts';
import { encodedTrack, type PathDetail, tripPath } from './geometry/trip-path.ts';

/** What has been worked out of a trip, so that asking again costs nothing. */
interface Known {
  points?: Promise<TripPoints>;
  polyline?: Promise<string>;
  outline?: Outline;
  /** The vanishing tolerances of all positions, not told apart below `finest`. */
  vanishing?: { readonly finest: number; readonly meters: Float64Array };
  readonly paths: Map<string, Promise<TripPath>>;
}

/** The geometry of one trip as one caller sees it; its positions are read when a field needs them, and kept for others. */
export class TripGeometry {
  readonly #load: () => Promise<TripPoints>;
  readonly #packedOutline: Uint8Array | null;
  #known: Known = { paths: new Map() };

  private constructor(load: () => Promise<TripPoints>, packedOutline: Uint8Array | null) {
    this.#load = load;
    this.#packedOutline = packedOutline;
  }

  /** Geometry of a whole trip: the stored outline serves where it is fine enough. */
  static ofStored(load: () => Promise<TripPoints>, packedOutline: Uint8Array): TripGeometry {
    return new TripGeometry(load, packedOutline);
  }

  /** Geometry of exactly these positions. */
  static ofPoints(points: TripPoints): TripGeometry {
    return new TripGeometry(() => Promise.resolve(points), null);
  }

  /** All positions. */
  points(): Promise<TripPoints> {
    this.#known.points ??= this.#load();
    return this.#known.points;
  }

  /** All positions as an encoded polyline. */
  polyline(): Promise<string> {
    this.#known.polyline ??= this.points().then(encodedTrack);
    return this.#known.polyline;
  }

  /** The path, simplified. */
  path(detail: PathDetail): Promise<TripPath> {
    const name = `${detail.toleranceMeters} ${detail.maxPoints}`;
    const made = this.#known.paths.get(name) ?? this.#makePath(detail);
    this.#known.paths.set(name, made);
    return made;
  }

  /** Lets go of what was worked out; it is worked out again when it is asked for. */
  forget(): void {
    this.#known = { paths: new Map() };
  }

  async #makePath(detail: PathDetail): Promise<TripPath> {
    const outline = this.#outline();
    const isFineEnough =
      outline && (detail.toleranceMeters >= outline.toleranceMeters || detail.maxPoints <= outline.length);
    if (isFineEnough) return tripPath(outline, detail, () => outline.vanishing);
    const points = await this.points();
    return tripPath(points, detail, (finest) => this.#vanishing(points, finest));
  }

  #outline(): Outline | null {
    if (this.#packedOutline) this.#known.outline ??= unpackOutline(this.#packedOutline);
    return this.#known.outline ?? null;
  }

  /** A tolerance finer than the one before is worked out for all tolerances, so that it is done twice at most. */
  #vanishing(points: TripPoints, finest: number): Float64Array {
    const before = this.#known.vanishing;
    if (before && before.finest <= finest) return before.meters;
    const made = before ? 0 : finest;
    const meters = vanishingTolerances(points, made);
    this.#known.vanishing = { finest: made, meters };
    return meters;
  }
}
