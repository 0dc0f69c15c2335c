import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  GraphQLError,
  type GraphQLSchema,
  Kind,
} from 'graphql';

import { accessScopeOf, type RequestContext } from '../../auth/caller.ts';
import { ServiceError } from '../../schema/service-error.ts';
import { planOperation, type RunOperation } from '../execution/plan-operation.ts';

import { errorKindOf } from './graphql-errors.ts';
import { costError, GRAPHQL_LIMITS } from './graphql-limits.ts';
import { recordCounts } from './record-counts.ts';

/** Cost at which an operation is aborted during execution. */
export const LIMITS = { maxCost: GRAPHQL_LIMITS.cost } as const;

/** The error of an operation that costs too much for the account of its caller; null for any other. */
export async function costErrorOf(
  { schema, document, operationName, variableValues }: Omit<ExecutionArgs, 'contextValue'>,
  { service, caller }: Pick<RequestContext, 'service' | 'caller'>,
): Promise<GraphQLError | null> {
  const operation = getOperationAST(document, operationName);
  if (!operation) return null;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const fragmentOf = (name: string) => fragments.find((fragment) => fragment.name.value === name);
  const isOfAccount = 'account_key' in caller;
  return costError({ schema, operation, fragmentOf, variables: variableValues ?? {} }, async () =>
    isOfAccount ? recordCounts(accessScopeOf({ service, caller })) : new Map(),
  );
}

/**
 * Plans the operation of a document that REST executes, within the limits of GraphQL. GraphQL's objections to the request become
 * BAD_REQUEST.
 */
export function planLimited(schema: GraphQLSchema, document: DocumentNode): RunOperation {
  const run = planOperation(schema, document);
  return async (variableValues, contextValue) => {
    const error = await costErrorOf({ schema, document, variableValues }, contextValue as RequestContext);
    const { errors, ...result } = error
      ? { errors: [error] }
      : await run(variableValues, contextValue, undefined, LIMITS);
    return errors ? { ...result, errors: errors.map(asRejection) } : result;
  };
}

function asRejection(error: GraphQLError): GraphQLError {
  if (errorKindOf(error) !== 'request') return error;
  return new GraphQLError(error.message, { originalError: new ServiceError('BAD_REQUEST', error.message) });
}
