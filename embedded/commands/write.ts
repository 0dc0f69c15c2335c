import { MAX_BSON_SIZE } from '../bson/codec.ts';
import { check, checkForm, MongoError } from '../bson/mongo-error.ts';
import { mapOf, type Doc, type Value } from '../bson/value.ts';
import { compileProjection } from '../query/project.ts';
import { rowsFound, selectIds, type Selection } from '../search/select.ts';
import { needCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { deleteRow, insertKeys, insertRow, type LateKeys } from '../storage/rows.ts';
import { Arguments } from './arguments.ts';
import { hintedCollection, ok, readContext, readSelection, type Command, type Handler } from './command.ts';
import { readProjection } from './find.ts';
import { modifyRow, readUpdate, upsertRow, withId } from './modify.ts';

/** Answers insert. */
export const insert: Handler = ({ args, db, store, raw }) => {
  const name = args.string('insert');
  const docs = args.docs('documents');
  return store.write((writer) => {
    needCollection(writer, db, name);
    const totals = { n: 0 };
    const late: LateKeys = new Map();
    const reply = runBatch(args, docs, totals, (document) => {
      const stored = withId(document);
      const bytes = stored === document ? raw.get(document) : undefined;
      const size = bytes?.length ?? 0;
      check(size <= MAX_BSON_SIZE, 'BSONObjectTooLarge', `object to insert too large. size in bytes: ${size}`);
      insertRow(writer, needCollection(writer, db, name), stored, bytes, late);
      totals.n += 1;
    });
    insertKeys(writer, late);
    return reply;
  });
};

/** Answers update. */
export const update: Handler = (command) => {
  const { args, store } = command;
  args.string('update');
  const statements = args.docs('updates').map((statement) => new Arguments(statement));
  return store.write((writer) => {
    const totals: { n: number; nModified: number; upserted?: Doc[] } = { n: 0, nModified: 0 };
    return runBatch(args, statements, totals, (statement, index) => {
      const { matched, modified, upserted } = updateOne(command, writer, statement);
      totals.n += matched + (upserted ? 1 : 0);
      totals.nModified += modified;
      if (upserted) totals.upserted = [...(totals.upserted ?? []), mapOf({ index, _id: upserted.get('_id') ?? null })];
    });
  });
};

/** Answers delete. */
export const remove: Handler = (command) => {
  const { args, store } = command;
  args.string('delete');
  const statements = args.docs('deletes').map((statement) => new Arguments(statement));
  return store.write((writer) => {
    const totals = { n: 0 };
    return runBatch(args, statements, totals, (statement) => {
      const selection = readSelection(statement, 'q', readContext(args, statement));
      const collection = hintedCollection(command, writer, statement);
      if (!collection) return;
      for (const id of selectIds(writer, collection, selection)) {
        deleteRow(writer, collection, id);
        totals.n += 1;
      }
    });
  });
};

interface UpdateOutcome {
  readonly matched: number;
  readonly modified: number;
  readonly upserted?: Doc;
}

function updateOne(command: Command, writer: Connection, statement: Arguments): UpdateOutcome {
  const { args, db, name } = command;
  const context = readContext(args, statement);
  const update = readUpdate(statement, 'u', context.variables);
  const multi = statement.flag('multi');
  checkForm(!multi || !update.isReplacement, 'multi update is not supported for replacement-style update');
  check(!statement.doc.has('sort'), 'Location40415', "BSON field 'update.updates.sort' is an unknown field.");
  const selection = { ...readSelection(statement, 'q', context), limit: multi ? 0 : 1 };
  const { filter, matcher } = selection;
  const collection = hintedCollection(command, writer, statement);
  let [matched, modified] = [0, 0];
  for (const row of collection ? rowsFound(writer, collection, selection) : []) {
    matched += 1;
    if (collection && modifyRow(writer, collection, row, matcher, update).changed) modified += 1;
  }
  if (matched > 0 || !statement.flag('upsert')) return { matched, modified };
  const target = needCollection(writer, db, args.string(name));
  return { matched: 0, modified: 0, upserted: upsertRow(writer, target, filter, update) };
}

/** Answers findAndModify. */
export const findAndModify: Handler = (command) => {
  const { args, store, name } = command;
  args.string(name);
  const removes = args.flag('remove');
  const message = 'Either an update or remove=true must be specified, and not both';
  checkForm(removes !== args.doc.has('update'), message);
  const contradiction = "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document";
  checkForm(!removes || !args.flag('new'), contradiction);
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
  const [row] = collection ? rowsFound(writer, collection, selection) : [];
  return { collection, row };
}

function projected(args: Arguments, selection: Selection, value: Doc): Value {
  return readProjection(compileProjection, args.optionalDoc('fields'), selection)?.(value) ?? value;
}

/** Runs the statements of a write command and answers with the totals. One that fails ends an ordered batch. */
function runBatch<T>(
  args: Arguments,
  statements: readonly T[],
  totals: Record<string, Value>,
  run: (statement: T, index: number) => void,
): Doc {
  const message = 'Write batch sizes must be between 1 and 100000';
  check(statements.length > 0 && statements.length <= 100_000, 'InvalidLength', message);
  const writeErrors: Doc[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      run(statement, index);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      writeErrors.push(new Map<string, Value>([['index', index], ...errorFields(error)]));
      if (args.value('ordered') !== false) break;
    }
  }
  return ok({ ...totals, ...(writeErrors.length > 0 ? { writeErrors } : {}) });
}

/** The fields of an error in an answer. */
export function errorFields(error: MongoError): Array<[string, Value]> {
  return [['code', error.code], ['codeName', error.codeName], ['errmsg', error.message], ...error.details];
}
