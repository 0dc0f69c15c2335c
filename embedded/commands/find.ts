import { Long } from 'bson';
import { decode, encode } from '../bson/codec.ts';
import { compareValues, keyOf } from '../bson/key.ts';
import { check, checkForm, unsupported } from '../bson/mongo-error.ts';
import type { Doc, Value } from '../bson/value.ts';
import { visitPath } from '../query/path.ts';
import { compileStoredProjection, type ProjectionOptions } from '../query/project.ts';
import { allDocuments, countDocuments, documentsOf, type Selection } from '../search/select.ts';
import { HeavyRead, type Connection } from '../storage/connection.ts';
import { cursorReply } from '../wire/cursor-reply.ts';
import { Arguments } from './arguments.ts';
import {
  hintedCollection,
  ok,
  readSelection,
  type Handler,
  type ReadCommand,
  type ReadHandler,
  type Reply,
} from './command.ts';
import { threadOf, type Source } from './cursors.ts';
import { openTail } from './tailing.ts';

/** Size of a first batch when the command gives none, in documents. */
const FIRST_BATCH = 101;

/** Maximum number of documents that are read together; more are read as a cursor reads them, so that others get their turn. */
const READ_TOGETHER = 250;

/** Time for which getMore waits for documents when the command gives none, in milliseconds. */
const AWAIT_MS = 1000;

const UNSUPPORTED_OPTIONS = ['returnKey', 'showRecordId', 'min', 'max'];

/** Answers find. */
export const find: ReadHandler = (command) => {
  const { args, db, store } = command;
  const namespace = `${db}.${args.string('find')}`;
  const found = readFind(args);
  const selection = {
    ...found,
    project: readProjection(compileStoredProjection, args.optionalDoc('projection'), found),
  };
  const size = args.count('batchSize') ?? FIRST_BATCH;
  const { limit } = selection;
  const isTailable = args.flag('tailable');
  const message = "Cannot set 'awaitData' without also setting 'tailable'";
  checkForm(isTailable || !args.flag('awaitData'), message);
  if (isTailable) return openTail(command, namespace, selection, size);
  if (limit !== undefined && limit > 0 && limit <= Math.min(size, READ_TOGETHER)) {
    const batch = store.read((reader) => allDocuments(reader, hintedCollection(command, reader), selection));
    return cursorReply('firstBatch', batch, 0n, namespace);
  }
  const read = (reader: Connection) => documentsOf(reader, hintedCollection(command, reader), selection);
  return openCursor(command, namespace, size, read, { max: limit || undefined, single: args.flag('singleBatch') });
};

/** Answers with the first batch of the documents read; the state that they are read from lasts as long as the cursor of the others. */
export function openCursor(
  { store, cursors, owner }: ReadCommand,
  namespace: string,
  size: number,
  read: (reader: Connection) => Iterable<Buffer>,
  { max, single = false }: { readonly max?: number | undefined; readonly single?: boolean } = {},
): Reply {
  const reader = store.acquire();
  let documents: Iterator<Buffer>;
  try {
    documents = store.cursorOver(read(reader));
  } catch (error) {
    store.release(reader);
    throw error;
  }
  const source = { namespace, documents, max, end: () => store.release(reader) };
  const { batch, id } = cursors.first(source, owner, size, single);
  if (id !== 0n && store.allowance < Number.POSITIVE_INFINITY) {
    if (batch.length === 0 || reader.allowance < store.allowance) {
      cursors.kill(id);
      throw new HeavyRead('The read decodes documents for each batch, or has not shown whether it does');
    }
    // A cursor does not move: its later batches come from this thread, whatever they need.
    reader.allowance = Number.POSITIVE_INFINITY;
  }
  return cursorReply('firstBatch', batch, id, namespace);
}

/** Answers getMore; if a cursor awaits documents, when it has some, or the time for that is over. */
export const getMore: ReadHandler = async ({ args, db, cursors, owner }) => {
  const namespace = `${db}.${args.string('collection')}`;
  const size = args.count('batchSize') || Number.POSITIVE_INFINITY;
  const until = performance.now() + (args.count('maxTimeMS') || AWAIT_MS);
  for (;;) {
    const { batch, id, tail } = cursors.next(args.long('getMore'), owner, namespace, size);
    const isAnswer = batch.length > 0 || !tail || !(await tail.awaitMore(until));
    if (isAnswer) return cursorReply('nextBatch', batch, id, namespace);
  }
};

