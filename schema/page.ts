import { type ClassType, Field, ObjectType } from 'type-graphql';

/** Continuation of a list. */
@ObjectType({ simpleResolvers: true, description: 'Where a list goes on.' })
export class PageInfo {
  @Field(() => String, { nullable: true, description: 'Pass it as `after` to go on; null on the last page.' })
  readonly end_cursor!: string | null;

  @Field(() => Boolean, { description: 'Whether objects follow this page.' })
  readonly has_next_page!: boolean;
}

/** A slice of a list and where to go on. */
export interface Page<T> {
  readonly nodes: readonly T[];
  readonly page_info: PageInfo;
}

/** A page from one object more than asked for: the surplus one only gives the cursor at which the list goes on. */
export function pageOf<T>(found: readonly T[], size: number, cursorOf: (first: T) => string): Page<T> {
  const next = found[size];
  return {
    nodes: found.slice(0, size),
    page_info: { end_cursor: next === undefined ? null : cursorOf(next), has_next_page: next !== undefined },
  };
}

/** Makes the connection type of a record: `nodes` and `page_info`, the one shape of lists in the schema. */
export function connectionOf<T extends object>(record: ClassType<T>, name: string): ClassType<Page<T>> {
  @ObjectType(`${name}Connection`, { simpleResolvers: true, description: `A page of ${name} objects.` })
  class Connection implements Page<T> {
    @Field(() => [record], { description: 'The objects of this page, in order.' })
    readonly nodes!: T[];

    @Field(() => PageInfo, { description: 'Where the list goes on.' })
    readonly page_info!: PageInfo;
  }
  return Connection;
}
