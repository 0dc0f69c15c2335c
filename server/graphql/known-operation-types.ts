import { GraphQLError, type ValidationRule } from 'graphql';

/**
 * Refuses an operation of a kind for which the schema has no root type, such as a subscription; graphql-js would find out
 * only while executing it, as if the service were at fault. GraphQL specification, section 5.2.1.
 */
export const knownOperationTypesRule: ValidationRule = (context) => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    const message = `The ${node.operation} operation is not supported by the schema.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});
