import { BSONRegExp, ObjectId } from 'bson';
import { check } from '../bson/mongo-error.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import type { Hit, Matcher } from '../query/match.ts';
import type { Variables } from '../query/expression.ts';
import { valueAt } from '../query/path.ts';
import { isOperators } from '../query/value-tests.ts';
import type { Collection } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { insertRow, updateRow, type StoredRow } from '../storage/rows.ts';
import { compileUpdate, isOperatorUpdate, type Updater } from '../update/apply-update.ts';
import { changePath } from '../update/change-path.ts';
import type { Arguments } from './arguments.ts';

/** An update that is prepared. */
interface DocumentUpdate {
  readonly apply: Updater;
  /** True if it replaces the document. */
  readonly isReplacement: boolean;
}

/** Reads an update and its array filters. */
export function readUpdate(args: Arguments, name: string, variables: Variables): DocumentUpdate {
  const source = args.value(name) ?? null;
  const arrayFilters = args.doc.has('arrayFilters') ? args.array('arrayFilters') : [];
  const isReplacement = isDoc(source) && !isOperatorUpdate(source);
  return { apply: compileUpdate(source, arrayFilters, variables), isReplacement };
}

/** Applies an update to a row that a filter has found; returns the document after it and whether anything changed. */
export function modifyRow(
  connection: Connection,
  collection: Collection,
  row: StoredRow,
  matches: Matcher,
  { apply }: DocumentUpdate,
): { after: Doc; changed: boolean } {
  const hit: Hit = {};
  matches(row.doc, hit);
  const after = apply(row.doc, { index: hit.index, isInsert: false });
  const current = findCollection(connection, collection.db, collection.name) ?? collection;
  return { after, changed: updateRow(connection, current, row, after) };
}

/** Inserts the document of an upsert whose filter found nothing; returns it. */
export function upsertRow(connection: Connection, collection: Collection, filter: Doc, update: DocumentUpdate): Doc {
  const base = equalitiesOf(filter, update.isReplacement);
  const doc = withId(update.apply(base, { index: undefined, isInsert: true }));
  insertRow(connection, collection, doc);
  return doc;
}

/** The document an upsert starts from: the equalities of the filter, or only the `_id` for a replacement. */
function equalitiesOf(filter: Doc, isReplacement: boolean): Doc {
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

/** A document as MongoDB stores it: with an `_id`, and that first. */
export function withId(doc: Doc): Doc {
  const id = doc.get('_id');
  checkId(id);
  if (id !== undefined && doc.keys().next().value === '_id') return doc;
  const others = [...doc].filter(([name]) => name !== '_id');
  return new Map<string, Value>([['_id', id === undefined ? new ObjectId() : id], ...others]);
}

function checkId(id: Value | undefined): void {
  check(!Array.isArray(id), 'Location53', "The '_id' value cannot be of type array");
  const name = isDoc(id)
    ? [...id.keys()].find((key) => key.startsWith('$') && !['$ref', '$id', '$db'].includes(key))
    : undefined;
  const message = `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`;
  check(!name, 'DollarPrefixedFieldName', message);
}
