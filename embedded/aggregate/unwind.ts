import { Long } from 'bson';
import { check } from '../bson/mongo-error.ts';
import { isDoc, setOrDelete, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { valueAt } from '../query/path.ts';
import type { Stream } from './stage.ts';

/** Prepares `$unwind`: one document for each element of an array. */
export function compileUnwind(operand: Value): Stream {
  const spec = isDoc(operand) ? operand : new Map([['path', operand]]);
  const path = spec.get('path');
  const message = "path option to $unwind stage should be prefixed with a '$'";
  check(typeof path === 'string' && path.startsWith('$'), 'BadValue', message);
  const parts = path.slice(1).split('.');
  const keepEmpty = spec.get('preserveNullAndEmptyArrays') === true;
  const indexName = spec.get('includeArrayIndex');
  const numbered = (doc: Doc, index: Value): Doc =>
    typeof indexName === 'string' ? replaceAt(doc, indexName.split('.'), index) : doc;
  return function* (docs) {
    for (const doc of docs) {
      const value = valueAt(doc, parts);
      if (Array.isArray(value) && value.length > 0) {
        for (const [index, element] of value.entries())
          yield numbered(replaceAt(doc, parts, element), Long.fromNumber(index));
      } else if (value !== undefined && value !== null && !Array.isArray(value)) yield numbered(doc, null);
      else if (keepEmpty) yield numbered(Array.isArray(value) ? replaceAt(doc, parts, undefined) : doc, null);
    }
  };
}

/** A copy of a document with another value at a path of documents. */
export function replaceAt(doc: Doc, [part = '', ...rest]: readonly string[], value: OptionalValue): Doc {
  const copy: Doc = new Map(doc);
  const inner = doc.get(part);
  const after = rest.length === 0 ? value : replaceAt(isDoc(inner) ? inner : new Map(), rest, value);
  setOrDelete(copy, part, after);
  return copy;
}
