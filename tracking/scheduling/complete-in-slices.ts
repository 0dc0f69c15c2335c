import { type GraphQLField, type GraphQLSchema, isLeafType } from 'graphql';

import { mapLists } from './map-lists.ts';
import { type TimeSlice, timeSliceOf } from './time-slice.ts';

/** Fields that complete in slices. */
const changed = new WeakSet<GraphQLField<unknown, object>>();

/**
 * Lets lists of objects complete in slices: what is listed after the time slice of a request is over is a promise, which
 * graphql-js completes in a later turn of the event loop. A list that is completed within the slice costs no promise.
 * Answers are the same; resolvers return lists as ever.
 */
export function completeInSlices(schema: GraphQLSchema): GraphQLSchema {
  return mapLists(schema, { isMapped: (type) => !isLeafType(type), map: sliced, mapped: changed });
}

/** Returns the list as graphql-js should complete it; it takes an item only when it has done with the one before. */
function sliced(list: readonly unknown[], context: object): unknown {
  return list.length > 0 ? itemsInSlices(list, timeSliceOf(context)) : list;
}

function* itemsInSlices(list: readonly unknown[], slice: TimeSlice): Generator {
  for (const item of list) yield slice.isOver() ? slice.next().then(() => item) : item;
}
