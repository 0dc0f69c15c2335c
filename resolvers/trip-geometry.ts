import type { TripPoints } from '../models/trip-points.ts';
import type { TripPath } from '../schema/trip-path.ts';

import { unpackOutline } from './geometry/outline.ts';
import { encodedTrack, type PathDetail, tripPath } from './geometry/trip-path.ts';

/** The geometry of one trip as one caller sees it; its positions are read when a field needs them. */
export class TripGeometry {
  readonly #load: () => Promise<TripPoints>;
  readonly #packedOutline: Uint8Array | null;

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
    return this.#load();
  }

  /** All positions as an encoded polyline. */
  async polyline(): Promise<string> {
    return encodedTrack(await this.#load());
  }

  /** The path, simplified. */
  async path(detail: PathDetail): Promise<TripPath> {
    const outline = this.#packedOutline && unpackOutline(this.#packedOutline);
    const isFineEnough =
      outline && (detail.toleranceMeters >= outline.toleranceMeters || detail.maxPoints <= outline.length);
    return isFineEnough ? tripPath(outline, detail, outline.vanishing) : tripPath(await this.#load(), detail);
  }
}
