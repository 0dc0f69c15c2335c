import { contentRecord, flag, type RecordOf, text, texts, untyped } from '../content-field.ts';
import { ALWAYS, EDIT_ONLY, EMBEDDED_FIRST, NOT_EMBEDDED } from '../display-context.ts';
import { CONTEXT } from '../list-parameters.ts';
import type { ParameterTable } from '../parameter.ts';

type Words<V> = Readonly<Record<string, V>>;

const READONLY = { readonly: true } as const;
const LINKED = { readonly: true, linked: true } as const;
const OBJECT = { readonly: true, schema: { type: 'object' } } as const;

/** A type of content: posts, pages, attachments. Specification: section D, `/wp/v2/types`. */
export const RegisteredType = contentRecord({ name: 'RegisteredType', title: 'type' }, 'A type of content.', {
  capabilities: untyped<Words<string>>(EDIT_ONLY, 'All capabilities used by the post type.', OBJECT),
  description: text(NOT_EMBEDDED, 'A human-readable description of the post type.', READONLY),
  hierarchical: flag(NOT_EMBEDDED, 'Whether or not the post type should have children.', READONLY),
  viewable: flag(EDIT_ONLY, 'Whether or not the post type can be viewed.', READONLY),
  labels: untyped<Words<string | null>>(
    EDIT_ONLY,
    'Human-readable labels for the post type for various contexts.',
    OBJECT,
  ),
  name: text(ALWAYS, 'The title for the post type.', READONLY),
  slug: text(ALWAYS, 'An alphanumeric identifier for the post type.', READONLY),
  supports: untyped<Words<true>>(EDIT_ONLY, 'All features, supported by the post type.', OBJECT),
  taxonomies: texts(NOT_EMBEDDED, 'Taxonomies associated with post type.', READONLY),
  rest_base: text(ALWAYS, 'REST base route for the post type.', LINKED),
});

/** Values of {@link RegisteredType}. */
export type RegisteredType = RecordOf<typeof RegisteredType>;

/** A status that content may have. Specification: section D, `/wp/v2/statuses`. */
export const RegisteredStatus = contentRecord(
  { name: 'RegisteredStatus', title: 'status' },
  'A status that content may have.',
  {
    name: text(EMBEDDED_FIRST, 'The title for the status.', READONLY),
    private: flag(EDIT_ONLY, 'Whether posts with this status should be private.', READONLY),
    protected: flag(EDIT_ONLY, 'Whether posts with this status should be protected.', READONLY),
    public: flag(NOT_EMBEDDED, 'Whether posts of this status should be shown in the front end of the site.', READONLY),
    queryable: flag(NOT_EMBEDDED, 'Whether posts with this status should be publicly-queryable.', READONLY),
    show_in_list: flag(EDIT_ONLY, 'Whether to include posts in the edit listing for their post type.', READONLY),
    slug: text(EMBEDDED_FIRST, 'An alphanumeric identifier for the status.', LINKED),
  },
);

/** Values of {@link RegisteredStatus}. */
export type RegisteredStatus = RecordOf<typeof RegisteredStatus>;

/** A kind of terms by which posts are grouped. Specification: section D, `/wp/v2/taxonomies`. */
export const RegisteredTaxonomy = contentRecord(
  { name: 'RegisteredTaxonomy', title: 'taxonomy' },
  'A kind of terms by which posts are grouped.',
  {
    name: text(ALWAYS, 'The title for the taxonomy.', READONLY),
    slug: text(ALWAYS, 'An alphanumeric identifier for the taxonomy.', READONLY),
    capabilities: untyped<Words<string>>(EDIT_ONLY, 'All capabilities used by the taxonomy.', OBJECT),
    description: text(NOT_EMBEDDED, 'A human-readable description of the taxonomy.', READONLY),
    labels: untyped<Words<string | null>>(
      EDIT_ONLY,
      'Human-readable labels for the taxonomy for various contexts.',
      OBJECT,
    ),
    types: texts(NOT_EMBEDDED, 'Types associated with the taxonomy.', READONLY),
    show_cloud: flag(EDIT_ONLY, 'Whether or not the term cloud should be displayed.', READONLY),
    hierarchical: flag(NOT_EMBEDDED, 'Whether or not the taxonomy should have children.', READONLY),
    rest_base: text(ALWAYS, 'REST base route for the taxonomy.', LINKED),
  },
);

/** Values of {@link RegisteredTaxonomy}. */
export type RegisteredTaxonomy = RecordOf<typeof RegisteredTaxonomy>;

/** `GET` of one type. */
export const TYPE_READ = {
  type: { type: 'string', description: 'An alphanumeric identifier for the post type.' },
  ...CONTEXT,
} as const satisfies ParameterTable;

/** `GET` of one status. */
export const STATUS_READ = {
  status: { type: 'string', description: 'An alphanumeric identifier for the status.' },
  ...CONTEXT,
} as const satisfies ParameterTable;

/** `GET /wp/v2/taxonomies`. */
export const TAXONOMY_LIST = {
  ...CONTEXT,
  type: { type: 'string', description: 'Limit results to taxonomies associated with a specific post type.' },
} as const satisfies ParameterTable;

/** `GET` of one taxonomy. */
export const TAXONOMY_READ = {
  taxonomy: { type: 'string', description: 'An alphanumeric identifier for the taxonomy.' },
  ...CONTEXT,
} as const satisfies ParameterTable;
