import { isDoc } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';

/** Called with each value a path reaches; `index` is the place in the outermost array passed. Return true to stop. */
export type Visit = (value: OptionalValue, index: number | undefined) => boolean;

/**
 * What to do with an array at the end of a path: visit its elements and then itself (as filters do), only itself, or
 * only its elements (as indexes do, which also note what is missing in an array: see EMPTY).
 */
export type LeafArrays = 'expand' | 'whole' | 'elements';

/** Visited in place of the elements of an array that has none. */
export const EMPTY: Value[] = [];

/** Visits every value a dotted path reaches, through arrays as MongoDB's filters do; returns whether a visit stopped. */
export function visitPath(doc: Doc, path: readonly string[], leaf: LeafArrays, visit: Visit): boolean {
  return step(doc, path, 0, leaf, undefined, visit);
}

/** Says whether a path part can be a place in an array. */
export function isIndex(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}

/** Says whether a stage may give a field such a name: not a path, nor a reference. */
export function isFieldName(name: string): boolean {
  return name !== '' && !name.startsWith('$') && !name.includes('.');
}

/** The value at a path that goes through documents only; undefined where there is none. */
export function valueAt(doc: Doc, path: readonly string[]): OptionalValue {
  let value: OptionalValue = doc;
  for (const part of path) {
    if (!isDoc(value)) return undefined;
    value = value.get(part);
  }
  return value;
}

function step(
  value: Value,
  path: readonly string[],
  at: number,
  leaf: LeafArrays,
  index: number | undefined,
  visit: Visit,
): boolean {
  const part = path[at];
  if (part === undefined) return visitLeaf(value, leaf, index, visit);
  if (isDoc(value)) {
    const field = value.get(part);
    if (field === undefined) return visit(undefined, index);
    return Array.isArray(field)
      ? throughArray(field, path, at + 1, leaf, index, visit)
      : step(field, path, at + 1, leaf, index, visit);
  }
  return visit(undefined, index);
}

function throughArray(
  array: Value[],
  path: readonly string[],
  at: number,
  leaf: LeafArrays,
  index: number | undefined,
  visit: Visit,
): boolean {
  const part = path[at];
  if (part === undefined) return visitLeaf(array, leaf, index, visit);
  const chosen = isIndex(part) ? Number(part) : -1;
  return array.some((element, place) => {
    const outer = index ?? place;
    if (isDoc(element)) {
      if (step(element, path, at, leaf, outer, visit)) return true;
    } else if (leaf === 'elements' && place !== chosen && visit(undefined, outer)) return true;
    if (place !== chosen) return false;
    if (at + 1 === path.length) return visit(element, outer);
    if (isDoc(element)) return step(element, path, at + 1, leaf, outer, visit);
    return Array.isArray(element) && throughArray(element, path, at + 1, leaf, outer, visit);
  });
}

function visitLeaf(value: Value, leaf: LeafArrays, index: number | undefined, visit: Visit): boolean {
  if (!Array.isArray(value) || leaf === 'whole') return visit(value, index);
  if (leaf === 'elements' && value.length === 0) return visit(EMPTY, index ?? 0);
  return value.some((element, place) => visit(element, index ?? place)) || (leaf === 'expand' && visit(value, index));
}
