import { type ClassType, Field, ObjectType } from 'type-graphql';

import { Integer } from '../integer.ts';

/** A page of a list, and how much there is in all. */
export interface ItemPage<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly total_pages: number;
  /** Number of this page, where it is not the one that was asked for: it follows from an offset then. */
  readonly page?: number | null;
}

/** Makes the type of a page of records, the one shape of paged lists in the content schema. */
export function itemPageOf<T extends object>(record: ClassType<T>): ClassType<ItemPage<T>> {
  @ObjectType(`${record.name}Page`, { simpleResolvers: true, description: `A page of ${record.name} objects.` })
  class RecordPage implements ItemPage<T> {
    @Field(() => [record], { description: 'The objects of this page, in order.' })
    readonly items!: T[];

    @Field(() => Integer, { description: 'How many objects all pages have.' })
    readonly total!: number;

    @Field(() => Integer, { description: 'How many pages there are.' })
    readonly total_pages!: number;

    @Field(() => Integer, { nullable: true, description: 'Number of this page, where it follows from an offset.' })
    readonly page?: number | null;
  }
  return RecordPage;
}

/** Computes the number of pages of a list. */
export function pagesOf(total: number, perPage: number): number {
  return Math.ceil(total / perPage);
}
