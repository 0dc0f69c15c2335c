import { type ClassType, Field, ObjectType } from 'type-graphql';

import { GraphqlOnly } from './graphql-only.ts';
import { ServiceError } from './service-error.ts';

/** Continuation of a list. */
@ObjectType({ simpleResolvers: true, description: 'Where a list goes on.' })
export class PageInfo {
  @Field(() => String, { nullable: true, description: 'Pass it as `after` to go on; null on the last page.' })
  readonly end_cursor!: string | null;

  @Field(() => Boolean, { description: 'Whether objects follow this page.' })
  readonly has_next_page!: boolean;

  @GraphqlOnly()
  @Field(() => String, { nullable: true, description: 'Cursor of the first edge; null on an empty page.' })
  readonly start_cursor!: string | null;

  @GraphqlOnly()
  @Field(() => Boolean, { description: 'Whether objects precede this page: it starts at a cursor.' })
  readonly has_previous_page!: boolean;
}

/** A slice of a list and where to go on. */
export interface Page<T> {
  readonly nodes: readonly T[];
  readonly page_info: PageInfo;
  /** Cursors of the objects, in the order of `nodes`. */
  readonly cursors: () => readonly string[];
}

/** The start of a page: at an object, or after it; without a cursor, at the first one. */
export interface PageStart {
  readonly cursor: string | null;
  readonly isAfter: boolean;
}

/** Distinguishes the cursor of an edge, after which a page starts, from an `end_cursor`, at which one does. */
const AFTER = '>';

/** Reads the `after` of a connection: an `end_cursor`, or the cursor of an edge. */
export function readCursor(after: string | null | undefined): PageStart {
  const isAfter = after?.startsWith(AFTER) === true;
  return { cursor: isAfter ? after.slice(AFTER.length) : (after ?? null), isAfter };
}

/** Error for an `after` that names no place in a list. */
export function unknownCursor(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'after is not one that this list gave for the same parameters');
}

/** Number of objects to read for a page: one that tells where the next starts, and the one after which this starts. */
export function readSize(size: number, { isAfter }: PageStart): number {
  return size + 1 + Number(isAfter);
}

/**
 * Makes a page of {@link readSize} objects from its start on.
 *
 * @param cursorOf the place of an object in the list
 */
export function pageOf<T>(
  found: readonly T[],
  size: number,
  { start, cursorOf }: { readonly start: PageStart; readonly cursorOf: (object: T) => string },
): Page<T> {
  const [first] = found;
  const skipped = start.isAfter && first !== undefined && cursorOf(first) === start.cursor ? 1 : 0;
  const nodes = found.slice(skipped, skipped + size);
  const next = found[skipped + size];
  const edgeCursor = (node: T) => AFTER + cursorOf(node);
  const [firstNode] = nodes;
  return {
    nodes,
    page_info: {
      end_cursor: next === undefined ? null : cursorOf(next),
      has_next_page: next !== undefined,
      start_cursor: firstNode === undefined ? null : edgeCursor(firstNode),
      has_previous_page: start.cursor !== null,
    },
    cursors: () => nodes.map(edgeCursor),
  };
}

/**
 * A page of a list that has been read as a whole.
 *
 * @throws ServiceError BAD_REQUEST for a cursor that names none of its objects
 */
export function slicePage<T extends { readonly key: string }>(
  all: readonly T[],
  size: number,
  after: string | null | undefined,
): Page<T> {
  const start = readCursor(after);
  const first = start.cursor === null ? 0 : all.findIndex(({ key }) => key === start.cursor);
  if (first < 0) throw unknownCursor();
  return pageOf(all.slice(first), size, { start, cursorOf: ({ key }) => key });
}

/** The only page of a list, which has all its objects. */
export function wholePage<T extends { readonly key: string }>(nodes: readonly T[]): Page<T> {
  return pageOf(nodes, nodes.length, { start: readCursor(null), cursorOf: ({ key }) => key });
}

/** An object of a list, with its place. */
interface Edge<T> {
  readonly cursor: string;
  readonly node: T;
}

/** Makes the connection type of a record: `nodes`, `edges` and `page_info`, the one shape of lists in the schema. */
export function connectionOf<T extends object>(record: ClassType<T>, name: string): ClassType<Page<T>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `A place in a list of ${name} objects.` })
  class ConnectionEdge implements Edge<T> {
    @Field(() => String, { description: 'Pass it as `after` to go on after this object.' })
    readonly cursor!: string;

    @Field(() => record, { description: 'The object.' })
    readonly node!: T;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${name} objects.` })
  class Connection implements Page<T> {
    @Field(() => [record], { description: 'The objects of this page, in order.' })
    readonly nodes!: T[];

    @Field(() => PageInfo, { description: 'Where the list goes on.' })
    readonly page_info!: PageInfo;

    readonly cursors!: Page<T>['cursors'];

    @GraphqlOnly()
    @Field(() => [ConnectionEdge], { description: 'The objects of this page, each with its cursor.' })
    edges(): Edge<T>[] {
      const cursors = this.cursors();
      return this.nodes.map((node, place) => ({ cursor: cursors[place] ?? '', node }));
    }
  }
  return Connection;
}
