import { MongoError } from '../bson/mongo-error.ts';
import { isDoc, typeOf } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';
import { isIndex } from '../query/path.ts';

/** What an operator makes of the value at its path: a new value, or undefined to remove it. */
export interface Change {
  readonly apply: (value: OptionalValue) => OptionalValue;
  /** Whether the path is made where it is missing. */
  readonly creates: boolean;
}

/** What the positional parts of a path stand for. */
export interface Positions {
  readonly index: number | undefined;
  readonly filters: ReadonlyMap<string, (element: Value) => boolean>;
}

const MAX_PADDING = 1_500_000;

/** Applies a change at a path of a document, in place. */
export function changePath(doc: Doc, path: readonly string[], change: Change, positions: Positions): void {
  changeIn(doc, path, 0, change, positions);
}

function changeIn(container: Value, path: readonly string[], at: number, change: Change, positions: Positions): void {
  const part = path[at];
  if (part === undefined) return;
  if (part === '$' || part.startsWith('$[')) {
    if (!Array.isArray(container))
      throw new MongoError(
        'BadValue',
        `The path '${path.slice(0, at).join('.')}' must exist in the document in order to apply array updates.`,
      );
    for (const place of placesOf(part, container, positions))
      changeAt(container, String(place), path, at, change, positions);
    return;
  }
  changeAt(container, part, path, at, change, positions);
}

function placesOf(part: string, array: Value[], { index, filters }: Positions): number[] {
  if (part === '$') {
    if (index === undefined)
      throw new MongoError('BadValue', 'The positional operator did not find the match needed from the query.');
    return [index];
  }
  const filter = filters.get(part.slice(2, -1));
  return [...array.keys()].filter((place) => !filter || filter(array[place] ?? null));
}

function changeAt(
  container: Value,
  part: string,
  path: readonly string[],
  at: number,
  change: Change,
  positions: Positions,
): void {
  const value = child(container, part);
  const isLast = at + 1 === path.length;
  if (!isDoc(container) && !(Array.isArray(container) && isIndex(part))) {
    if (!change.creates) return;
    throw new MongoError(
      'PathNotViable',
      `Cannot create field '${part}' in element {${path[at - 1] ?? ''}: ${typeOf(container)}}`,
    );
  }
  if (isLast) {
    const after = change.apply(value);
    if (after !== value) put(container, part, after);
    return;
  }
  if (value !== undefined) {
    changeIn(value, path, at + 1, change, positions);
    return;
  }
  if (!change.creates) return;
  const made: Doc = new Map();
  changeIn(made, path, at + 1, change, positions);
  if (made.size > 0) put(container, part, made);
}

function child(container: Value, part: string): OptionalValue {
  if (isDoc(container)) return container.get(part);
  return Array.isArray(container) && isIndex(part) ? container[Number(part)] : undefined;
}

function put(container: Value, part: string, value: OptionalValue): void {
  if (isDoc(container)) {
    if (value === undefined) container.delete(part);
    else container.set(part, value);
  } else if (Array.isArray(container)) {
    const place = Number(part);
    if (value === undefined && place >= container.length) return;
    if (place - container.length > MAX_PADDING)
      throw new MongoError('BadValue', `can't backfill more than ${MAX_PADDING} elements`);
    while (container.length < place) container.push(null);
    container[place] = value ?? null;
  }
}
