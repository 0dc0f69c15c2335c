import { setImmediate as othersTurn } from 'node:timers/promises';

import type { RequestContext } from '../auth/caller.ts';

import type { TripGeometry } from './trip-geometry.ts';
import type { TripView } from './trip-view.ts';

/**
 * Where a request works on the geometry of trips: on one trip at a time, whatever was worked out of it being kept until
 * another one is laid there. Before each piece of work other requests have their turn.
 */
class TripDesk {
  #before: Promise<unknown> = Promise.resolve();
  #laid: { readonly key: string; readonly geometry: TripGeometry } | null = null;

  /** Works on a trip once all that was asked for before is done. */
  at<T>({ key, geometry }: TripView, work: (geometry: TripGeometry) => Promise<T>): Promise<T> {
    const done = this.#before.then(async () => {
      await othersTurn();
      if (this.#laid?.key !== key) {
        this.#laid?.geometry.forget();
        this.#laid = { key, geometry };
      }
      return work(this.#laid.geometry);
    });
    this.#before = done.catch(() => undefined);
    return done;
  }
}

const desks = new WeakMap<RequestContext, TripDesk>();

/** The desk of a request. A trip that one caller asks for twice is the same trip, cut at the same edges. */
export function deskOf(context: RequestContext): TripDesk {
  const desk = desks.get(context) ?? new TripDesk();
  desks.set(context, desk);
  return desk;
}
