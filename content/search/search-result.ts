import { CONTENT_KINDS } from '../schema/kinds/content-kinds.ts';
import { TERM_KINDS } from '../schema/kinds/term-kinds.ts';
import { ADDRESS, contentRecord, integer, LINK_ONLY, type RecordOf, text } from '../schema/content-field.ts';
import { BY_ID, CONTEXT, PAGING } from '../schema/list-parameters.ts';
import type { ParameterTable } from '../schema/parameter.ts';

const SHOWN = ['view', 'embed'] as const;
const READONLY = { readonly: true } as const;

/** The kinds of content that a search finds. */
export const FOUND_KINDS = CONTENT_KINDS.filter(({ isUploaded }) => !isUploaded);

/** The types of objects that a search finds, one at a time. */
const TYPES = ['post', 'term'] as const;

/** A found post, page, category or tag. Source: WordPress 5.0, `/wp/v2/search`. */
export const SearchResult = contentRecord(
  { name: 'SearchResult', title: 'search-result' },
  'An object that a search has found.',
  {
    id: integer(SHOWN, 'Unique identifier for the object.', READONLY),
    title: text(SHOWN, 'The title for the object.', READONLY),
    url: text(SHOWN, 'URL to the object.', ADDRESS),
    type: text(SHOWN, 'Object type.', READONLY),
    subtype: text(SHOWN, 'Object subtype.', READONLY),
    path: text([], 'The path of objects of its kind.', LINK_ONLY),
    about: text([], 'The path of its kind.', LINK_ONLY),
  },
);

/** Values of {@link SearchResult}. */
export type SearchResult = RecordOf<typeof SearchResult>;

/** `GET /wp/v2/search`. */
export const SEARCH = {
  context: { ...CONTEXT.context, enum: SHOWN },
  ...PAGING,
  type: { type: 'string', description: 'Limit results to items of an object type.', default: 'post', enum: TYPES },
  subtype: {
    type: 'array',
    description: 'Limit results to items of one or more object subtypes.',
    items: {
      type: 'string',
      enum: [...FOUND_KINDS.map(({ type }) => type), ...TERM_KINDS.map(({ taxonomy }) => taxonomy), 'any'],
    },
    default: 'any',
  },
  ...BY_ID,
} as const satisfies ParameterTable;
