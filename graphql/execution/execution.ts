import { type FieldNode, getArgumentValues, type GraphQLError, type GraphQLField, locatedError } from 'graphql';

import type { OperationBudget } from './operation-budget.ts';

/** Place of a value in an answer. */
export interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  /** Type of the object that the field is of; undefined for an item of a list. */
  readonly typename: string | undefined;
}

/** A field as a document selects it. */
interface FieldWithArguments {
  readonly field: GraphQLField<unknown, unknown>;
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** The promise of a field's value. */
interface LateValue {
  readonly source: unknown;
  readonly field: FieldWithArguments;
  readonly value: PromiseLike<unknown>;
}

/** One execution of an operation: its caller, variables, budget, and errors so far. */
export class Execution {
  readonly context: object;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly budget: OperationBudget;
  readonly errors: GraphQLError[] = [];
  /** True as long as records of lists are written without being completed, see `JsonText`. */
  writesRecords: boolean;
  /** The value because of which no more records are written, for its own record. */
  late: LateValue | null = null;
  readonly #nulled = new Set<Path>();
  readonly #arguments = new Map<FieldWithArguments, Readonly<Record<string, unknown>>>();

  constructor(
    { context, variables }: Pick<Execution, 'context' | 'variables'>,
    budget: OperationBudget,
    writesRecords: boolean,
  ) {
    this.context = context;
    this.variables = variables;
    this.budget = budget;
    this.writesRecords = writesRecords;
  }

  /** Reads the arguments of a field once, for all records of a list; throws if they are invalid. */
  argumentsOf(selected: FieldWithArguments): Readonly<Record<string, unknown>> {
    const known = this.#arguments.get(selected);
    if (known) return known;
    const values = getArgumentValues(selected.field, selected.nodes[0], this.variables);
    this.#arguments.set(selected, values);
    return values;
  }

  /** Ends the writing of records. */
  stopWriting(late: LateValue): void {
    this.writesRecords = false;
    this.late = late;
    // Its error is that of the completed record.
    late.value.then(undefined, () => undefined);
  }

  /** Records an error that makes the value at a path null; a later error inside it is ignored, since nothing is left there. */
  note(error: unknown, nodes: readonly FieldNode[], path: Path): void {
    for (let at: Path | undefined = path; at; at = at.prev) {
      if (this.#nulled.has(at)) return;
    }
    this.#nulled.add(path);
    this.errors.push(located(error, nodes, path));
  }
}

/** An error of a value, with the place in the document and the answer. */
export function located(error: unknown, nodes: readonly FieldNode[], path: Path): GraphQLError {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at; at = at.prev) keys.push(at.key);
  return locatedError(error, nodes, keys.reverse());
}
