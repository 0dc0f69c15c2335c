import { check } from '../bson/mongo-error.ts';
import { isDoc, type Doc, type OptionalValue, type Value } from '../bson/value.ts';

/** Called with each value a path reaches; `index` is the place in the outermost array passed. Return true to stop. */
export type Visit = (value: OptionalValue, index: number | undefined) => boolean;

/**
 * Treatment of an array at the end of a path: visit its elements and then itself (as filters do), only itself, or only
 * its elements (as indexes do, which visit missing fields within arrays too: see EMPTY).
 */
export type LeafArrays = 'expand' | 'whole' | 'elements';

/** Visited instead of the elements of an empty array. */
export const EMPTY: Value[] = [];

/** Returns true if a path part can be a place in an array. */
export function isIndex(part: string): boolean {
  return /^(0|[1-9]\d*)$/.test(part);
}

/** Returns true if a stage may give a field such a name: not a path, nor a reference. */
export function isFieldName(name: string): boolean {
  return name !== '' && !name.startsWith('$') && !name.includes('.');
}

/** Throws unless a stage may set a field at a path. */
export function checkFieldPath(path: readonly string[]): void {
  const isValid = path.every((part) => part !== '' && !part.startsWith('$'));
  check(isValid, 'Location40353', `'${path.join('.')}' is not a valid field path`);
}

/** The value at a path that goes through documents only; undefined if there is none. */
export function valueAt(doc: Doc, path: readonly string[]): OptionalValue {
  let value: OptionalValue = doc;
  for (const part of path) {
    if (!isDoc(value)) return undefined;
    value = value.get(part);
  }
  return value;
}

/** Visits every value a dotted path reaches, through arrays as MongoDB's filters do; returns true if a visit stopped. */
export function visitPath(doc: Doc, path: readonly string[], leaf: LeafArrays, visit: Visit): boolean {
  return step({ path, leaf, visit }, doc, 0, undefined);
}

interface Walk {
  readonly path: readonly string[];
  readonly leaf: LeafArrays;
  readonly visit: Visit;
}

function step(walk: Walk, value: Value, at: number, index: number | undefined): boolean {
  const part = walk.path[at];
  if (part === undefined) return visitLeaf(walk, value, index);
  const field = isDoc(value) ? value.get(part) : undefined;
  if (field === undefined) return walk.visit(undefined, index);
  return Array.isArray(field) ? throughArray(walk, field, at + 1, index) : step(walk, field, at + 1, index);
}

function throughArray(walk: Walk, array: Value[], at: number, index: number | undefined): boolean {
  const { path, leaf, visit } = walk;
  const part = path[at];
  if (part === undefined) return visitLeaf(walk, array, index);
  const chosen = isIndex(part) ? Number(part) : -1;
  return array.some((element, place) => {
    const outer = index ?? place;
    if (isDoc(element)) {
      if (step(walk, element, at, outer)) return true;
    } else if (leaf === 'elements' && place !== chosen && visit(undefined, outer)) return true;
    if (place !== chosen) return false;
    if (at + 1 === path.length) return visit(element, outer);
    if (isDoc(element)) return step(walk, element, at + 1, outer);
    return Array.isArray(element) && throughArray(walk, element, at + 1, outer);
  });
}

function visitLeaf({ leaf, visit }: Walk, value: Value, index: number | undefined): boolean {
  if (!Array.isArray(value) || leaf === 'whole') return visit(value, index);
  if (leaf === 'elements' && value.length === 0) return visit(EMPTY, index ?? 0);
  return value.some((element, place) => visit(element, index ?? place)) || (leaf === 'expand' && visit(value, index));
}