/** Answers killCursors, whichever thread has them. */
export const killCursors: Handler = async ({ args, cursors, readers }) => {
  const ids = args.array('cursors').map((id) => BigInt(String(id)));
  const kill = async (id: bigint) => cursors.kill(id) || ((await readers?.kill(id, threadOf(id))) ?? false);
  const killed = await Promise.all(ids.map(kill));
  const [cursorsKilled, cursorsNotFound] = [true, false].map((isKilled) =>
    ids.filter((_, place) => killed[place] === isKilled).map((id) => Long.fromBigInt(id)),
  );
  return ok({
    cursorsKilled: cursorsKilled ?? [],
    cursorsNotFound: cursorsNotFound ?? [],
    cursorsAlive: [],
    cursorsUnknown: [],
  });
};

/** Answers count. */
export const count: ReadHandler = (command) => {
  const selection = readSelection(command.args, 'query');
  const n = command.store.read((reader) => {
    const collection = hintedCollection(command, reader);
    return collection ? countDocuments(reader, collection, selection) : 0;
  });
  return ok({ n });
};

/** Reads the selection of find; throws for options this server does not have. */
export function readFind(args: Arguments): ReturnType<typeof readSelection> {
  for (const option of UNSUPPORTED_OPTIONS)
    if (args.doc.has(option) && args.value(option) !== false) throw unsupported(`Option ${option} of find`);
  return readSelection(args, 'filter');
}

/** Prepares the projection of find or findAndModify by a compiler; undefined if every field is returned. */
export function readProjection<T>(
  compile: (projection: Doc, options: ProjectionOptions) => T,
  projection: Doc | undefined,
  { matcher, context }: Selection,
): T | undefined {
  if (!projection?.size) return undefined;
  return compile(projection, { isFind: true, variables: context.variables, matcher });
}

/** Answers distinct. */
export const distinct: ReadHandler = (command) => {
  const { args, store } = command;
  const key = args.string('key');
  check(key !== '', 'BadValue', 'The distinct key may not be empty');
  const selection = readSelection(args, 'query');
  const values = store.read((reader) => {
    const documents = documentsOf(reader, hintedCollection(command, reader), selection);
    return distinctValues(reader, documents, key, selection.context.collator);
  });
  return ok({ values });
};

/** The different values of documents at a path, in order; of an array its elements. */
function distinctValues(
  reader: Connection,
  documents: Iterable<Buffer>,
  path: string,
  collator?: Intl.Collator,
): Value[] {
  const parts = path.split('.');
  const values = new Map<string, Value>();
  for (const bytes of documents) {
    reader.spend();
    visitPath(decode(bytes), parts, 'expand', (value, index) => {
      const isWholeArray = Array.isArray(value) && index === undefined;
      if (value !== undefined && !isWholeArray) values.set(keyOf(value).toString('latin1'), value);
      return false;
    });
  }
  const sorted = [...values.values()].sort(compareValues);
  if (!collator) return sorted;
  const same = (a: Value, b: Value) => typeof a === 'string' && typeof b === 'string' && collator.compare(a, b) === 0;
  return sorted.filter((value, place) => sorted.findIndex((other) => other === value || same(other, value)) === place);
}

/** Answers with a cursor over documents in memory, such as a list of indexes. */
export function listReply({ args, cursors, owner }: ReadCommand, docs: Doc[], namespace: string): Reply {
  const source: Source = { namespace, documents: docs.map(encode).values(), end: () => undefined };
  const { batch, id } = cursors.first(source, owner, cursorBatchSize(args), false);
  return cursorReply('firstBatch', batch, id, namespace);
}

/** The size of the first batch in the `cursor` option of aggregate and the lists. */
export function cursorBatchSize(args: Arguments): number {
  return new Arguments(args.docOrEmpty('cursor')).count('batchSize') ?? FIRST_BATCH;
}
