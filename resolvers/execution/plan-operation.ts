import {
  BREAK,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getOperationAST,
  getVariableValues,
  type GraphQLError,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { Execution } from './execution.ts';
import { executeFields, type PlannedField, planFields } from './plan-fields.ts';

/** Executes an operation with variables, for the caller of a context. */
export type RunOperation = (
  variableValues: Readonly<Record<string, unknown>>,
  contextValue: unknown,
  /** The object of the root fields: an event of a subscription. */
  rootValue?: unknown,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Plans an operation that is executed many times. Its answers are those of graphql-js, which looks up fields, types and
 * fragments anew for each object of a list and takes five times as long.
 *
 * Left to graphql-js is what a plan cannot know beforehand: directives, introspection, and types that only a value tells.
 */
export function planOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null = null,
): RunOperation {
  const interpret: RunOperation = (variableValues, contextValue, rootValue) =>
    execute({ schema, document, contextValue, variableValues, operationName, rootValue });
  const operation = getOperationAST(document, operationName);
  const rootType = operation && schema.getRootType(operation.operation);
  if (!operation || !rootType || !isPlannable(schema, document)) return interpret;

  const fields = planFields({ schema, operation, fragments: fragmentsOf(document) }, rootType, [
    operation.selectionSet,
  ]);
  const executeRoot = operation.operation === OperationTypeNode.MUTATION ? executeSerially : executeFields;
  return (variableValues, context, rootValue) => {
    const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues, {
      maxErrors: 0,
    });
    // Variables that do not fit are rejected before anything is executed, in the words of graphql-js. The first ends the reading
    // here: each error of a list takes 80 microseconds, and graphql-js names no more than 50.
    if (!coerced) return interpret(variableValues, context, rootValue);
    const execution = new Execution(context as object, coerced);
    return answerOf(execution, () => executeRoot(fields, rootValue, execution, undefined));
  };
}

/** Executes the fields of a mutation, one after another (GraphQL, section 6.2.2). */
async function executeSerially(
  fields: readonly PlannedField[],
  source: unknown,
  execution: Execution,
): Promise<Record<string, unknown>> {
  const object: Record<string, unknown> = {};
  for (const field of fields) object[field.name] = await field.execute(source, execution, undefined);
  return object;
}

function answerOf({ errors }: Execution, run: () => unknown): ExecutionResult | Promise<ExecutionResult> {
  const withData = (data: unknown) => (errors.length === 0 ? { data } : { errors, data }) as ExecutionResult;
  const withoutData = (error: unknown): ExecutionResult => ({ errors: [...errors, error as GraphQLError], data: null });
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

/**
 * Tells whether a document selects the same fields of the same types, whatever its variables and values, under names that any
 * object may have.
 */
function isPlannable(schema: GraphQLSchema, document: DocumentNode): boolean {
  let isPlain = true;
  const types = new TypeInfo(schema);
  const reject = () => {
    isPlain = false;
    return BREAK;
  };
  const checkType = () => {
    const type = getNamedType(types.getType());
    return isAbstractType(type) || (isObjectType(type) && type.isTypeOf) ? reject() : undefined;
  };
  const checkField = ({ alias, name }: FieldNode) => {
    const shown = (alias ?? name).value;
    return shown.startsWith('__') && shown !== '__typename' ? reject() : checkType();
  };
  const visitor = {
    [Kind.DIRECTIVE]: reject,
    [Kind.FIELD]: checkField,
    [Kind.INLINE_FRAGMENT]: checkType,
    [Kind.FRAGMENT_DEFINITION]: checkType,
  };
  visit(document, visitWithTypeInfo(types, visitor));
  return isPlain;
}

const planned = new WeakMap<DocumentNode, Map<string | null, RunOperation>>();

/** Returns the plan of an operation of a parsed document, which is made once for as long as the document is kept. */
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
