import type { LonLat } from '../trips/trip.ts';

/** A vehicle as the map shows it. */
export interface LivePose {
  readonly key: string;
  readonly position: LonLat;
  /** Position to which it moves. */
  readonly target: LonLat;
  /** Degrees clockwise from north; null if not known. */
  readonly heading: number | null;
  readonly color: string;
  /** null for a vehicle that is alone. */
  readonly label: string | null;
  /** false if it is offline, or has not reported. */
  readonly isFresh: boolean;
  /** Way since the end of the trip's loaded line. */
  readonly tail: readonly LonLat[];
}

/** Vehicles that are followed, as the map shows them. */
export interface LiveScene {
  readonly vehicles: readonly LivePose[];
  /** Key of the only one that the view follows; null for all. */
  readonly chosen: string | null;
  /** true if the view keeps them visible. */
  readonly follows: boolean;
  /** true if neither marker nor view may be animated. */
  readonly isStill: boolean;
}
