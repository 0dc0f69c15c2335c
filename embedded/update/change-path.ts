import { check } from '../bson/mongo-error.ts';
import { isDoc, setOrDelete, typeOf, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { isIndex } from '../query/path.ts';

/** Change of the value at a path: returns the new value, or undefined to remove it. */
export interface Change {
  readonly apply: (value: OptionalValue) => OptionalValue;
  /** True to create the path if it is missing. */
  readonly creates: boolean;
}

/** Meaning of the positional parts of a path: `$`, and `$[name]`. */
export interface Positions {
  readonly index: number | undefined;
  readonly filters: ReadonlyMap<string, (element: Value) => boolean>;
}

const MAX_PADDING = 1_500_000;

/** Applies a change at a path of a document, in place. */
export function changePath(doc: Doc, path: readonly string[], change: Change, positions: Positions): void {
  changeIn({ path, change, positions }, doc, 0);
}

interface PathChange {
  readonly path: readonly string[];
  readonly change: Change;
  readonly positions: Positions;
}

function changeIn(task: PathChange, container: Value, at: number): void {
  const part = task.path[at] ?? '';
  if (part !== '$' && !part.startsWith('$[')) {
    changeAt(task, container, part, at);
    return;
  }
  const message = `The path '${task.path.slice(0, at).join('.')}' must exist in the document in order to apply array updates.`;
  check(Array.isArray(container), 'BadValue', message);
  for (const place of placesOf(part, container, task.positions)) changeAt(task, container, String(place), at);
}

function placesOf(part: string, array: Value[], { index, filters }: Positions): number[] {
  if (part === '$') {
    const isFound = index !== undefined;
    check(isFound, 'BadValue', 'The positional operator did not find the match needed from the query.');
    return [index];
  }
  const filter = filters.get(part.slice(2, -1));
  return [...array.keys()].filter((place) => !filter || filter(array[place] ?? null));
}

function changeAt(task: PathChange, container: Value, part: string, at: number): void {
  const { path, change } = task;
  if (!isDoc(container) && !(Array.isArray(container) && isIndex(part))) {
    const parent = path[at - 1] ?? '';
    const message = `Cannot create field '${part}' in element {${parent}: ${typeOf(container)}}`;
    check(!change.creates, 'PathNotViable', message);
    return;
  }
  const value = isDoc(container) ? container.get(part) : container[Number(part)];
  if (at + 1 === path.length) {
    const after = change.apply(value);
    if (after !== value) put(container, part, after);
  } else if (value !== undefined) changeIn(task, value, at + 1);
  else if (change.creates) {
    const created: Doc = new Map();
    changeIn(task, created, at + 1);
    if (created.size > 0) put(container, part, created);
  }
}

function put(container: Doc | Value[], part: string, value: OptionalValue): void {
  const place = Number(part);
  if (isDoc(container)) setOrDelete(container, part, value);
  if (isDoc(container) || (value === undefined && place >= container.length)) return;
  const isNear = place - container.length <= MAX_PADDING;
  check(isNear, 'BadValue', `can't backfill more than ${MAX_PADDING} elements`);
  while (container.length < place) container.push(null);
  container[place] = value ?? null;
}
