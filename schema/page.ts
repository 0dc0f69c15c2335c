import { Arg, ArgsType, type ClassType, Extensions, Field, Int, ObjectType } from 'type-graphql';
import { GraphqlOnly, NullableField, RecordType } from './field-decorators.ts';
import { ServiceError } from './service-error.ts';

/** Paging information of a list. */
@RecordType('How to continue a list.')
export class PageInfo {
  @GraphqlOnly()
  @NullableField(() => String, 'Cursor of the last edge, from which to continue, also later; null on an empty page.')
  readonly end_cursor!: string | null;

  @GraphqlOnly()
  @Field(() => Boolean, { description: 'True if there are more objects after this page.' })
  readonly has_next_page!: boolean;

  @GraphqlOnly()
  @NullableField(() => String, 'Cursor of the first edge; null on an empty page.')
  readonly start_cursor!: string | null;

  @GraphqlOnly()
  @Field(() => Boolean, {
    description:
      'True if there are objects before this page: if it was read after a cursor, or more come before `last`.',
  })
  readonly has_previous_page!: boolean;

  /** The `cursor` of REST, which the gateway's schema omits. Specification: "Pagination (list endpoints)". */
  @Extensions({ restOnly: true })
  @NullableField(() => String, 'Place of the first object of the next page; null on the last.')
  readonly next_cursor!: string | null;
}

/** The arguments of a list without others, from the last to the first: `guard` reverses them. */
@ArgsType()
export class PageArgs {
  @NullableField(() => String, 'The `end_cursor` of the previous page.')
  readonly after?: string | null;

  @Field(() => Int, { defaultValue: 50, description: 'Size of the page, 1 to 1000.' })
  readonly first!: number;
}

/** Declares the argument `first` of a list that has other arguments too. */
export function First(size: number): ReturnType<typeof Arg> {
  return Arg('first', () => Int, { nullable: true, defaultValue: size, description: 'Size of the page, 1 to 1000.' });
}

/** Declares the argument `after` of a list that has other arguments too. */
export function After(): ReturnType<typeof Arg> {
  return Arg('after', () => String, { nullable: true, description: 'The `end_cursor` of the previous page.' });
}

/** A slice of a list and where to continue. */
export interface Page<T> {
  readonly nodes: readonly T[];
  readonly page_info: PageInfo;
  /** Cursors of the objects, in the order of `nodes`. */
  readonly cursors: () => readonly string[];
  /** Counts the objects of the whole list; absent if no index gives the number. */
  readonly count?: () => Promise<number>;
}

/** Error for an invalid `after`. */
export function unknownCursor(): ServiceError {
  return new ServiceError('BAD_REQUEST', 'after was not returned by this list for the same parameters');
}

/** An error about `after` as one about what a cursor was given by; other errors unchanged. */
export function namingCursor(error: unknown, name: string): unknown {
  if (!(error instanceof ServiceError)) return error;
  return new ServiceError(error.code, error.message.replace(/^after\b/, name));
}

/** An object of a list, with its place. */
interface Edge<T> {
  readonly cursor: string;
  readonly node: T;
}

/** Makes the connection type of a record: `nodes`, `edges`, `page_info` and `total_count`, the one shape of lists in the schema. */
export function connectionOf<T extends object>(record: ClassType<T>, name: string): ClassType<Page<T>> {
  @ObjectType(`${name}Edge`, { simpleResolvers: true, description: `A place in a list of ${name} objects.` })
  class ConnectionEdge implements Edge<T> {
    @Field(() => String, { description: 'Cursor of this object: pass it as `after` to continue after it.' })
    readonly cursor!: string;

    @Field(() => record, { description: 'The object.' })
    readonly node!: T;
  }

  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${name} objects.` })
  class Connection implements Page<T> {
    @Field(() => [record], { description: 'The objects of this page, in order.' })
    readonly nodes!: T[];

    @Field(() => PageInfo, { description: 'How to continue the list.' })
    readonly page_info!: PageInfo;

    readonly cursors!: Page<T>['cursors'];
    readonly count?: () => Promise<number>;

    @GraphqlOnly()
    @Field(() => [ConnectionEdge], { description: 'The objects of this page, each with its cursor.' })
    edges(): Edge<T>[] {
      const cursors = this.cursors();
      return this.nodes.map((node, place) => ({ cursor: cursors[place] ?? '', node }));
    }

    @GraphqlOnly()
    @NullableField(
      () => Int,
      'Number of objects of the whole list; null for a list whose objects only reading it would count.',
    )
    async total_count(): Promise<number | null> {
      return (await this.count?.()) ?? null;
    }
  }
  return Connection;
}
