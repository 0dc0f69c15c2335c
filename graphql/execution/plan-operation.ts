import {
  BREAK,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  Kind,
  OperationTypeNode,
  visit,
} from 'graphql';

import type { RequestContext } from '../../auth/caller.ts';

import { Execution } from './execution.ts';
import { OperationBudget, type OperationLimits } from './operation-budget.ts';
import { executeFields, type PlannedField, planFields, put } from './plan-fields.ts';

/** Executes an operation with variables, for the caller of a context. */
export type RunOperation = (
  variableValues: Readonly<Record<string, unknown>>,
  contextValue: unknown,
  /** The object of the root fields: an event of a subscription. */
  rootValue?: unknown,
  limits?: OperationLimits,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Plans an operation that is executed many times. Its answers are those of graphql-js, which looks up fields, types and
 * fragments again for each object of a list and takes five times as long, and which cannot be ended. An operation with
 * `@skip` or `@include` is planned each time, by its variables.
 */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null = null,
): RunOperation {
  // Operations that cannot be executed are rejected by graphql-js, with its messages.
  const reject: RunOperation = (variableValues, contextValue, rootValue) =>
    execute({ schema, document, contextValue, variableValues, operationName, rootValue });
  const operation = getOperationAST(document, operationName);
  const rootType = operation && schema.getRootType(operation.operation);
  if (!operation || !rootType) return reject;

  const planned = { schema, operation, fragments: fragmentsOf(document) };
  const fieldsOf = (variables?: Readonly<Record<string, unknown>>) =>
    planFields({ ...planned, ...(variables && { variables }) }, rootType, [operation.selectionSet]);
  const fields = hasSelectingDirectives(document) ? null : fieldsOf();
  const isMutation = operation.operation === OperationTypeNode.MUTATION;
  const executeRoot = isMutation ? executeSerially : executeFields;
  return (variableValues, context, rootValue, limits = {}) => {
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues, {
      maxErrors: 0,
    });
    // Reading ends here at the first invalid variable: each error of a list takes 80 microseconds, and graphql-js
    // names no more than 50.
    if (!coerced) return reject(variableValues, context, rootValue);
    const budget = new OperationBudget(context as RequestContext, { ...limits, isChange: isMutation });
    const request = { context: context as object, variables: coerced };
    const execution = new Execution(request, budget, limits.writesRecords ?? false);
    const run = () =>
      answerOf(execution, () => executeRoot(fields ?? fieldsOf(coerced), rootValue, execution, undefined));
    const entered = budget.enter();
    return entered ? entered.then(run) : run();
  };
}

/** Executes the fields of a mutation, one after another (GraphQL, section 6.2.2). */
async function executeSerially(
  fields: readonly PlannedField[],
  source: unknown,
  execution: Execution,
): Promise<Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  for (const { name, execute } of fields) put(object, name, await execute(source, execution, undefined));
  return object;
}

function answerOf({ errors, budget }: Execution, run: () => unknown): ExecutionResult | Promise<ExecutionResult> {
  const withData = (data: unknown) => {
    budget.leave();
    return (errors.length === 0 ? { data } : { errors, data }) as ExecutionResult;
  };
  const withoutData = (error: unknown): ExecutionResult => {
    budget.leave();
    const { ended } = budget;
    if (ended) return { errors: [new GraphQLError(ended.message, { originalError: ended })], data: null };
    return { errors: [...errors, error as GraphQLError], data: null };
  };
  try {
    const data = run();
    return data instanceof Promise ? data.then(withData, withoutData) : withData(data);
  } catch (error) {
    return withoutData(error);
  }
}

function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** Directives that decide which fields are selected. */
const SELECTING: ReadonlySet<string> = new Set([GraphQLSkipDirective.name, GraphQLIncludeDirective.name]);

function hasSelectingDirectives(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    [Kind.DIRECTIVE]: ({ name }) => {
      if (!SELECTING.has(name.value)) return undefined;
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
}

const planned = new WeakMap<DocumentNode, Map<string | null, RunOperation>>();

/** Returns the plan of an operation of a parsed document, which is made once and cached with the document. */
export function plannedOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null,
): RunOperation {
  const operations = planned.get(document) ?? new Map<string | null, RunOperation>();
  planned.set(document, operations);
  const operation = operations.get(operationName) ?? planOperation(schema, document, operationName);
  operations.set(operationName, operation);
  return operation;
}
