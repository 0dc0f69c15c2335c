import { MongoError, unsupported } from '../bson/mongo-error.ts';
import { decode } from '../bson/decode.ts';
import { encode } from '../bson/encode.ts';
import type { Doc } from '../bson/value.ts';
import type { Source } from './cursors.ts';
import { distinctValues } from '../search/distinct-values.ts';
import { compileFilter } from '../query/match.ts';
import { compileProjection } from '../query/project.ts';
import type { Projector } from '../query/project.ts';
import { selectSql } from '../search/select.ts';
import type { Selection } from '../search/select.ts';
import type { Collection } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import { blob } from '../storage/sqlite.ts';
import { cursorReply } from '../wire/cursor-reply.ts';
import { Arguments } from './arguments.ts';
import { checkHint, ok, readContext } from './command.ts';
import type { Command, Handler, Reply } from './command.ts';

/** How many documents a first batch has that does not say. */
const FIRST_BATCH = 101;

const REFUSED = ['tailable', 'awaitData', 'returnKey', 'showRecordId', 'min', 'max'];

/** Answers find. */
export const find: Handler = (command) => {
  const { args, db, store } = command;
  const name = args.string('find');
  const selection = readSelection(args);
  const project = readProjection(args.optionalDoc('projection'), selection);
  const size = args.count('batchSize') ?? FIRST_BATCH;
  const namespace = `${db}.${name}`;
  const { limit } = selection;
  if (limit !== undefined && limit > 0 && limit <= size) {
    const batch = store.read((reader) => allDocuments(reader, findFor(reader, args, db, name), selection, project));
    return cursorReply('firstBatch', batch, 0n, namespace);
  }
  const read = (reader: Connection) => documentsOf(reader, findFor(reader, args, db, name), selection, project);
  return openCursor(command, namespace, size, read, { most: limit || undefined, single: args.flag('singleBatch') });
};

function findFor(reader: Connection, args: Arguments, db: string, name: string): Collection | undefined {
  const collection = findCollection(reader, db, name);
  checkHint(collection, args.value('hint'));
  return collection;
}

/** Answers with the first batch of documents read from a snapshot, which lasts as long as the cursor of the others. */
export function openCursor(
  { store, cursors, owner }: Command,
  namespace: string,
  size: number,
  read: (reader: Connection) => Iterator<Buffer>,
  { most, single = false }: { readonly most?: number | undefined; readonly single?: boolean } = {},
): Reply {
  const reader = store.acquire();
  let documents: Iterator<Buffer>;
  try {
    documents = read(reader);
  } catch (error) {
    store.release(reader);
    throw error;
  }
  const source = { namespace, documents, most, end: () => store.release(reader) };
  const { batch, id } = cursors.first(source, owner, size, single);
  return cursorReply('firstBatch', batch, id, namespace);
}

/** Answers getMore. */
export const getMore: Handler = ({ args, db, cursors, owner }) => {
  const namespace = `${db}.${args.string('collection')}`;
  const { batch, id } = cursors.next(
    args.long('getMore'),
    owner,
    namespace,
    args.count('batchSize') || Number.POSITIVE_INFINITY,
  );
  return cursorReply('nextBatch', batch, id, namespace);
};

/** Answers killCursors. */
export const killCursors: Handler = ({ args, cursors }) => {
  const ids = args.array('cursors');
  const killed = ids.filter((id) => cursors.kill(BigInt(String(id))));
  return ok({
    cursorsKilled: killed,
    cursorsNotFound: ids.filter((id) => !killed.includes(id)),
    cursorsAlive: [],
    cursorsUnknown: [],
  });
};

/** Answers count. */
export const count: Handler = ({ args, db, store }) => {
  const selection: Selection = {
    filter: args.docOrEmpty('query'),
    skip: args.count('skip'),
    limit: args.count('limit'),
    context: readContext(args),
  };
  const n = store.read((reader) => {
    const collection = findCollection(reader, db, args.string('count'));
    checkHint(collection, args.value('hint'));
    const matcher = compileFilter(selection.filter, selection.context);
    return collection ? countDocuments(reader, collection, { ...selection, matcher }) : 0;
  });
  return ok({ n });
};

