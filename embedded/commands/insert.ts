import { ObjectId } from 'bson';
import { MongoError } from '../bson/mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Value } from '../bson/value.ts';
import { MAX_BSON_SIZE } from '../bson/encode.ts';
import { needCollection } from '../storage/collections.ts';
import { insertRow } from '../storage/rows.ts';
import type { Handler } from './command.ts';
import { batchReply, runBatch } from './write-batch.ts';

/** Answers insert. */
export const insert: Handler = ({ args, db, store, raw }) => {
  const name = args.string('insert');
  const docs = args.docs('documents');
  return store.write((writer) => {
    needCollection(writer, db, name);
    let n = 0;
    const errors = runBatch(docs, args.value('ordered') !== false, (doc) => {
      const stored = withId(doc);
      const bytes = stored === doc ? raw.get(doc) : undefined;
      if (bytes && bytes.length > MAX_BSON_SIZE)
        throw new MongoError('BSONObjectTooLarge', `object to insert too large. size in bytes: ${bytes.length}`);
      insertRow(writer, needCollection(writer, db, name), stored, bytes);
      n += 1;
    });
    return batchReply({ n }, errors);
  });
};

/** A document as MongoDB stores it: with an `_id`, and that first. */
export function withId(doc: Doc): Doc {
  const id = doc.get('_id');
  checkId(id);
  if (id !== undefined && doc.keys().next().value === '_id') return doc;
  return new Map<string, Value>([
    ['_id', id === undefined ? new ObjectId() : id],
    ...[...doc].filter(([name]) => name !== '_id'),
  ]);
}

function checkId(id: Value | undefined): void {
  if (Array.isArray(id)) throw new MongoError('Location53', "The '_id' value cannot be of type array");
  const name = isDoc(id)
    ? [...id.keys()].find((key) => key.startsWith('$') && !['$ref', '$id', '$db'].includes(key))
    : undefined;
  if (name)
    throw new MongoError(
      'DollarPrefixedFieldName',
      `_id fields may not contain '$'-prefixed fields: ${name} is not valid for storage.`,
    );
}
