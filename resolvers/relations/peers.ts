import type { GraphQLField, GraphQLSchema } from 'graphql';

import { mapLists } from '../batching/map-lists.ts';

/** The list in which a record stands in an answer. */
const lists = new WeakMap<object, readonly object[]>();

const noted = new WeakSet<GraphQLField<unknown, object>>();

/** Notes which records stand in a list together, for all lists of some types in a schema, and of edges to them. */
export function notePeers(schema: GraphQLSchema, typeNames: readonly string[]): GraphQLSchema {
  const names = new Set(typeNames.flatMap((name) => [name, `${name}Edge`]));
  return mapLists(schema, { isMapped: ({ name }) => names.has(name), map: withPeers, mapped: noted });
}

/** The records that stand with one in a list of the answer, itself included. */
export function peersOf<Peer extends object>(record: Peer): readonly Peer[] {
  return (lists.get(record) as readonly Peer[] | undefined) ?? [record];
}

function withPeers(list: readonly unknown[]): unknown {
  const records = (list as readonly object[]).map((item) => ('node' in item ? (item.node as object) : item));
  for (const record of records) lists.set(record, records);
  return list;
}
