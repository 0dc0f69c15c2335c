import { decode } from '../bson/decode.ts';
import { compareValues, keyOf } from '../bson/key.ts';
import type { Value } from '../bson/value.ts';
import { visitPath } from '../query/path.ts';

/** The different values documents have at a path, the elements of arrays one by one, in order. */
export function distinctValues(documents: Iterable<Buffer>, path: string, collator?: Intl.Collator): Value[] {
  const parts = path.split('.');
  const values = new Map<string, Value>();
  for (const bytes of documents) {
    visitPath(decode(bytes), parts, 'expand', (value, index) => {
      const isWholeArray = Array.isArray(value) && index === undefined;
      if (value !== undefined && !isWholeArray) values.set(keyOf(value).toString('latin1'), value);
      return false;
    });
  }
  const sorted = [...values.values()].sort(compareValues);
  if (!collator) return sorted;
  const same = (a: Value, b: Value) => typeof a === 'string' && typeof b === 'string' && collator.compare(a, b) === 0;
  return sorted.filter((value, place) => sorted.findIndex((other) => other === value || same(other, value)) === place);
}
