import { ObjectId } from 'bson';
import { MAX_BSON_SIZE } from '../bson/encode.ts';
import { check } from '../bson/mongo-error.ts';
import { isDoc, type Doc, type Value } from '../bson/value.ts';
import { needCollection } from '../storage/collections.ts';
import { insertRow } from '../storage/rows.ts';
import type { Handler } from './command.ts';
import { runBatch } from './write-batch.ts';

/** Answers insert. */
export const insert: Handler = ({ args, db, store, raw }) => {
  const name = args.string('insert');
  const docs = args.docs('documents');
  return store.write((writer) => {
    needCollection(writer, db, name);
    const totals = { n: 0 };
    return runBatch(args, docs, totals, (doc) => {
      const stored = withId(doc);
      const bytes = stored === doc ? raw.get(doc) : undefined;
      const size = bytes?.length ?? 0;
      check(size <= MAX_BSON_SIZE, 'BSONObjectTooLarge', `object to insert too large. size in bytes: ${size}`);
      insertRow(writer, needCollection(writer, db, name), stored, bytes);
      totals.n += 1;
    });
  });
};

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
  check(
    !name,
    'DollarPrefixedFieldName',
    `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`,
  );
}
