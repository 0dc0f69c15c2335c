import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql';

type Field = GraphQLField<unknown, object>;

/** A change of lists in answers. */
export interface ListMapping {
  /** Tells by the type of its items whether a list is changed. */
  readonly isMapped: (type: GraphQLNamedType) => boolean;
  readonly map: (list: readonly unknown[], context: object) => unknown;
  /** Fields that are changed already: types that several schemas share are changed once. */
  readonly mapped: WeakSet<Field>;
}

/** Changes the lists that fields of a schema answer; resolvers return them as ever. */
export function mapLists(schema: GraphQLSchema, mapping: ListMapping): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const isList = isListType(getNullableType(field.type)) && mapping.isMapped(getNamedType(field.type));
      if (isList && !mapping.mapped.has(field)) mapList(field, mapping);
    }
  }
  return schema;
}

function mapList(field: Field, { map, mapped }: ListMapping): void {
  const { resolve = defaultFieldResolver } = field;
  const mapFound = (found: unknown, context: object) => (Array.isArray(found) ? map(found, context) : found);
  field.resolve = (source, args, context, info) => {
    const found = resolve(source, args, context, info);
    return found instanceof Promise ? found.then((list) => mapFound(list, context)) : mapFound(found, context);
  };
  mapped.add(field);
}
