import { BSONRegExp } from 'bson';
import { check } from '../bson/mongo-error.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import { valueAt } from '../query/path.ts';
import { isOperators } from '../query/value-tests.ts';
import { changePath } from './change-path.ts';

/** The document an upsert starts from: the equalities of the filter, or only the `_id` for a replacement. */
export function equalitiesOf(filter: Doc, isReplacement: boolean): Doc {
  const doc: Doc = new Map();
  for (const [path, value] of equalities(filter)) {
    if (isReplacement && path !== '_id') continue;
    const parts = path.split('.');
    const isNew = valueAt(doc, parts) === undefined;
    check(isNew, 'NotSingleValueField', `cannot infer query fields to set, path '${path}' is matched twice`);
    changePath(doc, parts, { creates: true, apply: () => value }, { index: undefined, filters: new Map() });
  }
  return doc;
}

function equalities(filter: Doc): Array<[string, Value]> {
  return [...filter].flatMap(([name, operand]): Array<[string, Value]> => {
    const isSingle = name === '$or' && Array.isArray(operand) && operand.length === 1;
    if (Array.isArray(operand) && (name === '$and' || isSingle)) return operand.filter(isDoc).flatMap(equalities);
    if (name.startsWith('$') || operand instanceof BSONRegExp) return [];
    if (!isOperators(operand)) return [[name, operand]];
    const equal = operand.get('$eq');
    if (equal !== undefined) return [[name, equal]];
    const [only, ...others] = [operand.get('$in'), operand.get('$all')].flatMap((list) =>
      Array.isArray(list) ? list : [],
    );
    return only === undefined || others.length > 0 || isDoc(only) || only instanceof BSONRegExp ? [] : [[name, only]];
  });
}
