import {
  defaultFieldResolver,
  defaultTypeResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getDirectiveValues,
  getNullableType,
  type GraphQLAbstractType,
  GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql';

import { type Execution, located, type Path } from './execution.ts';
import { LONG_TEXT, type OperationBudget } from './operation-budget.ts';
import { MAX_PAGE, NESTED_PAGE_COST, ROOT_COST, sizeArgumentOf } from './operation-cost.ts';

/** An operation that is planned. */
export interface PlannedOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** Variables that affect the selection; absent if there are none. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A field of an operation, with everything looked up from document and schema. */
export interface PlannedField {
  /** Name in the answer. */
  readonly name: string;
  /** Returns the value for an answer, or a promise of it; throws a located error if it may not be null. */
  execute(source: unknown, execution: Execution, parent: Path | undefined): unknown;
}

/** A field as a document selects it. */
interface SelectedField {
  readonly operation: PlannedOperation;
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  /** All places that select it; they differ only in their selections below it. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** Plans the fields that selections select of a type. */
export function planFields(
  operation: PlannedOperation,
  parentType: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
): PlannedField[] {
  const selected = new Map<string, [FieldNode, ...FieldNode[]]>();
  const seen = new Set<string>();
  for (const set of sets) {
    if (set) collect(operation, parentType, set, selected, seen);
  }
  return [...selected].flatMap(([name, nodes]) => {
    const field = fieldOf(operation, parentType, nodes[0].name.value);
    return field ? [planField(name, { operation, parentType, field, nodes })] : [];
  });
}

function collect(
  operation: PlannedOperation,
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  selected: Map<string, [FieldNode, ...FieldNode[]]>,
  seen: Set<string>,
): void {
  for (const selection of selections) {
    if (!isIncluded(operation, selection)) continue;
    if (selection.kind === Kind.FIELD) {
      const name = (selection.alias ?? selection.name).value;
      const nodes = selected.get(name);
      if (nodes) nodes.push(selection);
      else selected.set(name, [selection]);
      continue;
    }
    const isSpread = selection.kind === Kind.FRAGMENT_SPREAD;
    if (isSpread && seen.has(selection.name.value)) continue;
    if (isSpread) seen.add(selection.name.value);
    const fragment = isSpread ? operation.fragments[selection.name.value] : selection;
    if (fragment && isOfType(operation, type, fragment.typeCondition)) {
      collect(operation, type, fragment.selectionSet, selected, seen);
    }
  }
}

/** Returns false for a selection that a directive omits. */
function isIncluded({ variables = {} }: PlannedOperation, selection: SelectionNode): boolean {
  if (!selection.directives?.length) return true;
  if (getDirectiveValues(GraphQLSkipDirective, selection, variables)?.if === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, selection, variables)?.if !== false;
}

function isOfType({ schema }: PlannedOperation, type: GraphQLObjectType, condition: NamedTypeNode | undefined) {
  if (!condition || condition.name.value === type.name) return true;
  const named = schema.getType(condition.name.value);
  return isAbstractType(named) && schema.isSubType(named, type);
}

const INTROSPECTION = [SchemaMetaFieldDef, TypeMetaFieldDef];

function fieldOf(
  { schema }: PlannedOperation,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  if (name === TypeNameMetaFieldDef.name) return TypeNameMetaFieldDef;
  const meta = type === schema.getQueryType() ? INTROSPECTION.find((field) => field.name === name) : undefined;
  return meta ?? type.getFields()[name];
}

function planField(name: string, selected: SelectedField): PlannedField {
  const { resolve, args, type } = selected.field;
  const execute = executorOf(name, selected);
  const leaf = getNullableType(type);
  const isPlain = resolve === undefined && args.length === 0 && isLeafType(leaf);
  return { name, execute: isPlain ? readPlainly(selected, leaf, execute) : execute };
}

/** Reads a text, number, Boolean or Date of an object, which skips the handling of errors, promises and null. */
function readPlainly({ field }: SelectedField, leaf: GraphQLLeafType, otherwise: PlannedField['execute']) {
  return (source: unknown, execution: Execution, parent: Path | undefined): unknown => {
    const value = (source as Readonly<Record<string, unknown>> | undefined)?.[field.name];
    if (isPlainValue(value)) {
      try {
        return charged(serialize(leaf, value), execution.budget);
      } catch (error) {
        if (error === execution.budget.ended) throw error;
        // Repeated below, where the error gets its location.
      }
    }
    return otherwise(source, execution, parent);
  };
}

function isPlainValue(value: unknown): boolean {
  return typeof value === 'object'
    ? value instanceof Date
    : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function executorOf(name: string, selected: SelectedField): PlannedField['execute'] {
  const { parentType, field, nodes } = selected;
  const { resolve = defaultFieldResolver } = field;
  const complete = guarded(selected, field.type);
  const sizeArgument = sizeArgumentOf(field);
  return (source, execution, parent) => {
    const path: Path = { prev: parent, key: name, typename: parentType.name };
    let value: unknown;
    try {
      const args = field.args.length === 0 ? {} : getArgumentValues(field, nodes[0], execution.variables);
      const find = () => resolve(source, args, execution.context, infoOf(selected, execution, path));
      if (sizeArgument === undefined) value = find();
      else {
        const page = { size: sizeOf(args, sizeArgument), cost: parent === undefined ? ROOT_COST : NESTED_PAGE_COST };
        value = execution.budget.read(page, find);
      }
    } catch (error) {
      return fail(selected, field.type, error, execution, path);
    }
    return complete(value, execution, path);
  };
}

/** Maximum number of records of a page; 0 for one that waits for records. */
function sizeOf(args: Readonly<Record<string, unknown>>, sizeArgument: string): number {
  return args.wait ? 0 : Math.min(Math.max(0, Number(args[sizeArgument] ?? MAX_PAGE)), MAX_PAGE);
}

function infoOf({ operation, parentType, field, nodes }: SelectedField, execution: Execution, path: Path) {
  return {
    fieldName: field.name,
    fieldNodes: nodes,
    returnType: field.type,
    parentType,
    path,
    schema: operation.schema,
    fragments: operation.fragments,
    rootValue: undefined,
    operation: operation.operation,
    variableValues: execution.variables,
  } satisfies GraphQLResolveInfo;
}

/** Converts the value of a resolver to that of an answer, or a promise of it; throws if there is none. */
type Complete = (value: unknown, execution: Execution, path: Path) => unknown;

/** Completes a field or an item, which may be a promise: an error makes it null if the type allows that. */
function guarded(selected: SelectedField, type: GraphQLOutputType): Complete {
  const complete = completerOf(selected, type);
  return (value, execution, path) => {
    try {
      const completed = isThenable(value)
        ? Promise.resolve(value).then((resolved) => complete(resolved, execution, path))
        : complete(value, execution, path);
      return completed instanceof Promise
        ? completed.catch((error: unknown) => fail(selected, type, error, execution, path))
        : completed;
    } catch (error) {
      return fail(selected, type, error, execution, path);
    }
  };
}

function fail(
  { nodes }: SelectedField,
  type: GraphQLOutputType,
  error: unknown,
  execution: Execution,
  path: Path,
): null {
  if (error === execution.budget.ended) throw error;
  if (isNonNullType(type)) throw located(error, nodes, path);
  execution.note(error, nodes, path);
  return null;
}

function completerOf(selected: SelectedField, type: GraphQLOutputType): Complete {
  if (isNonNullType(type)) return required(selected, completerOf(selected, type.ofType));
  const complete = isListType(type)
    ? completeItems(selected, type.ofType)
    : isLeafType(type)
      ? (value: unknown, { budget }: Execution) => charged(serialize(type, value), budget)
      : isAbstractType(type)
        ? completeAbstract(selected, type)
        : completeObject(selected, type);
  return (value, execution, path) => {
    if (value instanceof Error) throw value;
    return value === null || value === undefined ? null : complete(value, execution, path);
  };
}

function required({ parentType, field }: SelectedField, complete: Complete): Complete {
  return (value, execution, path) => {
    const completed = complete(value, execution, path);
    if (completed !== null) return completed;
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${field.name}.`);
  };
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  const serialized = type.serialize(value);
  if (serialized !== null && serialized !== undefined) return serialized;
  throw new Error(`Expected ${type.name} to serialize ${String(value)}`);
}

/** Charges a value that takes more memory than others. */
function charged(value: unknown, budget: OperationBudget): unknown {
  if (typeof value === 'string' && value.length > LONG_TEXT) budget.spend(value.length / LONG_TEXT);
  return value;
}

function completeItems(selected: SelectedField, type: GraphQLOutputType): Complete {
  const complete = guarded(selected, type);
  const values = isLeafType(getNullableType(type)) ? 1 : 0;
  return (list, execution, path) => {
    if (!isIterable(list)) {
      const place = `${selected.parentType.name}.${selected.field.name}`;
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${place}".`);
    }
    const items: unknown[] = [];
    const late = new LateValues();
    try {
      for (const item of list) {
        const key = items.length;
        execution.budget.spend(values);
        const completed = complete(item, execution, { prev: path, key, typename: undefined });
        items.push(completed);
        if (completed instanceof Promise)
          late.add(completed, (value) => {
            items[key] = value;
          });
      }
    } catch (error) {
      return late.end(error);
    }
    return late.whole(items);
  };
}

/** Completes an object whose type only its value tells. */
function completeAbstract(selected: SelectedField, type: GraphQLAbstractType): Complete {
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const { schema } = selected.operation;
  const planned = new Map<GraphQLObjectType, Complete>();
  return (source, execution, path) => {
    const name = resolveType(source, execution.context, infoOf(selected, execution, path), type);
    const found = typeof name === 'string' ? schema.getType(name) : undefined;
    if (!isObjectType(found) || !schema.isSubType(type, found)) {
      throw new TypeError(`${type.name} has no type ${String(name)}`);
    }
    const complete = planned.get(found) ?? completeObject(selected, found);
    planned.set(found, complete);
    return complete(source, execution, path);
  };
}

function completeObject(selected: SelectedField, type: GraphQLObjectType): Complete {
  let fields: readonly PlannedField[] | undefined;
  return (source, execution, path) => {
    // Types are recursive: fields below are planned when they are reached.
    fields ??= planFields(
      selected.operation,
      type,
      selected.nodes.map(({ selectionSet }) => selectionSet),
    );
    return executeFields(fields, source, execution, path);
  };
}

/** Executes the fields of an object, all of them before any is waited for. */
export function executeFields(
  fields: readonly PlannedField[],
  source: unknown,
  execution: Execution,
  path: Path | undefined,
): unknown {
  const object: Record<string, unknown> = {};
  const late = new LateValues();
  try {
    execution.budget.spend(fields.length);
    for (const { name, execute } of fields) {
      const completed = execute(source, execution, path);
      put(object, name, completed);
      if (completed instanceof Promise) late.add(completed, (value) => put(object, name, value));
    }
  } catch (error) {
    return late.end(error);
  }
  return late.whole(object);
}

/** Puts a member into an object, even under the one name that objects treat specially. */
export function put(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

/** Values of an object or list of an answer that arrive later than others. */
class LateValues {
  #values: Promise<void>[] | undefined;

  /** @param put puts the value into its place, which holds the promise until then */
  add(value: Promise<unknown>, put: (value: unknown) => void): void {
    this.#values ??= [];
    this.#values.push(value.then(put));
  }

  /** Returns the complete value, or a promise of it if some values arrive later. */
  whole(values: unknown): unknown {
    return this.#values ? Promise.all(this.#values).then(() => values) : values;
  }

  /** Ends with an error after pending values have arrived, so that their errors are handled. */
  end(error: unknown): Promise<never> {
    if (!this.#values) throw error;
    return Promise.allSettled(this.#values).then(() => {
      throw error;
    });
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
