import { ObjectId } from 'bson';
import { check } from '../bson/mongo-error.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import type { Hit, Matcher } from '../query/match.ts';
import type { Variables } from '../query/expression.ts';
import type { Collection } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { insertRow, updateRow, type StoredRow } from '../storage/rows.ts';
import { compileUpdate, isOperatorUpdate, type Updater } from '../update/apply-update.ts';
import { equalitiesOf } from '../update/upsert.ts';
import type { Arguments } from './arguments.ts';

/** An update that is prepared. */
export interface DocumentUpdate {
  readonly apply: Updater;
  /** True where it replaces the document. */
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
