import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { RequestContext } from '../../auth/caller.ts';

import type { TripGeometry } from './trip-geometry.ts';
import type { TripView } from './trip-view.ts';

/** How long a request works on geometry, in milliseconds, before other requests have their turn. */
const TURN_MS = 5;

/**
 * Where a request works on the geometry of trips: on one trip at a time, whatever was worked out of it being kept until
 * another one is laid there. What is known at once is answered at once, for as long as the request's turn lasts.
 */
class GeometryScheduler {
  #waiting: Promise<unknown> | null = null;
  #laid: { readonly key: string; readonly geometry: TripGeometry } | null = null;
  #turnBegan = performance.now();

  /** Works on a trip once all that was asked for before is done. */
  at<T>(trip: TripView, work: (geometry: TripGeometry) => T | Promise<T>): T | Promise<T> {
    if (this.#waiting === null && !this.#isTurnOver()) {
      const done = work(this.#lay(trip));
      return done instanceof Promise ? this.#letWaitFor(done) : done;
    }
    return this.#letWaitFor(
      Promise.resolve(this.#waiting).then(async () => {
        if (this.#isTurnOver()) {
          await yieldToEventLoop();
          this.#turnBegan = performance.now();
        }
        return work(this.#lay(trip));
      }),
    );
  }

  #lay({ key, geometry }: TripView): TripGeometry {
    if (this.#laid?.key !== key) {
      this.#laid?.geometry.forget();
      this.#laid = { key, geometry };
    }
    return this.#laid.geometry;
  }

  #isTurnOver(): boolean {
    return performance.now() - this.#turnBegan > TURN_MS;
  }

  #letWaitFor<T>(work: Promise<T>): Promise<T> {
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

/** The desk of a request. A trip that one caller asks for twice is the same trip, cut at the same edges. */
export function geometrySchedulerOf(context: RequestContext): GeometryScheduler {
  const scheduler = schedulers.get(context) ?? new GeometryScheduler();
  schedulers.set(context, scheduler);
  return scheduler;
}
