import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';

import { type TimeSlice, timeSliceOf } from './time-slice.ts';

type Field = GraphQLField<unknown, object>;

/** Fields that complete in slices: types that several schemas share are changed once. */
const changed = new WeakSet<Field>();

/**
 * Lets lists of objects complete in slices: what is listed after the time slice of a request is over is a promise, which
 * graphql-js completes in a later turn of the event loop. A list that is completed within the slice costs no promise.
 * Answers are the same; resolvers return lists as ever.
 */
export function completeInSlices(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const isList = isListType(getNullableType(field.type)) && !isLeafType(getNamedType(field.type));
      if (isList && !changed.has(field)) sliceList(field);
    }
  }
  return schema;
}

function sliceList(field: Field): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    const found = resolve(source, args, context, info);
    return found instanceof Promise ? found.then((list) => sliced(list, context)) : sliced(found, context);
  };
  changed.add(field);
}

/** Returns the list as graphql-js should complete it; it takes an item only when it has done with the one before. */
function sliced(list: unknown, context: object): unknown {
  return Array.isArray(list) && list.length > 0 ? itemsInSlices(list, timeSliceOf(context)) : list;
}

function* itemsInSlices(list: readonly unknown[], slice: TimeSlice): Generator {
  for (const item of list) yield slice.isOver() ? slice.next().then(() => item) : item;
}
