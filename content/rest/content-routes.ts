import { type ContentKind, CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';
import { TERM_KINDS, type TermKind } from '../schema/kinds/term-kinds.ts';

import type { ContentRoute, ContentTable, RawAnswer } from './content-table.ts';
import { OEMBED_XML } from './oembed-xml.ts';

/** A picture of nothing, for pages that count by asking for one. */
const NOTHING: RawAnswer = { status: 204, type: 'image/gif', body: '', isBare: true };

/** The content interface, relative to `{site_url}/wp-json`. Specification: section D. */
export const contentRoutes: ContentTable = {
  'GET /oembed/1.0/embed': { query: 'embed', format: ({ format }) => (format === 'xml' ? OEMBED_XML : null) },
  'GET /oembed/1.0/proxy': { query: 'proxyEmbed', isAlwaysNew: true },

  'GET /pum/v1/analytics': { query: 'analytics', isAlwaysNew: true, send: () => NOTHING },

  ...collections(({ isUploaded }) => !isUploaded),

  'GET /wp/v2/users': { query: 'users' },
  'POST /wp/v2/users': { mutation: 'createUser', status: 201 },
  'GET /wp/v2/users/{id}': { query: 'user' },
  'POST|PUT|PATCH /wp/v2/users/{id}': { mutation: 'updateUser' },
  'DELETE /wp/v2/users/{id}': { mutation: 'deleteUser' },
  'GET /wp/v2/users/me': { query: 'me', isAlwaysNew: true },
  'POST|PUT|PATCH /wp/v2/users/me': { mutation: 'updateMe' },
  'DELETE /wp/v2/users/me': { mutation: 'deleteMe' },

  'GET /wp/v2/comments': { query: 'comments' },
  'POST /wp/v2/comments': { mutation: 'createComment', status: 201 },
  'GET /wp/v2/comments/{id}': { query: 'comment' },
  'POST|PUT|PATCH /wp/v2/comments/{id}': { mutation: 'updateComment' },
  'DELETE /wp/v2/comments/{id}': { mutation: 'deleteComment' },

  ...collections(({ isUploaded }) => isUploaded),

  'GET /wp/v2/types': { query: 'types', keyedBy: 'slug' },
  'GET /wp/v2/types/{type}': { query: 'type' },

  'GET /wp/v2/statuses': { query: 'statuses', keyedBy: 'slug' },
  'GET /wp/v2/statuses/{status}': { query: 'status' },

  'GET /wp/v2/taxonomies': { query: 'taxonomies', keyedBy: 'slug' },
  'GET /wp/v2/taxonomies/{taxonomy}': { query: 'taxonomy' },

  ...Object.assign({}, ...TERM_KINDS.map((kind) => collection(kind, { context: 'view' }))),

  'GET /wp/v2/settings': { query: 'settings' },
  'POST|PUT|PATCH /wp/v2/settings': { mutation: 'updateSettings' },
};

/** The paths of some kinds of content, each with the revisions of what is written. */
function collections(condition: (kind: ContentKind) => boolean): ContentTable {
  const kinds = CONTENT_KINDS.filter(condition);
  return Object.assign({}, ...kinds.flatMap((kind) => [collection(kind), kind.isUploaded ? {} : revisions(kind)]));
}

/** Paths of a list and its objects. `change`: how changes are answered; without it, one object links to its page. */
function collection({ many, one, record }: Named, change?: Pick<ContentRoute, 'context'>): ContentTable {
  return {
    [`GET /wp/v2/${many}`]: { query: many },
    [`POST /wp/v2/${many}`]: { mutation: `create${record.name}`, status: 201, ...change },
    [`GET /wp/v2/${many}/{id}`]: { query: one, ...(change ? {} : { alternate: true }) },
    [`POST|PUT|PATCH /wp/v2/${many}/{id}`]: { mutation: `update${record.name}`, ...change },
    [`DELETE /wp/v2/${many}/{id}`]: { mutation: `delete${record.name}`, ...change },
  };
}

function revisions({ many, one, record }: Named): ContentTable {
  const path = `/wp/v2/${many}/{parent}/revisions`;
  return {
    [`GET ${path}`]: { query: `${one}Revisions` },
    [`GET ${path}/{id}`]: { query: `${one}Revision` },
    [`DELETE ${path}/{id}`]: { mutation: `delete${record.name}Revision`, context: 'view' },
  };
}

/** A kind of content or of terms, as far as its fields and paths are named after it. */
type Named = Pick<ContentKind, 'many' | 'one' | 'record'> | Pick<TermKind, 'many' | 'one' | 'record'>;
