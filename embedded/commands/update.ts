import { MongoError } from '../bson/mongo-error.ts';
import type { Doc, Value } from '../bson/value.ts';
import type { FilterContext } from '../query/filter-context.ts';
import { compileFilter } from '../query/match.ts';
import { findCollection, needCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { deleteRow } from '../storage/rows.ts';
import { Arguments } from './arguments.ts';
import { checkHint, doc, readContext } from './command.ts';
import type { Handler } from './command.ts';
import { modifyRow, readRow, readUpdate, selectIds, upsertRow } from './modify.ts';
import { batchReply, runBatch } from './write-batch.ts';

/** Answers update. */
export const update: Handler = ({ args, db, store }) => {
  const name = args.string('update');
  const statements = args.docs('updates').map((statement) => new Arguments(statement));
  return store.write((writer) => {
    const totals = { n: 0, nModified: 0 };
    const upserted: Doc[] = [];
    const errors = runBatch(statements, args.value('ordered') !== false, (statement, index) => {
      const outcome = updateOne(writer, db, name, statement, readContext(args, statement));
      totals.n += outcome.matched + (outcome.upserted ? 1 : 0);
      totals.nModified += outcome.modified;
      if (outcome.upserted) upserted.push(doc({ index, _id: outcome.upserted.id }));
    });
    return batchReply({ ...totals, ...(upserted.length > 0 ? { upserted } : {}) }, errors);
  });
};

/** Answers delete. */
export const remove: Handler = ({ args, db, store }) => {
  const name = args.string('delete');
  const statements = args.docs('deletes').map((statement) => new Arguments(statement));
  return store.write((writer) => {
    let n = 0;
    const errors = runBatch(statements, args.value('ordered') !== false, (statement) => {
      const filter = statement.docOrEmpty('q');
      const limit = statement.count('limit') ?? 0;
      const context = readContext(args, statement);
      const matcher = compileFilter(filter, context);
      const collection = findCollection(writer, db, name);
      checkHint(collection, statement.value('hint'));
      if (!collection) return;
      for (const id of selectIds(writer, collection, { filter, matcher, limit, context })) {
        deleteRow(writer, collection, id);
        n += 1;
      }
    });
    return batchReply({ n }, errors);
  });
};

interface UpdateOutcome {
  readonly matched: number;
  readonly modified: number;
  readonly upserted?: { readonly id: Value };
}

function updateOne(
  writer: Connection,
  db: string,
  name: string,
  statement: Arguments,
  context: FilterContext,
): UpdateOutcome {
  const filter = statement.docOrEmpty('q');
  const { apply, isReplacement } = readUpdate(statement, 'u', context.variables);
  const multi = statement.flag('multi');
  if (multi && isReplacement)
    throw new MongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  if (statement.has('sort'))
    throw new MongoError('Location40415', "BSON field 'update.updates.sort' is an unknown field.");
  const matcher = compileFilter(filter, context);
  const collection = findCollection(writer, db, name);
  checkHint(collection, statement.value('hint'));
  const ids = collection ? selectIds(writer, collection, { filter, matcher, limit: multi ? 0 : 1, context }) : [];
  let modified = 0;
  for (const id of ids) {
    const row = collection && readRow(writer, collection, id);
    if (row && modifyRow(writer, collection, row, matcher, apply).changed) modified += 1;
  }
  if (ids.length > 0 || !statement.flag('upsert')) return { matched: ids.length, modified };
  return {
    matched: 0,
    modified: 0,
    upserted: upsertRow(writer, needCollection(writer, db, name), filter, apply, isReplacement),
  };
}
