import { ObjectId } from 'bson';
import { decode } from '../bson/decode.ts';
import { check } from '../bson/mongo-error.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import type { Hit, Matcher } from '../query/match.ts';
import type { Variables } from '../query/expression.ts';
import type { Collection } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { insertRow, updateRow } from '../storage/rows.ts';
import { blob } from '../storage/sqlite.ts';
import { compileUpdate, isOperatorUpdate, type Updater } from '../update/apply-update.ts';
import { equalitiesOf } from '../update/upsert.ts';
import type { Arguments } from './arguments.ts';

/** A stored document with its row id. */
export interface StoredRow {
  readonly id: number;
  readonly bytes: Buffer;
  readonly doc: Doc;
}

/** Reads an update and its array filters, and whether it replaces the document. */
export function readUpdate(
  args: Arguments,
  name: string,
  variables: Variables,
): { apply: Updater; isReplacement: boolean } {
  const source = args.value(name) ?? null;
  const arrayFilters = args.has('arrayFilters') ? args.array('arrayFilters') : [];
  return {
    apply: compileUpdate(source, arrayFilters, variables),
    isReplacement: isDoc(source) && !isOperatorUpdate(source),
  };
}

/** Reads one row. */
export function readRow(connection: Connection, collection: Collection, id: number): StoredRow | undefined {
  const row = connection.get(`SELECT doc FROM c${collection.id} WHERE id = ?`, id);
  if (!row) return undefined;
  const bytes = blob(row.doc);
  return { id, bytes, doc: decode(bytes) };
}

/** Applies an update to a row; returns the document after it and whether anything changed. */
export function modifyRow(
  connection: Connection,
  collection: Collection,
  row: StoredRow,
  matches: Matcher,
  update: Updater,
): { after: Doc; changed: boolean } {
  const hit: Hit = {};
  matches(row.doc, hit);
  const after = update(row.doc, { index: hit.index, isInsert: false });
  const current = findCollection(connection, collection.db, collection.name) ?? collection;
  return { after, changed: updateRow(connection, current, row.id, row.doc, after, row.bytes) };
}

/** Inserts the document of an upsert whose filter found nothing. */
export function upsertRow(
  connection: Connection,
  collection: Collection,
  filter: Doc,
  update: Updater,
  isReplacement: boolean,
): { doc: Doc; id: Value } {
  const base = equalitiesOf(filter, isReplacement);
  const doc = withId(update(base, { index: undefined, isInsert: true }));
  insertRow(connection, collection, doc);
  return { doc, id: doc.get('_id') ?? null };
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
