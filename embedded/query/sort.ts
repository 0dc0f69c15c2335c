import { EMPTY_ARRAY_KEY, NULL_KEY, keyOf } from '../bson/key.ts';
import { isNumeric, toNumber } from '../bson/numbers.ts';
import { isDoc, type Doc } from '../bson/value.ts';
import { check, unsupported } from '../bson/mongo-error.ts';
import { EMPTY, visitPath } from './path.ts';

/** The paths to sort by, in order; `$natural` is the order of insertion. */
export type SortKeys = ReadonlyArray<{
  readonly path: string;
  readonly parts: readonly string[];
  readonly direction: 1 | -1;
}>;

/** Reads a sort specification. */
export function parseSort(sort: Doc): SortKeys {
  return [...sort].map(([path, direction]) => {
    if (isDoc(direction)) throw unsupported('Sorting by $meta');
    const order = isNumeric(direction) ? toNumber(direction) : 0;
    const message = '$sort key ordering must be 1 (for ascending) or -1 (for descending)';
    check(order === 1 || order === -1, 'BadValue', message);
    return { path, parts: path.split('.'), direction: order };
  });
}

/** Every key an index has for a document at a path, and whether an array was on the way. */
export function indexKeys(doc: Doc, parts: readonly string[]): { keys: Buffer[]; multikey: boolean } {
  const field = parts.length === 1 ? doc.get(parts[0] ?? '') : EMPTY;
  if (!Array.isArray(field)) return { keys: [field === undefined ? NULL_KEY : keyOf(field)], multikey: false };
  const keys = new Map<string, Buffer>();
  let multikey = false;
  visitPath(doc, parts, 'elements', (value, index) => {
    multikey ||= index !== undefined;
    const key = value === undefined ? NULL_KEY : value === EMPTY ? EMPTY_ARRAY_KEY : keyOf(value);
    if (!multikey) keys.set('', key);
    else keys.set(key.toString('latin1'), key);
    return false;
  });
  return keys.size > 0 ? { keys: [...keys.values()], multikey } : { keys: [NULL_KEY], multikey: true };
}

/** The key a document sorts by at a path: of an array, the least or the greatest element. */
export function sortKey(doc: Doc, parts: readonly string[], direction: 1 | -1): Buffer {
  const { keys } = indexKeys(doc, parts);
  return keys.reduce((best, key) => (Buffer.compare(key, best) * direction < 0 ? key : best));
}

/** Compares two documents by a sort specification. */
export function compareDocs(sort: SortKeys): (a: Doc, b: Doc) => number {
  return (a, b) => {
    for (const { parts, direction } of sort) {
      const order = Buffer.compare(sortKey(a, parts, direction), sortKey(b, parts, direction)) * direction;
      if (order !== 0) return order;
    }
    return 0;
  };
}
