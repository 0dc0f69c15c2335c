import type { StoredPath, StoredPaths } from '../../models/trips/trip.ts';
import type { TripPoints } from '../../models/trips/trip-points.ts';
import type { TimedTripPath } from '../../schema/trips/timed-trip-path.ts';
import type { TripPath } from '../../schema/trips/trip-path.ts';

import { FINEST_METERS, type Outline, outlinePath, outlineSteps, unpackOutline } from '../geometry/outline.ts';
import { type Interruptions, interruptionsOf, startsOfParts } from '../geometry/interruptions.ts';
import { vanishingSteps } from '../geometry/simplification.ts';
import { pathOf, storedPath } from '../geometry/stored-lines.ts';
import { timedTripPath } from '../geometry/timed-path.ts';
import { encodedTrack, type PathDetail, retainedBy, tripPath } from '../geometry/trip-path.ts';
import { finishInSlices, type Steps } from '../scheduling/steps.ts';
import type { TimeSlice } from '../scheduling/time-slice.ts';
import type { PointsMeter } from './points-meter.ts';
import type { SeenPoints } from '../visibility/trip-visibility.ts';

/** Cached results, so that repeated fields of a trip cost nothing. */
interface Known {
  seen?: Promise<SeenTrack>;
  polyline?: Promise<string>;
  line?: Promise<StoredPath | null>;
  outline?: Promise<Outline>;
  /** The vanishing tolerances of all positions, not distinguished below `finest`. */
  vanishing?: { readonly finest: number; readonly meters: Float64Array };
  readonly paths: Map<string, Promise<TripPath>>;
}

interface SeenTrack {
  readonly points: TripPoints;
  readonly interruptions: Interruptions;
}

/** The means of a request to work on geometry. */
export interface GeometryWork {
  /** Charged with positions before they are unpacked or simplified. Decisions: "A token limits data, not only trips". */
  readonly meter: PointsMeter;
  /** The time slice of the request: long tracks are processed in slices. */
  readonly slice: TimeSlice;
}

/** Stored lines of a trip that is visible as a whole. */
export interface StoredLines {
  /** The stored paths; null if they do not fit. */
  readonly paths: StoredPaths | null;
  /** Reads the stored outline; null if it does not fit. */
  readonly outline: () => Promise<Uint8Array | null>;
  /** Reads the stored path of all positions; null if it does not fit. */
  readonly line: () => Promise<StoredPath | null>;
  /** True if a path is to tell gaps, and the trip has some: stored paths without any cannot be used. */
  readonly hasGaps: boolean;
}

/**
 * The geometry of one trip as one caller sees it; its positions are read when a field needs them, and cached for
 * others. All of it depends only on the visible positions: stored lines, which are used if the whole trip
 * is visible, equal computed ones.
 */
export class TripGeometry {
  readonly #clip: () => Promise<SeenPoints>;
  readonly #lines: StoredLines | null;
  readonly #work: GeometryWork;
  #known: Known = { paths: new Map() };
  /** The stored paths that were asked for, by their tolerances. */
  #answered: Map<number, TripPath> | null = null;

  /**
   * @param clip reads the positions that the caller sees
   * @param lines null unless all of the trip is visible
   */
  constructor(clip: () => Promise<SeenPoints>, lines: StoredLines | null, work: GeometryWork) {
    this.#clip = clip;
    this.#lines = lines;
    this.#work = work;
  }

