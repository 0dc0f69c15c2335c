import { type GraphQLSchema, isObjectType } from 'graphql';
import type { BuildSchemaOptions } from 'type-graphql';

import { classMetadata } from '../schema/class-metadata.ts';

/**
 * Lets the fields of a schema call their resolvers with what graphql-js has read. type-graphql wraps arguments in a promise, and
 * prepares each call anew, which costs a long list more than its records.
 *
 * @param resolvers the classes of which the schema was built
 */
export function callDirectly(schema: GraphQLSchema, resolvers: BuildSchemaOptions['resolvers']): GraphQLSchema {
  const { fieldResolvers, objectTypes } = classMetadata();
  for (const { target, methodName, schemaName, params, getObjectType } of fieldResolvers) {
    const type = schema.getType(objectTypes.find((one) => one.target === getObjectType())?.name ?? '');
    const field = isObjectType(type) ? type.getFields()[schemaName] : undefined;
    if (!field || !resolvers.includes(target)) continue;
    const resolver = new target();
    const sorted = params.toSorted((a, b) => a.index - b.index);
    field.resolve = (root, args, context, info) => {
      const values = { root, args, context, info };
      return resolver[methodName]?.(
        ...sorted.map((param) => (param.kind === 'arg' ? args[param.name] : values[param.kind])),
      );
    };
  }
  return schema;
}
