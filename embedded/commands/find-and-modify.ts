import { check } from '../bson/mongo-error.ts';
import { mapOf, type Doc, type Value } from '../bson/value.ts';
import { selectIds, type Selection } from '../search/select.ts';
import { needCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { deleteRow, readRow } from '../storage/rows.ts';
import type { Arguments } from './arguments.ts';
import { hintedCollection, ok, readContext, readSelection, type Command, type Handler } from './command.ts';
import { readProjection } from './find.ts';
import { modifyRow, readUpdate, upsertRow } from './modify.ts';

/** Answers findAndModify. */
export const findAndModify: Handler = (command) => {
  const { args, store, name } = command;
  args.string(name);
  const removes = args.flag('remove');
  const message = 'Either an update or remove=true must be specified, and not both';
  check(removes !== args.has('update'), 'FailedToParse', message);
  check(
    !removes || !args.flag('new'),
    'FailedToParse',
    "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
  );
  return store.write((writer) =>
    removes ? removeOne(command, writer) : writer.atomically(() => changeOne(command, writer)),
  );
};

function removeOne(command: Command, writer: Connection): Doc {
  const selection = { ...readSelection(command.args, 'query'), limit: 1 };
  const { collection, row } = findOne(command, writer, selection);
  if (!collection || !row) return ok({ lastErrorObject: mapOf({ n: 0 }), value: null });
  const value = projected(command.args, selection, row.doc);
  deleteRow(writer, collection, row.id);
  return ok({ lastErrorObject: mapOf({ n: 1 }), value });
}

function changeOne(command: Command, writer: Connection): Doc {
  const { args, db, name } = command;
  const context = readContext(args);
  const update = readUpdate(args, 'update', context.variables);
  const selection = { ...readSelection(args, 'query', context), limit: 1 };
  const { collection, row } = findOne(command, writer, selection);
  if (collection && row) {
    const { after } = modifyRow(writer, collection, row, selection.matcher, update);
    const value = projected(args, selection, args.flag('new') ? after : row.doc);
    return ok({ lastErrorObject: mapOf({ n: 1, updatedExisting: true }), value });
  }
  if (!args.flag('upsert')) return ok({ lastErrorObject: mapOf({ n: 0, updatedExisting: false }), value: null });
  const target = needCollection(writer, db, args.string(name));
  const upserted = upsertRow(writer, target, selection.filter, update);
  const lastErrorObject = mapOf({ n: 1, updatedExisting: false, upserted: upserted.get('_id') ?? null });
  return ok({ lastErrorObject, value: args.flag('new') ? projected(args, selection, upserted) : null });
}

function findOne(command: Command, writer: Connection, selection: Selection) {
  const collection = hintedCollection(command, writer);
  const [id] = collection ? selectIds(writer, collection, selection) : [];
  return { collection, row: collection && id !== undefined ? readRow(writer, collection, id) : undefined };
}

function projected(args: Arguments, selection: Selection, value: Doc): Value {
  return readProjection(args.optionalDoc('fields'), selection)?.(value) ?? value;
}
