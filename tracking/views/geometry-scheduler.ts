import type { RequestContext } from '../../auth/caller.ts';

import { type TimeSlice, timeSliceOf } from '../scheduling/time-slice.ts';
import type { TripGeometry } from './trip-geometry.ts';
import type { TripView } from './trip-view.ts';

/**
 * Schedules the geometry work of a request: one trip at a time, whose results are cached until another trip is loaded.
 */
class GeometryScheduler {
  #waiting: Promise<unknown> | null = null;
  #loaded: { readonly key: string; readonly geometry: TripGeometry } | null = null;
  readonly #slice: TimeSlice;

  constructor(slice: TimeSlice) {
    this.#slice = slice;
  }

  /** Runs work on a trip after all work that was requested before. */
  at<T>(trip: TripView, work: (geometry: TripGeometry) => Promise<T>): Promise<T> {
    if (this.#waiting === null && !this.#slice.isOver()) return this.#enqueue(work(this.#load(trip)));
    return this.#enqueue(
      Promise.resolve(this.#waiting).then(async () => {
        if (this.#slice.isOver()) await this.#slice.next();
        return work(this.#load(trip));
      }),
    );
  }

  #load({ key, geometry }: TripView): TripGeometry {
    if (this.#loaded?.key !== key) {
      this.#loaded?.geometry.clear();
      this.#loaded = { key, geometry };
    }
    return this.#loaded.geometry;
  }

  #enqueue<T>(work: Promise<T>): Promise<T> {
    const settled = work
      .catch(() => undefined)
      .then(() => {
        if (this.#waiting === settled) this.#waiting = null;
      });
    this.#waiting = settled;
    return work;
  }
}

const schedulers = new WeakMap<RequestContext, GeometryScheduler>();

/** Returns the scheduler of a request. A trip that one caller requests twice is clipped at the same edges. */
export function geometrySchedulerOf(context: RequestContext): GeometryScheduler {
  const scheduler = schedulers.get(context) ?? new GeometryScheduler(timeSliceOf(context));
  schedulers.set(context, scheduler);
  return scheduler;
}