  async points(): Promise<TripPoints> {
    return (await this.#seen()).points;
  }

  polyline(): Promise<string> {
    this.#known.polyline ??= this.#makePolyline();
    return this.#known.polyline;
  }

  /** The path, simplified, if it was stored, else null. It costs no more than reading it, so that it need not be scheduled. */
  storedPath(detail: PathDetail): TripPath | null {
    const paths = this.#lines?.paths;
    if (!paths) return null;
    const answered = this.#answered?.get(detail.toleranceMeters);
    if (answered && answered.point_count <= detail.maxPoints) return answered;
    const path = storedPath(paths, detail);
    if (path === null || this.#lacksGaps(path)) return null;
    this.#work.meter.chargeLater(paths.outline_length);
    this.#answered = (this.#answered ?? new Map()).set(detail.toleranceMeters, path);
    return path;
  }

  /** The path, simplified. */
  path(detail: PathDetail): Promise<TripPath> {
    const name = `${detail.toleranceMeters} ${detail.maxPoints}`;
    const made = this.#known.paths.get(name) ?? this.#makePath(detail);
    this.#known.paths.set(name, made);
    return made;
  }

  /** The path, simplified, with times and speeds; always made of all positions, since the outline has no times. */
  async timedPath(detail: PathDetail): Promise<TimedTripPath> {
    const track = await this.#seen();
    const { points, interruptions } = track;
    await this.#work.meter.charge(points.time.length);
    const vanishing = await this.#inSlices(this.#vanishing(track, detail.toleranceMeters));
    return this.#inSlices(timedTripPath(points, interruptions, retainedBy(detail, vanishing)));
  }

  clear(): void {
    this.#known = { paths: new Map() };
  }

  async #makePolyline(): Promise<string> {
    const line = await this.#line();
    return line?.points ?? this.#inSlices(encodedTrack(await this.points()));
  }

  async #makePath(detail: PathDetail): Promise<TripPath> {
    const isWhole = detail.toleranceMeters === 0 && detail.maxPoints === Infinity;
    const line = isWhole ? await this.#line() : null;
    if (line !== null && !this.#lacksGaps(line)) {
      await this.#work.meter.charge(line.point_count);
      return pathOf(line);
    }
    if (detail.toleranceMeters < FINEST_METERS && detail.maxPoints === Infinity) return this.#makeFinePath(detail);
    const outline = await this.#outline();
    const isFineEnough = detail.toleranceMeters >= outline.toleranceMeters || detail.maxPoints <= outline.length;
    if (!isFineEnough) return this.#makeFinePath(detail);
    // The path is made immediately: an exceeded limit stops the next request for work.
    this.#work.meter.chargeLater(outline.length);
    return this.#inSlices(outlinePath(outline, detail));
  }

  async #makeFinePath(detail: PathDetail): Promise<TripPath> {
    const track = await this.#seen();
    const { points, interruptions } = track;
    await this.#work.meter.charge(points.time.length);
    return this.#inSlices(tripPath(points, interruptions, detail, (finest) => this.#vanishing(track, finest)));
  }

  #inSlices<T>(steps: Steps<T>): Promise<T> {
    return finishInSlices(this.#work.slice, steps);
  }

  #line(): Promise<StoredPath | null> {
    this.#known.line ??= this.#lines?.line() ?? Promise.resolve(null);
    return this.#known.line;
  }

  /** True for a stored line without the gaps of a trip that has gaps: an older program stored it. */
  #lacksGaps({ gaps }: Pick<Interruptions, 'gaps'>): boolean {
    return this.#lines?.hasGaps === true && gaps.length === 0;
  }

  #seen(): Promise<SeenTrack> {
    this.#known.seen ??= this.#makeSeen();
    return this.#known.seen;
  }

  async #makeSeen(): Promise<SeenTrack> {
    const { points, breaks } = await this.#clip();
    return { points, interruptions: interruptionsOf(points.time, breaks) };
  }

  #outline(): Promise<Outline> {
    this.#known.outline ??= this.#makeOutline();
    return this.#known.outline;
  }

  async #makeOutline(): Promise<Outline> {
    const packed = await this.#lines?.outline();
    const stored = packed && unpackOutline(packed);
    if (stored && !this.#lacksGaps(stored)) return stored;
    const { points, interruptions } = await this.#seen();
    return this.#inSlices(outlineSteps(points, interruptions));
  }

  /** A tolerance finer than the one before is computed for all tolerances, so that it is done twice at most. */
  *#vanishing({ points, interruptions }: SeenTrack, finest: number): Steps<Float64Array> {
    const before = this.#known.vanishing;
    if (before && before.finest <= finest) return before.meters;
    const made = before ? 0 : finest;
    const meters = yield* vanishingSteps(points, made, startsOfParts(interruptions));
    this.#known.vanishing = { finest: made, meters };
    return meters;
  }
}
