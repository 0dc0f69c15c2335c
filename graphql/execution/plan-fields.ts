import {
  defaultFieldResolver,
  defaultTypeResolver,
  type FieldNode,
  type FragmentDefinitionNode,
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

import { SlicedList } from '../../tracking/scheduling/complete-in-slices.ts';
import { type Execution, located, type Path } from './execution.ts';
import { JsonText } from './json-text.ts';
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
  /** Writes the member of an object, see {@link Write}. */
  write(source: unknown, execution: Execution, parent: Path): string | undefined;
}

/** A field as a document selects it. */
interface SelectedField {
  readonly operation: PlannedOperation;
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  /** All places that select it; they differ only in their selections below it. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
  /** Fields of its objects that have been planned, by their type. */
  readonly below: Map<GraphQLObjectType, readonly PlannedField[]>;
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
    return field ? [planField(name, { operation, parentType, field, nodes, below: new Map() })] : [];
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
  const { field } = selected;
  const execute = executorOf(name, selected);
  const read = isPlain(field) ? readPlainly(field, execute) : execute;
  return { name, execute: read, write: memberWriter(name, selected) };
}

/** Returns true for a text, number, Boolean or Date that is read from its object. */
function isPlain(field: GraphQLField<unknown, unknown>): boolean {
  return field.resolve === undefined && field.args.length === 0 && isLeafType(getNullableType(field.type));
}

