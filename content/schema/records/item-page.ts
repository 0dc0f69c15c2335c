import { GraphQLNonNull, GraphQLObjectType } from 'graphql';

import { type ContentRecord, listOf, Integer } from '../content-field.ts';

/** Makes the type of a page of records, the one shape of paged lists in the content schema. */
export function itemPageOf(record: ContentRecord): GraphQLObjectType {
  const count = new GraphQLNonNull(Integer);
  return new GraphQLObjectType({
    name: `${record.name}Page`,
    description: `A page of ${record.name} objects.`,
    fields: {
      items: { type: new GraphQLNonNull(listOf(record)), description: 'The objects of this page, in order.' },
      total: { type: count, description: 'How many objects all pages have.' },
      total_pages: { type: count, description: 'How many pages there are.' },
      page: { type: Integer, description: 'Number of this page, where it follows from an offset.' },
    },
  });
}

/** Computes the number of pages of a list. */
export function pagesOf(total: number, perPage: number): number {
  return Math.ceil(total / perPage);
}
