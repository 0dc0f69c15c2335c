import { BSONRegExp } from 'bson';
import { MongoError } from '../bson/mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Value } from '../bson/value.ts';
import { valueAt } from '../query/path.ts';
import { isOperators } from '../query/value-tests.ts';
import { changePath } from './change-path.ts';

/** The document an upsert starts from: what the filter says by equality, or only the `_id` for a replacement. */
export function equalitiesOf(filter: Doc, isReplacement: boolean): Doc {
  const doc: Doc = new Map();
  for (const [path, value] of equalities(filter)) {
    if (isReplacement && path !== '_id') continue;
    const parts = path.split('.');
    if (valueAt(doc, parts) !== undefined)
      throw new MongoError('NotSingleValueField', `cannot infer query fields to set, path '${path}' is matched twice`);
    changePath(doc, parts, { creates: true, apply: () => value }, { index: undefined, filters: new Map() });
  }
  return doc;
}

function equalities(filter: Doc): Array<[string, Value]> {
  return [...filter].flatMap(([name, operand]): Array<[string, Value]> => {
    if (name === '$and' && Array.isArray(operand)) return operand.filter(isDoc).flatMap(equalities);
    if (name === '$or' && Array.isArray(operand) && operand.length === 1)
      return operand.filter(isDoc).flatMap(equalities);
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