/** Reads a plain field, which skips the handling of errors, promises and null. */
function readPlainly(field: GraphQLField<unknown, unknown>, otherwise: PlannedField['execute']) {
  const leaf = getNullableType(field.type) as GraphQLLeafType;
  return (source: unknown, execution: Execution, parent: Path | undefined): unknown => {
    const value = memberOf(source, field.name);
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
  const { parentType, field } = selected;
  const complete = guarded(selected, field.type);
  const find = finderOf(selected);
  return (source, execution, parent) => {
    const path: Path = { prev: parent, key: name, typename: parentType.name };
    let value: unknown;
    try {
      const { late } = execution;
      const isLate = late !== null && late.source === source && late.field === selected;
      value = isLate ? late.value : find(source, execution, path);
    } catch (error) {
      return fail(selected, field.type, error, execution, path);
    }
    return complete(value, execution, path);
  };
}

/** Finds the value of a field, or a promise of it. */
type Find = (source: unknown, execution: Execution, path: Path) => unknown;

function finderOf(selected: SelectedField): Find {
  const { field } = selected;
  const { resolve = defaultFieldResolver } = field;
  const sizeArgument = sizeArgumentOf(field);
  const find: Find = (source, execution, path) => {
    const args = field.args.length === 0 ? {} : execution.argumentsOf(selected);
    const found = () => resolve(source, args, execution.context, infoOf(selected, execution, path));
    if (sizeArgument === undefined) return found();
    const cost = path.prev === undefined ? ROOT_COST : NESTED_PAGE_COST;
    return execution.budget.read({ size: sizeOf(args, sizeArgument), cost }, found);
  };
  if (field.resolve !== undefined || field.args.length > 0) return find;
  return (source, execution, path) => {
    const member = memberOf(source, field.name);
    return typeof member === 'function' || typeof source !== 'object' ? find(source, execution, path) : member;
  };
}

/** The value of a field without a resolver, unless it is a function. */
function memberOf(source: unknown, name: string): unknown {
  return (source as Readonly<Record<string, unknown>> | null | undefined)?.[name];
}

/** Maximum number of records of a page; 0 for one that waits for records. */
function sizeOf(args: Readonly<Record<string, unknown>>, sizeArgument: string): number {
  const size = args.last ?? args.size ?? args[sizeArgument] ?? MAX_PAGE;
  return args.wait ? 0 : Math.min(Math.max(0, Number(size)), MAX_PAGE);
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
function guarded(selected: SelectedField, type: GraphQLOutputType, of = completerOf): Complete {
  const complete = of(selected, type);
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
        : (source: unknown, execution: Execution, path: Path) =>
            executeFields(fieldsBelow(selected, type), source, execution, path);
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
  const complete = guarded(selected, type, isObjectType(getNullableType(type)) ? recordCompleter : completerOf);
  const values = isLeafType(getNullableType(type)) ? 1 : 0;
  return (list, execution, path) => {
    if (!isIterable(list)) {
      const place = `${selected.parentType.name}.${selected.field.name}`;
      throw new GraphQLError(`Expected Iterable, but did not find one for field "${place}".`);
    }
    const items: unknown[] = [];
    const late = new LateValues();
    const add = (item: unknown) => {
      const key = items.length;
      execution.budget.spend(values);
      const completed = complete(item, execution, { prev: path, key, typename: undefined });
      items.push(completed);
      if (completed instanceof Promise)
        late.add(completed, (value) => {
          items[key] = value;
        });
    };
    try {
      const paused = list instanceof SlicedList ? list.forEach(add) : forEachOf(list, add);
      if (!paused) return late.whole(items);
      return paused.then(
        () => late.whole(items),
        (error: unknown) => late.end(error),
      );
    } catch (error) {
      return late.end(error);
    }
  };
}

function forEachOf(list: Iterable<unknown>, work: (item: unknown) => void): undefined {
  for (const item of list) work(item);
}

/**
 * Writes a value of an answer as JSON, in half the time of making objects that are written later. Returns undefined for a value
 * that is late, wrong, or null where it may not be: its record is to be completed.
 */
type Write = (value: unknown, execution: Execution, path: Path) => string | undefined;

/** Writes the records of a root field's list, if the execution writes any, until a value is late or wrong. */
function recordCompleter(selected: SelectedField, type: GraphQLOutputType): Complete {
  const complete = completerOf(selected, type);
  const write = writerOf(selected, type);
  return (record, execution, path) => {
    // Records of lists in records are not written by `stringifyInSlices`.
    if (!execution.writesRecords || path.prev?.prev?.prev !== undefined) return complete(record, execution, path);
    let text: string | undefined;
    try {
      text = write(record, execution, path);
    } catch {
      execution.writesRecords = false;
    }
    return text === undefined ? complete(record, execution, path) : new JsonText(text);
  };
}

function writerOf(selected: SelectedField, type: GraphQLOutputType): Write {
  if (isNonNullType(type)) {
    const write = writerOf(selected, type.ofType);
    return (value, ...rest) => (value === null || value === undefined ? undefined : write(value, ...rest));
  }
  const write: Write = isListType(type)
    ? itemsWriter(selected, type.ofType)
    : isLeafType(type)
      ? (value, { budget }) => JSON.stringify(charged(serialize(type, value), budget))
      : isObjectType(type)
        ? objectWriter(selected, type)
        : (_, execution) => {
            execution.writesRecords = false;
            return undefined;
          };
  return (value, execution, path) => {
    if (value === null || value === undefined) return 'null';
    return value instanceof Error || isThenable(value) ? undefined : write(value, execution, path);
  };
}

function itemsWriter(selected: SelectedField, type: GraphQLOutputType): Write {
  const write = writerOf(selected, type);
  const values = isLeafType(getNullableType(type)) ? 1 : 0;
  return (list, execution, path) => {
    if (!isIterable(list)) return undefined;
    const items: string[] = [];
    for (const item of list instanceof SlicedList ? list.items : list) {
      if (list instanceof SlicedList && list.isPaused()) return undefined;
      execution.budget.spend(values);
      const text = write(item, execution, { prev: path, key: items.length, typename: undefined });
      if (text === undefined) return undefined;
      items.push(text);
    }
    return `[${items.join(',')}]`;
  };
}

function objectWriter(selected: SelectedField, type: GraphQLObjectType): Write {
  return (source, execution, path) => {
    const fields = fieldsBelow(selected, type);
    execution.budget.spend(fields.length);
    const members: string[] = [];
    for (const { write } of fields) {
      const member = write(source, execution, path);
      if (member === undefined) return undefined;
      members.push(member);
    }
    return `{${members.join(',')}}`;
  };
}

function memberWriter(name: string, selected: SelectedField): PlannedField['write'] {
  const { parentType, field } = selected;
  const label = `"${name}":`;
  const write = writerOf(selected, field.type);
  const labelled = (text: string | undefined) => (text === undefined ? undefined : label + text);
  if (isPlain(field)) {
    return (source, execution, parent) => labelled(write(memberOf(source, field.name), execution, parent));
  }
  const find = finderOf(selected);
  return (source, execution, parent) => {
    const path: Path = { prev: parent, key: name, typename: parentType.name };
    const value = find(source, execution, path);
    if (isThenable(value)) execution.stopWriting({ source, field: selected, value });
    return labelled(write(value, execution, path));
  };
}

/** Completes an object whose type only its value tells. */
function completeAbstract(selected: SelectedField, type: GraphQLAbstractType): Complete {
  const resolveType = type.resolveType ?? defaultTypeResolver;
  const { schema } = selected.operation;
  return (source, execution, path) => {
    const name = resolveType(source, execution.context, infoOf(selected, execution, path), type);
    const found = typeof name === 'string' ? schema.getType(name) : undefined;
    if (!isObjectType(found) || !schema.isSubType(type, found)) {
      throw new TypeError(`${type.name} has no type ${String(name)}`);
    }
    return executeFields(fieldsBelow(selected, found), source, execution, path);
  };
}

/** The fields below a field, by the type of its objects. Types are recursive, so they are planned when they are reached. */
function fieldsBelow({ operation, nodes, below }: SelectedField, type: GraphQLObjectType): readonly PlannedField[] {
  const known = below.get(type);
  if (known) return known;
  const sets = nodes.map(({ selectionSet }) => selectionSet);
  const fields = planFields(operation, type, sets);
  below.set(type, fields);
  return fields;
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
    const settled = value.then(put);
    // A paused list waits for its values later: until then, an error would end the process.
    settled.catch(() => undefined);
    this.#values.push(settled);
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
