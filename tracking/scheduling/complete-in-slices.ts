import { type GraphQLField, type GraphQLSchema, isLeafType } from 'graphql';

import { mapLists } from './map-lists.ts';
import { forEachInSlices, type TimeSlice, timeSliceOf } from './time-slice.ts';

/** Fields that complete in slices. */
const changed = new WeakSet<GraphQLField<unknown, object>>();

/** Lets lists of objects complete in slices. Answers are the same; resolvers return lists as ever. */
export function completeInSlices(schema: GraphQLSchema): GraphQLSchema {
  return mapLists(schema, { isMapped: (type) => !isLeafType(type), map: sliced, mapped: changed });
}

function sliced(list: readonly unknown[], context: object): unknown {
  return list.length > 0 ? new SlicedList(list, timeSliceOf(context)) : list;
}

/**
 * A list whose items are completed one after the other, in the time slices of a request. graphql-js, which knows no such lists, gets
 * a promise of each item after the slice is over.
 */
export class SlicedList {
  readonly items: readonly unknown[];
  readonly #slice: TimeSlice;

  constructor(items: readonly unknown[], slice: TimeSlice) {
    this.items = items;
    this.#slice = slice;
  }

  /** Returns true if the next item is to be completed in a later turn of the event loop. */
  isPaused(): boolean {
    return this.#slice.isOver();
  }

  /** Works on each item: a promise if the slice is over before the last. */
  forEach(work: (item: unknown) => void): Promise<void> | undefined {
    for (const [at, item] of this.items.entries()) {
      if (this.isPaused()) return forEachInSlices(this.#slice, this.items.slice(at), work);
      work(item);
    }
    return undefined;
  }

  *[Symbol.iterator](): Generator {
    for (const item of this.items) yield this.isPaused() ? this.#slice.next().then(() => item) : item;
  }
}