/** Counts what a selection finds, without reading documents where the columns can answer. */
export function countDocuments(reader: Connection, collection: Collection, selection: Selection): number {
  const { from, values, functions } = selectSql(reader, collection, selection);
  try {
    return Number(reader.get(`SELECT count(*) AS n FROM (SELECT 1 ${from})`, ...values)?.n);
  } finally {
    reader.unregister(functions);
  }
}

/** The documents of a selection in stored form, all at once: quicker where they are few. */
function allDocuments(
  reader: Connection,
  collection: Collection | undefined,
  selection: Selection,
  project?: Projector,
): Buffer[] {
  if (!collection) return [];
  const { from, values, functions } = selectSql(reader, collection, selection);
  try {
    const documents = reader.all(`SELECT c.doc ${from}`, ...values).map((row) => blob(row.doc));
    return project ? documents.map((bytes) => encode(project(decode(bytes)))) : documents;
  } finally {
    reader.unregister(functions);
  }
}

/** The documents of a selection in stored form, one by one. */
export function* documentsOf(
  reader: Connection,
  collection: Collection | undefined,
  selection: Selection,
  project?: Projector,
): Generator<Buffer, void, void> {
  if (!collection) return;
  const { from, values, functions } = selectSql(reader, collection, selection);
  try {
    for (const row of reader.iterate(`SELECT c.doc ${from}`, ...values)) {
      const bytes = blob(row.doc);
      yield project ? encode(project(decode(bytes))) : bytes;
    }
  } finally {
    reader.unregister(functions);
  }
}

/** Reads what to find from the fields of find. */
export function readSelection(args: Arguments): Selection {
  for (const option of REFUSED)
    if (args.has(option) && args.value(option) !== false) throw unsupported(`Option ${option} of find`);
  const filter = args.docOrEmpty('filter');
  const sort = args.optionalDoc('sort');
  const context = readContext(args);
  return {
    filter,
    matcher: compileFilter(filter, context),
    sort: sort?.size ? sort : undefined,
    skip: args.count('skip'),
    limit: args.count('limit'),
    context,
  };
}

/** Prepares the projection of find or findAndModify; undefined where every field is wanted. */
export function readProjection(projection: Doc | undefined, { matcher, context }: Selection): Projector | undefined {
  if (!projection?.size) return undefined;
  return compileProjection(projection, {
    isFind: true,
    variables: context.variables,
    matcher,
  });
}

/** Answers distinct. */
export const distinct: Handler = ({ args, db, store }) => {
  const key = args.string('key');
  if (key === '') throw new MongoError('BadValue', 'The distinct key may not be empty');
  const selection: Selection = { filter: args.docOrEmpty('query'), context: readContext(args) };
  const matcher = compileFilter(selection.filter, selection.context);
  const values = store.read((reader) => {
    const collection = findCollection(reader, db, args.string('distinct'));
    checkHint(collection, args.value('hint'));
    return distinctValues(documentsOf(reader, collection, { ...selection, matcher }), key, selection.context.collator);
  });
  return ok({ values });
};

/** A cursor answer for documents that are made in memory, such as a list of indexes. */
export function listReply({ args, cursors, owner }: Command, docs: Doc[], namespace: string): Reply {
  const source: Source = { namespace, documents: docs.map(encode).values(), end: () => undefined };
  const { batch, id } = cursors.first(source, owner, cursorBatchSize(args), false);
  return cursorReply('firstBatch', batch, id, namespace);
}

/** The size of the first batch in the `cursor` option of aggregate and the lists. */
export function cursorBatchSize(args: Arguments): number {
  return new Arguments(args.docOrEmpty('cursor')).count('batchSize') ?? FIRST_BATCH;
}
