import { GraphQLError, type ValidationRule } from 'graphql';

import { limitsRule } from './graphql-limits.ts';

/** Rejects an operation without a root type, such as a subscription, before execution (GraphQL, section 5.2.1). */
const knownOperationTypesRule: ValidationRule = (context) => ({
  OperationDefinition: (node) => {
    if (context.getSchema().getRootType(node.operation)) return;
    const message = `The ${node.operation} operation is not supported by the schema.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  },
});

/** Validation rules in addition to those of GraphQL, which apply to every document. */
export const VALIDATION_RULES: readonly ValidationRule[] = [knownOperationTypesRule, limitsRule];
