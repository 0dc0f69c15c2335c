import { decode } from '../bson/decode.ts';
import { compareValues, keyOf } from '../bson/key.ts';
import type { Value } from '../bson/value.ts';
import { visitPath } from './path.ts';

/** The different values documents have at a path, the elements of arrays one by one, in order. */
export function distinctValues(documents: Iterable<Buffer>, path: string): Value[] {
  const parts = path.split('.');
  const values = new Map<string, Value>();
  for (const bytes of documents) {
    visitPath(decode(bytes), parts, 'expand', (value, index) => {
      const isWholeArray = Array.isArray(value) && index === undefined;
      if (value !== undefined && !isWholeArray) values.set(keyOf(value).toString('latin1'), value);
      return false;
    });
  }
  return [...values.values()].sort(compareValues);
}
