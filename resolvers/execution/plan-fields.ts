import {
  defaultFieldResolver,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getNullableType,
  GraphQLError,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';

import { type Execution, located, type Path } from './execution.ts';

/** An operation that is planned. */
export interface PlannedOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

/** A field of an operation; everything that document and schema say about it has been looked up. */
export interface PlannedField {
  /** Name in the answer. */
  readonly name: string;
  /** Returns the value for an answer, or a promise of it; throws a located error where it may not be null. */
  execute(source: unknown, execution: Execution, parent: Path | undefined): unknown;
}

/** A field as a document selects it. */
interface SelectedField {
  readonly operation: PlannedOperation;
  readonly parentType: GraphQLObjectType;
  readonly field: GraphQLField<unknown, unknown>;
  /** All places that select it; they agree but for what they select below it. */
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
    const field = fieldOf(parentType, nodes[0].name.value);
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
    const isOfType = fragment?.typeCondition === undefined || fragment.typeCondition.name.value === type.name;
    if (fragment && isOfType) collect(operation, type, fragment.selectionSet, selected, seen);
  }
}

function fieldOf(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  return name === TypeNameMetaFieldDef.name ? TypeNameMetaFieldDef : type.getFields()[name];
}

function planField(name: string, selected: SelectedField): PlannedField {
  const { resolve, args, type } = selected.field;
  const execute = executorOf(name, selected);
  const leaf = getNullableType(type);
  const isPlain = resolve === undefined && args.length === 0 && isLeafType(leaf);
  return { name, execute: isPlain ? readPlainly(selected, leaf, execute) : execute };
}

/** Reads a text, number, Boolean or Date of an object, which saves what only an error, a promise or null needs. */
function readPlainly({ field }: SelectedField, leaf: GraphQLLeafType, otherwise: PlannedField['execute']) {
  return (source: unknown, execution: Execution, parent: Path | undefined): unknown => {
    const value = (source as Readonly<Record<string, unknown>> | undefined)?.[field.name];
    if (isPlainValue(value)) {
      try {
        return serialize(leaf, value);
      } catch {
        // Tried again below, where the error gets its place.
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
  return (source, execution, parent) => {
    const path: Path = { prev: parent, key: name, typename: parentType.name };
    let value: unknown;
    try {
      const args = field.args.length === 0 ? {} : getArgumentValues(field, nodes[0], execution.variables);
      value = resolve(source, args, execution.context, infoOf(selected, execution, path));
    } catch (error) {
      return fail(selected, field.type, error, execution, path);
    }
    return complete(value, execution, path);
  };
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

/** Makes the value of an answer from one of a resolver, or a promise of it; throws where there is none. */
type Complete = (value: unknown, execution: Execution, path: Path) => unknown;

/** Completes a field or an item, which may be a promise: an error makes it null where the type allows that. */
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
  if (isNonNullType(type)) throw located(error, nodes, path);
  execution.note(error, nodes, path);
  return null;
}

function completerOf(selected: SelectedField, type: GraphQLOutputType): Complete {
  if (isNonNullType(type)) return required(selected, completerOf(selected, type.ofType));
  const complete = isListType(type)
    ? completeItems(selected, type.ofType)
    : isLeafType(type)
      ? (value: unknown) => serialize(type, value)
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

function completeItems(selected: SelectedField, type: GraphQLOutputType): Complete {
  const complete = guarded(selected, type);
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

function completeObject(selected: SelectedField, type: GraphQLOutputType): Complete {
  if (!isObjectType(type)) throw new TypeError(`${String(type)} is not planned`);
  let fields: readonly PlannedField[] | undefined;
  return (source, execution, path) => {
    // Types contain themselves: what is below is planned when it is reached.
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
    for (const { name, execute } of fields) {
      const completed = execute(source, execution, path);
      object[name] = completed;
      if (completed instanceof Promise)
        late.add(completed, (value) => {
          object[name] = value;
        });
    }
  } catch (error) {
    return late.end(error);
  }
  return late.whole(object);
}

/** Values of an object or list of an answer that come later than others. */
class LateValues {
  #values: Promise<void>[] | undefined;

  /** @param put puts the value into its place, where the promise holds it until then */
  add(value: Promise<unknown>, put: (value: unknown) => void): void {
    this.#values ??= [];
    this.#values.push(value.then(put));
  }

  /** Returns what is complete, or a promise of it where some values come later. */
  whole(values: unknown): unknown {
    return this.#values ? Promise.all(this.#values).then(() => values) : values;
  }

  /** Ends with an error, after what still comes, so that its errors are handled. */
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
