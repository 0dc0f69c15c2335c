import type { ContentTable } from './content-table.ts';

/** The content interface, relative to `{site_url}/wp-json`. Specification: section D. */
export const contentRoutes: ContentTable = {
  'GET /wp/v2/posts': { query: 'posts' },
  'GET /wp/v2/posts/{id}': { query: 'post', alternate: true },

  'GET /wp/v2/pages': { query: 'pages' },
  'GET /wp/v2/pages/{id}': { query: 'page', alternate: true },
};
