import { BY_ID, CONTEXT, forceOf, idOf, META, OFFSET, orderOf, PAGING, textList } from '../list-parameters.ts';
import { type ParameterTable, written } from '../parameter.ts';

const ORDER = {
  ...orderOf('asc'),
  orderby: {
    type: 'string',
    description: 'Sort collection by term attribute.',
    default: 'name',
    enum: ['id', 'include', 'name', 'slug', 'include_slugs', 'term_group', 'description', 'count'],
  },
  hide_empty: { type: 'boolean', description: 'Whether to hide terms not assigned to any posts.', default: false },
} as const satisfies ParameterTable;

const OF_POST = {
  post: { type: 'integer', description: 'Limit result set to terms assigned to a specific post.' },
  slug: textList('Limit result set to terms with one or more specific slugs.'),
} as const satisfies ParameterTable;

/** `GET /wp/v2/categories`. */
export const CATEGORY_LIST = {
  ...CONTEXT,
  ...PAGING,
  ...BY_ID,
  ...ORDER,
  parent: { type: 'integer', description: 'Limit result set to terms assigned to a specific parent.' },
  ...OF_POST,
} as const satisfies ParameterTable;

/** `GET /wp/v2/tags`. */
export const TAG_LIST = {
  ...CONTEXT,
  ...PAGING,
  ...BY_ID,
  ...OFFSET,
  ...ORDER,
  ...OF_POST,
} as const satisfies ParameterTable;

const WRITE = {
  description: { type: 'string', description: 'HTML description of the term.' },
  name: { type: 'string', description: 'HTML title for the term.', clean: 'text' },
  slug: { type: 'string', description: 'An alphanumeric identifier for the term unique to its type.' },
} as const satisfies ParameterTable;

/** Fields of a category that can be written. */
export const CATEGORY_WRITE = written({
  ...WRITE,
  parent: { type: 'integer', description: 'The parent term ID.' },
  ...META,
});

/** Fields of a tag that can be written. Tags form no tree, and a parent is rejected. */
export const TAG_WRITE = written({
  ...WRITE,
  ...META,
  parent: { unchecked: true, unlisted: true },
});

/** The id in the path of one category or tag. */
export const TERM_ID = idOf('Unique identifier for the term.');

/** `GET` of one category or tag. */
export const TERM_READ = { ...TERM_ID, ...CONTEXT } as const satisfies ParameterTable;

/** `DELETE` of one category or tag. */
export const TERM_DELETE = {
  ...TERM_ID,
  ...forceOf('Required to be true, as terms do not support trashing.'),
} as const satisfies ParameterTable;
