import { type ContentKind, CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';
import { TERM_KINDS } from '../schema/kinds/term-kinds.ts';

import type { ContentRoute, ContentTable, RawAnswer } from './content-table.ts';
import { OEMBED_XML } from './oembed-xml.ts';
import type { Named } from '../access/collection-fields.ts';
import { Comment } from '../schema/records/comment.ts';
import { User } from '../schema/records/website-user.ts';

/** An empty picture, for pages that count events by requesting one. */
const NOTHING: RawAnswer = { status: 204, type: 'image/gif', body: '', isBare: true };

/** Passwords of a user for programs, as later versions have them. */
const PASSWORDS = '/wp/v2/users/{user_id}/application-passwords';

/** The content interface, relative to `{site_url}/wp-json`. Specification: section D. */
export const contentRoutes: ContentTable = {
  'GET /oembed/1.0/embed': { query: 'embed', format: ({ format }) => (format === 'xml' ? OEMBED_XML : null) },
  'GET /oembed/1.0/proxy': { query: 'proxyEmbed', isAlwaysNew: true },

  'GET /pum/v1/analytics': { query: 'analytics', isAlwaysNew: true, send: () => NOTHING },

  ...collections(({ isUploaded }) => !isUploaded),

  ...collection({ one: 'user', many: 'users', record: User }),
  'GET /wp/v2/users/me': { query: 'me', isAlwaysNew: true },
  'POST|PUT|PATCH /wp/v2/users/me': { mutation: 'updateMe' },
  'DELETE /wp/v2/users/me': { mutation: 'deleteMe' },

  [`GET ${PASSWORDS}`]: { query: 'applicationPasswords' },
  [`POST ${PASSWORDS}`]: { mutation: 'createApplicationPassword', status: 201 },
  [`DELETE ${PASSWORDS}`]: { mutation: 'deleteApplicationPasswords' },
  [`GET ${PASSWORDS}/{uuid}`]: { query: 'applicationPassword' },
  [`POST|PUT|PATCH ${PASSWORDS}/{uuid}`]: { mutation: 'updateApplicationPassword' },
  [`DELETE ${PASSWORDS}/{uuid}`]: { mutation: 'deleteApplicationPassword', isFinal: true },

  ...collection({ one: 'comment', many: 'comments', record: Comment }),

  ...collections(({ isUploaded }) => isUploaded),

  'GET /wp/v2/types': { query: 'types', keyedBy: 'slug' },
  'GET /wp/v2/types/{type}': { query: 'type' },

  'GET /wp/v2/statuses': { query: 'statuses', keyedBy: 'slug' },
  'GET /wp/v2/statuses/{status}': { query: 'status' },

  'GET /wp/v2/taxonomies': { query: 'taxonomies', keyedBy: 'slug' },
  'GET /wp/v2/taxonomies/{taxonomy}': { query: 'taxonomy' },

  ...Object.assign({}, ...TERM_KINDS.map((kind) => collection(kind, { context: 'view' }))),

  'GET /wp/v2/search': { query: 'search' },

  'GET /wp/v2/settings': { query: 'settings' },
  'POST|PUT|PATCH /wp/v2/settings': { mutation: 'updateSettings' },
};

/** The paths of kinds of content, with those of revisions for written kinds. */
function collections(condition: (kind: ContentKind) => boolean): ContentTable {
  const kinds = CONTENT_KINDS.filter(condition);
  return Object.assign(
    {},
    ...kinds.flatMap((kind) => [collection(kind, { alternate: true }), kind.isUploaded ? {} : revisions(kind)]),
  );
}

/** Paths of a list and its objects. `alternate`: one object links to its page; `context`: how changes are answered. */
function collection(
  { many, one, record }: Named,
  { alternate, ...change }: Pick<ContentRoute, 'alternate' | 'context'> = {},
): ContentTable {
  return {
    [`GET /wp/v2/${many}`]: { query: many },
    [`POST /wp/v2/${many}`]: { mutation: `create${record.name}`, status: 201, ...change },
    [`GET /wp/v2/${many}/{id}`]: { query: one, ...(alternate && { alternate }) },
    [`POST|PUT|PATCH /wp/v2/${many}/{id}`]: { mutation: `update${record.name}`, ...change },
    [`DELETE /wp/v2/${many}/{id}`]: { mutation: `delete${record.name}`, ...change },
  };
}

/** Revisions of items, and the preview of one. */
function revisions({ many, one, record }: Named): ContentTable {
  const path = `/wp/v2/${many}/{parent}/revisions`;
  return {
    [`GET ${path}`]: { query: `${one}Revisions` },
    [`GET ${path}/{id}`]: { query: `${one}Revision` },
    [`DELETE ${path}/{id}`]: { mutation: `delete${record.name}Revision`, context: 'view' },
    [`GET /wp/v2/${many}/{id}/preview`]: { query: `${one}Preview`, isAlwaysNew: true },
  };
}
