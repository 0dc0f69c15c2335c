import { type GraphQLError, locatedError, type FieldNode } from 'graphql';

import type { OperationBudget } from './operation-budget.ts';

/** Place of a value in an answer. */
export interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  /** Type of the object that the field is of; undefined for an item of a list. */
  readonly typename: string | undefined;
}

/** One execution of an operation: its caller, variables, budget, and errors so far. */
export class Execution {
  readonly context: object;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly budget: OperationBudget;
  readonly errors: GraphQLError[] = [];
  readonly #nulled = new Set<Path>();

  constructor(context: object, variables: Readonly<Record<string, unknown>>, budget: OperationBudget) {
    this.context = context;
    this.variables = variables;
    this.budget = budget;
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
