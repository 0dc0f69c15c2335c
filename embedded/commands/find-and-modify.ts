import { MongoError } from '../mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, Value } from '../bson/value.ts';
import { compileFilter } from '../query/match.ts';
import { compileProjection } from '../query/project.ts';
import { findCollection, needCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { deleteRow } from '../storage/rows.ts';
import { compileUpdate, isOperatorUpdate } from '../update/apply-update.ts';
import type { Arguments } from './arguments.ts';
import { checkHint, doc, ok, readContext } from './command.ts';
import type { Handler } from './command.ts';
import { modifyRow, readRow, selectIds, upsertRow } from './modify.ts';

/** Answers findAndModify. */
export const findAndModify: Handler = ({ args, db, store, name }) => {
  const collection = args.string(name);
  if (args.flag('remove') === args.has('update'))
    throw new MongoError('FailedToParse', 'Either an update or remove=true must be specified, and not both');
  if (args.flag('remove') && args.flag('new'))
    throw new MongoError(
      'FailedToParse',
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  return store.write((writer) =>
    args.flag('remove') ? removeOne(writer, db, collection, args) : changeOne(writer, db, collection, args),
  );
};

function removeOne(writer: Connection, db: string, name: string, args: Arguments): Doc {
  const { collection, row } = findOne(writer, db, name, args);
  if (!collection || !row) return ok({ lastErrorObject: doc({ n: 0 }), value: null });
  const value = projected(args, row.doc);
  deleteRow(writer, collection, row.id);
  return ok({ lastErrorObject: doc({ n: 1 }), value });
}

function changeOne(writer: Connection, db: string, name: string, args: Arguments): Doc {
  const source = args.value('update') ?? null;
  const apply = compileUpdate(
    source,
    args.has('arrayFilters') ? args.array('arrayFilters') : [],
    readContext(args).variables,
  );
  const filter = args.docOrEmpty('query');
  const { collection, row } = findOne(writer, db, name, args);
  if (collection && row) {
    const { after } = modifyRow(writer, collection, row, filter, readContext(args), apply);
    return ok({
      lastErrorObject: doc({ n: 1, updatedExisting: true }),
      value: projected(args, args.flag('new') ? after : row.doc),
    });
  }
  if (!args.flag('upsert')) return ok({ lastErrorObject: doc({ n: 0, updatedExisting: false }), value: null });
  const upserted = upsertRow(
    writer,
    needCollection(writer, db, name),
    filter,
    apply,
    isDoc(source) && !isOperatorUpdate(source),
  );
  const lastErrorObject = doc({ n: 1, updatedExisting: false, upserted: upserted.id });
  return ok({ lastErrorObject, value: args.flag('new') ? projected(args, upserted.doc) : null });
}

function findOne(writer: Connection, db: string, name: string, args: Arguments) {
  const filter = args.docOrEmpty('query');
  const context = readContext(args);
  compileFilter(filter, context);
  const collection = findCollection(writer, db, name);
  checkHint(collection, args.value('hint'));
  const [id] = collection
    ? selectIds(writer, collection, { filter, sort: args.optionalDoc('sort'), limit: 1, context })
    : [];
  return { collection, row: collection && id !== undefined ? readRow(writer, collection, id) : undefined };
}

function projected(args: Arguments, value: Doc): Value {
  const projection = args.optionalDoc('fields');
  if (!projection?.size) return value;
  const context = readContext(args);
  return compileProjection(projection, {
    isFind: true,
    variables: context.variables,
    matcher: compileFilter(args.docOrEmpty('query'), context),
  })(value);
}
