import { BY_ID, CONTEXT, forceOf, idOf, OFFSET, orderOf, PAGING } from '../list-parameters.ts';
import type { ParameterTable } from '../parameter.ts';

const ID = idOf('Unique identifier for the term.');

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
  slug: {
    type: 'array',
    description: 'Limit result set to terms with one or more specific slugs.',
    items: { type: 'string' },
  },
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

const DESCRIPTION = {
  description: { type: 'string', description: 'HTML description of the term.' },
} as const satisfies ParameterTable;
const NAME = { type: 'string', description: 'HTML title for the term.', clean: 'text' } as const;
const SLUG = {
  slug: { type: 'string', description: 'An alphanumeric identifier for the term unique to its type.' },
} as const satisfies ParameterTable;
const META = { meta: { type: 'object', description: 'Meta fields.' } } as const satisfies ParameterTable;

const PARENT = { parent: { type: 'integer', description: 'The parent term ID.' } } as const satisfies ParameterTable;
/** Tags form no tree, and a parent is refused. */
const NO_PARENT = { parent: { unchecked: true, unlisted: true } } as const satisfies ParameterTable;

/** `POST /wp/v2/categories`. */
export const CATEGORY_CREATE = {
  ...DESCRIPTION,
  name: { ...NAME, required: true },
  ...SLUG,
  ...PARENT,
  ...META,
} as const satisfies ParameterTable;

/** `POST /wp/v2/categories/{id}`. */
export const CATEGORY_WRITE = {
  ...ID,
  ...DESCRIPTION,
  name: NAME,
  ...SLUG,
  ...PARENT,
  ...META,
} as const satisfies ParameterTable;

/** `POST /wp/v2/tags`. */
export const TAG_CREATE = {
  ...DESCRIPTION,
  name: { ...NAME, required: true },
  ...SLUG,
  ...META,
  ...NO_PARENT,
} as const satisfies ParameterTable;

/** `POST /wp/v2/tags/{id}`. */
export const TAG_WRITE = {
  ...ID,
  ...DESCRIPTION,
  name: NAME,
  ...SLUG,
  ...META,
  ...NO_PARENT,
} as const satisfies ParameterTable;

/** `GET` of one category or tag. */
export const TERM_READ = { ...ID, ...CONTEXT } as const satisfies ParameterTable;

/** `DELETE` of one category or tag. */
export const TERM_DELETE = {
  ...ID,
  ...forceOf('Required to be true, as terms do not support trashing.'),
} as const satisfies ParameterTable;
