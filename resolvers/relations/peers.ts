import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** The list in which a record stands in an answer. */
const lists = new WeakMap<object, readonly object[]>();

/** Fields whose lists are noted: types that several schemas share are changed once. */
const noted = new WeakSet<Field>();

/** Notes which records stand in a list together, for all lists of some types in a schema, and of edges to them. */
export function notePeers(schema: GraphQLSchema, typeNames: readonly string[]): GraphQLSchema {
  const names = new Set(typeNames.flatMap((name) => [name, `${name}Edge`]));
  for (const type of Object.values(schema.getTypeMap())) {
    for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) {
      const isNoted = isListType(getNullableType(field.type)) && names.has(getNamedType(field.type).name);
      if (isNoted && !noted.has(field)) noteList(field);
    }
  }
  return schema;
}

/** The records that stand with one in a list of the answer, itself included. */
export function peersOf<Peer extends object>(record: Peer): readonly Peer[] {
  return (lists.get(record) as readonly Peer[] | undefined) ?? [record];
}

function noteList(field: Field): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    const found = resolve(source, args, context, info);
    return found instanceof Promise ? found.then(withPeers) : withPeers(found);
  };
  noted.add(field);
}

function withPeers(list: unknown): unknown {
  if (!Array.isArray(list)) return list;
  const records: object[] = list.map((item) => ('node' in item ? item.node : item));
  for (const record of records) lists.set(record, records);
  return list;
}
