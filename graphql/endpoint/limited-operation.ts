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
import { MAX_PAGE } from '../execution/operation-cost.ts';
import { planOperation, type RunOperation } from '../execution/plan-operation.ts';

import { errorKindOf } from './graphql-errors.ts';
import { costError, GRAPHQL_LIMITS, isCheap } from './graphql-limits.ts';
import { recordCounts } from './record-counts.ts';

/** Cost at which an operation is aborted during execution. */
export const LIMITS = { maxCost: GRAPHQL_LIMITS.cost } as const;

/** The error of an operation that costs too much for the account of its caller; null for any other. */
export async function costErrorOf(
  { schema, document, operationName, variableValues }: Omit<ExecutionArgs, 'contextValue'>,
  { service, caller }: Pick<RequestContext, 'service' | 'caller'>,
): Promise<GraphQLError | null> {
  const measured = measuredOperation({ schema, document, operationName });
  if (measured === null) return null;
  const isOfAccount = 'account_key' in caller;
  return costError({ ...measured, variables: variableValues ?? {} }, async () =>
    isOfAccount ? recordCounts(accessScopeOf({ service, caller })) : new Map(),
  );
}

function measuredOperation({ schema, document, operationName }: Omit<ExecutionArgs, 'contextValue'>) {
  const operation = getOperationAST(document, operationName);
  if (!operation) return null;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return { schema, operation, fragmentOf: (name: string) => fragments.find((one) => one.name.value === name) };
}

/**
 * Plans the operation of a document that REST executes, within the limits of GraphQL. GraphQL's objections to the request become
 * BAD_REQUEST.
 */
export function planLimited(schema: GraphQLSchema, document: DocumentNode): RunOperation {
  const run = planOperation(schema, document);
  const isAlwaysCheap = isCheapAtMost(schema, document);
  return async (variableValues, contextValue) => {
    const error = isAlwaysCheap
      ? null
      : await costErrorOf({ schema, document, variableValues }, contextValue as RequestContext);
    const { errors, ...result } = error
      ? { errors: [error] }
      : await run(variableValues, contextValue, undefined, LIMITS);
    return errors ? { ...result, errors: errors.map(asRejection) } : result;
  };
}

/** Returns true if an operation is cheap whatever its variables are, so that it need not be measured for each request. */
function isCheapAtMost(schema: GraphQLSchema, document: DocumentNode): boolean {
  const measured = measuredOperation({ schema, document });
  const variables = measured?.operation.variableDefinitions?.map(({ variable }) => [variable.name.value, MAX_PAGE]);
  return measured !== null && isCheap({ ...measured, variables: Object.fromEntries(variables ?? []) });
}

function asRejection(error: GraphQLError): GraphQLError {
  if (errorKindOf(error) !== 'request') return error;
  return new GraphQLError(error.message, { originalError: new ServiceError('BAD_REQUEST', error.message) });
}
