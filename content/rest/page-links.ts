import { type ParameterTree, writePhpQuery } from './php-query.ts';

/** Where a list stands among its pages. */
export interface PagePlace {
  readonly page: number;
  readonly pages: number;
}

/**
 * The `Link` headers of a page: `prev` and `next`, with the parameters of the request; none where there is neither.
 *
 * @param address the list's address without parameters
 * @param query the parameters of the request's query, converted
 */
export function pageLinks(address: string, query: ParameterTree, { page, pages }: PagePlace): string | undefined {
  const link = (to: number, relation: string) =>
    `<${address}?${writePhpQuery({ ...query, page: to })}>; rel="${relation}"`;
  const links: string[] = [];
  if (page > 1) links.push(link(Math.min(page - 1, pages), 'prev'));
  if (page < pages) links.push(link(page + 1, 'next'));
  return links.length > 0 ? links.join(', ') : undefined;
}
