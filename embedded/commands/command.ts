import { MongoError } from '../bson/mongo-error.ts';
import { isDoc } from '../bson/value.ts';
import type { Doc, OptionalValue, Value } from '../bson/value.ts';
import type { Cursors } from './cursors.ts';
import { compileExpression } from '../query/expression.ts';
import { parseCollation } from '../query/filter-context.ts';
import type { FilterContext } from '../query/filter-context.ts';
import { indexNamed } from '../storage/catalog.ts';
import type { Collection } from '../storage/catalog.ts';
import type { Store } from '../storage/store.ts';
import type { Arguments } from './arguments.ts';

/** One command of a client and what it needs. */
export interface Command {
  readonly name: string;
  readonly args: Arguments;
  readonly db: string;
  readonly store: Store;
  readonly cursors: Cursors;
  /** The connection it came by, which owns the cursors it opens. */
  readonly owner: object;
  /** The stored form of documents that came as such. */
  readonly raw: ReadonlyMap<Value, Buffer>;
}

/** An answer: a document to write, or one that is written already. */
export type Reply = Doc | Buffer;

/** Answers a command. */
export type Handler = (command: Command) => Reply | Promise<Reply>;

/** A document of some fields, in order. */
export function doc(fields: Record<string, Value>): Doc {
  return new Map(Object.entries(fields));
}

/** An answer that says all went well. */
export function ok(fields: Record<string, Value> = {}): Doc {
  return doc({ ...fields, ok: 1 });
}

/** What a command's filters may refer to (`let`), and how they compare strings (`collation`). */
export function readContext(args: Arguments, collation = args): FilterContext {
  const scope = { root: new Map(), variables: new Map() };
  const bindings = [...args.docOrEmpty('let')].map(([key, source]) => [key, compileExpression(source)(scope)] as const);
  const variables = new Map<string, OptionalValue>([['NOW', new Date()], ...bindings]);
  return { variables, collator: parseCollation(collation.optionalDoc('collation')) };
}

/** Refuses a hint that names no index. SQLite chooses the index itself, so that a good hint changes nothing. */
export function checkHint(collection: Collection | undefined, hint: Value | undefined): void {
  if (hint === undefined || hint === null || hint === '') return;
  if (isDoc(hint) && (hint.size === 0 || hint.has('$natural'))) return;
  if (!isDoc(hint) && typeof hint !== 'string')
    throw new MongoError('FailedToParse', 'Hint must be a string or an object');
  if (collection && !indexNamed(collection, hint))
    throw new MongoError('BadValue', 'error processing query: hint provided does not correspond to an existing index');
}
