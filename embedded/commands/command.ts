import { check, checkForm } from '../bson/mongo-error.ts';
import { isDoc, mapOf, type Doc, type OptionalValue, type Value } from '../bson/value.ts';
import { compileExpression } from '../query/expression.ts';
import { parseCollation, type FilterContext } from '../query/filter-context.ts';
import { compileFilter } from '../query/match.ts';
import { indexNamed } from '../storage/catalog.ts';
import { findCollection } from '../storage/collections.ts';
import type { Connection } from '../storage/connection.ts';
import type { Readers } from '../readers/readers.ts';
import type { Reads, Writes } from '../storage/access.ts';
import type { Arguments } from './arguments.ts';
import type { Cursors } from './cursors.ts';
import type { ReadFaults } from './read-faults.ts';
import type { Sessions } from './sessions.ts';

/** One command of a client that reads, with the state it works on. */
export interface ReadCommand {
  readonly name: string;
  readonly args: Arguments;
  readonly db: string;
  readonly store: Reads;
  readonly cursors: Cursors;
  /** Number of the connection the command came by, which owns the cursors it opens. */
  readonly owner: number;
}

/** One command of a client. */
export interface Command extends ReadCommand {
  readonly store: Writes;
  readonly sessions: Sessions;
  readonly faults: ReadFaults;
  /** The threads for heavy reads, if the server has them. */
  readonly readers: Readers | undefined;
  /** The encoded bytes of documents that came as such. */
  readonly raw: ReadonlyMap<Value, Buffer>;
}

/** An answer: a document, or one that is encoded already. */
export type Reply = Doc | Buffer;

/** Answers a command that reads. */
export type ReadHandler = (command: ReadCommand) => Reply | Promise<Reply>;

/** Answers a command. */
export type Handler = (command: Command) => Reply | Promise<Reply>;

/** The answer to a command that succeeded. */
export function ok(fields: Record<string, Value> = {}): Doc {
  return mapOf({ ...fields, ok: 1 });
}

/** The variables of a command's filters (`let`), and their comparison of strings (`collation`, also of a statement). */
export function readContext(args: Arguments, collation = args): FilterContext {
  const scope = { root: new Map(), variables: new Map() };
  const bindings = [...args.docOrEmpty('let')].map(([key, source]) => [key, compileExpression(source)(scope)] as const);
  const variables = new Map<string, OptionalValue>([['NOW', new Date()], ...bindings]);
  return { variables, collator: parseCollation(collation.optionalDoc('collation')) };
}

/** Reads the selection of a command or statement, whose filter is the named field. */
export function readSelection(args: Arguments, field: 'filter' | 'query' | 'q', context = readContext(args)) {
  const filter = args.docOrEmpty(field);
  const sort = args.optionalDoc('sort');
  return {
    filter,
    matcher: compileFilter(filter, context),
    sort: sort?.size ? sort : undefined,
    skip: args.count('skip'),
    limit: args.count('limit'),
    context,
  };
}

/** The collection of a command, if it exists. Throws if a hint names no index; a valid one has no effect. */
export function hintedCollection({ args, db, name }: ReadCommand, reader: Connection, statement = args) {
  const collection = findCollection(reader, db, args.string(name));
  const hint = statement.value('hint');
  if (hint === undefined || hint === null || hint === '') return collection;
  if (isDoc(hint) && (hint.size === 0 || hint.has('$natural'))) return collection;
  checkForm(isDoc(hint) || typeof hint === 'string', 'Hint must be a string or an object');
  const message = 'error processing query: hint provided does not correspond to an existing index';
  check(!collection || indexNamed(collection, hint), 'BadValue', message);
  return collection;
}
