import type { GraphQLField } from 'graphql';

/** Cost of a root field: it reads from the database, and most fields below it are derived from the result. */
export const ROOT_COST = 50;

/** Cost of a page below a root field, which is read from the database for each record that has it. */
export const NESTED_PAGE_COST = 10;

/** Number of records of pages that cost 1. */
export const RECORDS_PER_COST = 10;

/** Size of the largest page. */
export const MAX_PAGE = 1000;

/** Name of the argument that sizes the page that a field reads; undefined for any other field. */
export function sizeArgumentOf({ args }: Pick<GraphQLField<unknown, unknown>, 'args'>): string | undefined {
  return args.find(({ name }) => name === 'first' || name === 'size')?.name;
}
