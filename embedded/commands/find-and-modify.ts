import { MongoError } from '../bson/mongo-error.ts';
import type { Doc, Value } from '../bson/value.ts';
import { compileFilter } from '../query/match.ts';
import type { Selection } from '../search/select.ts';
import { findCollection, needCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { deleteRow } from '../storage/rows.ts';
import type { Arguments } from './arguments.ts';
import { checkHint, doc, ok, readContext } from './command.ts';
import type { Handler } from './command.ts';
import { readProjection } from './find.ts';
import { modifyRow, readRow, readUpdate, selectIds, upsertRow } from './modify.ts';

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
    args.flag('remove')
      ? removeOne(writer, db, collection, args)
      : writer.wholly(() => changeOne(writer, db, collection, args)),
  );
};

function removeOne(writer: Connection, db: string, name: string, args: Arguments): Doc {
  const selection = selectionOfOne(args);
  const { collection, row } = findOne(writer, db, name, args, selection);
  if (!collection || !row) return ok({ lastErrorObject: doc({ n: 0 }), value: null });
  const value = projected(args, selection, row.doc);
  deleteRow(writer, collection, row.id);
  return ok({ lastErrorObject: doc({ n: 1 }), value });
}

function changeOne(writer: Connection, db: string, name: string, args: Arguments): Doc {
  const context = readContext(args);
  const { apply, isReplacement } = readUpdate(args, 'update', context.variables);
  const selection = selectionOfOne(args, context);
  const { collection, row } = findOne(writer, db, name, args, selection);
  if (collection && row) {
    const { after } = modifyRow(writer, collection, row, selection.matcher, apply);
    return ok({
      lastErrorObject: doc({ n: 1, updatedExisting: true }),
      value: projected(args, selection, args.flag('new') ? after : row.doc),
    });
  }
  if (!args.flag('upsert')) return ok({ lastErrorObject: doc({ n: 0, updatedExisting: false }), value: null });
  const upserted = upsertRow(writer, needCollection(writer, db, name), selection.filter, apply, isReplacement);
  const lastErrorObject = doc({ n: 1, updatedExisting: false, upserted: upserted.id });
  return ok({ lastErrorObject, value: args.flag('new') ? projected(args, selection, upserted.doc) : null });
}

function selectionOfOne(args: Arguments, context = readContext(args)) {
  const filter = args.docOrEmpty('query');
  return { filter, matcher: compileFilter(filter, context), sort: args.optionalDoc('sort'), limit: 1, context };
}

function findOne(writer: Connection, db: string, name: string, args: Arguments, selection: Selection) {
  const collection = findCollection(writer, db, name);
  checkHint(collection, args.value('hint'));
  const [id] = collection ? selectIds(writer, collection, selection) : [];
  return { collection, row: collection && id !== undefined ? readRow(writer, collection, id) : undefined };
}

function projected(args: Arguments, selection: Selection, value: Doc): Value {
  return readProjection(args.optionalDoc('fields'), selection)?.(value) ?? value;
}
