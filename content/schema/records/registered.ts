import { Untyped } from '../../../schema/untyped.ts';

import { ContentField, ContentRecord } from '../content-field.ts';
import { ALWAYS, EDIT_ONLY, NOT_EMBEDDED } from '../display-context.ts';
import { CONTEXT } from '../list-parameters.ts';
import type { ParameterTable } from '../parameter.ts';

const OBJECT = { type: 'object' } as const;

/** A type of content: posts, pages, attachments. Specification: section D, `/wp/v2/types`. */
@ContentRecord('type', 'A type of content.')
export class RegisteredType {
  @ContentField(() => Untyped, EDIT_ONLY, 'All capabilities used by the post type.', { readonly: true, schema: OBJECT })
  readonly capabilities!: Readonly<Record<string, string>>;

  @ContentField(() => String, NOT_EMBEDDED, 'A human-readable description of the post type.', { readonly: true })
  readonly description!: string;

  @ContentField(() => Boolean, NOT_EMBEDDED, 'Whether or not the post type should have children.', { readonly: true })
  readonly hierarchical!: boolean;

  @ContentField(() => Boolean, EDIT_ONLY, 'Whether or not the post type can be viewed.', { readonly: true })
  readonly viewable!: boolean;

  @ContentField(() => Untyped, EDIT_ONLY, 'Human-readable labels for the post type for various contexts.', {
    readonly: true,
    schema: OBJECT,
  })
  readonly labels!: Readonly<Record<string, string | null>>;

  @ContentField(() => String, ALWAYS, 'The title for the post type.', { readonly: true })
  readonly name!: string;

  @ContentField(() => String, ALWAYS, 'An alphanumeric identifier for the post type.', { readonly: true })
  readonly slug!: string;

  @ContentField(() => Untyped, EDIT_ONLY, 'All features, supported by the post type.', {
    readonly: true,
    schema: OBJECT,
  })
  readonly supports!: Readonly<Record<string, true>>;

  @ContentField(() => [String], NOT_EMBEDDED, 'Taxonomies associated with post type.', { readonly: true })
  readonly taxonomies!: readonly string[];

  @ContentField(() => String, ALWAYS, 'REST base route for the post type.', { readonly: true, linked: true })
  readonly rest_base!: string;
}

/** A status that content may have. Specification: section D, `/wp/v2/statuses`. */
@ContentRecord('status', 'A status that content may have.')
export class RegisteredStatus {
  @ContentField(() => String, ALWAYS, 'The title for the status.', { readonly: true })
  readonly name!: string;

  @ContentField(() => Boolean, EDIT_ONLY, 'Whether posts with this status should be private.', { readonly: true })
  readonly private!: boolean;

  @ContentField(() => Boolean, EDIT_ONLY, 'Whether posts with this status should be protected.', { readonly: true })
  readonly protected!: boolean;

  @ContentField(
    () => Boolean,
    NOT_EMBEDDED,
    'Whether posts of this status should be shown in the front end of the site.',
    { readonly: true },
  )
  readonly public!: boolean;

  @ContentField(() => Boolean, NOT_EMBEDDED, 'Whether posts with this status should be publicly-queryable.', {
    readonly: true,
  })
  readonly queryable!: boolean;

  @ContentField(() => Boolean, EDIT_ONLY, 'Whether to include posts in the edit listing for their post type.', {
    readonly: true,
  })
  readonly show_in_list!: boolean;

  @ContentField(() => String, ALWAYS, 'An alphanumeric identifier for the status.', { readonly: true, linked: true })
  readonly slug!: string;
}

/** A way to sort posts into terms. Specification: section D, `/wp/v2/taxonomies`. */
@ContentRecord('taxonomy', 'A way to sort posts into terms.')
export class RegisteredTaxonomy {
  @ContentField(() => String, ALWAYS, 'The title for the taxonomy.', { readonly: true })
  readonly name!: string;

  @ContentField(() => String, ALWAYS, 'An alphanumeric identifier for the taxonomy.', { readonly: true })
  readonly slug!: string;

  @ContentField(() => Untyped, EDIT_ONLY, 'All capabilities used by the taxonomy.', { readonly: true, schema: OBJECT })
  readonly capabilities!: Readonly<Record<string, string>>;

  @ContentField(() => String, NOT_EMBEDDED, 'A human-readable description of the taxonomy.', { readonly: true })
  readonly description!: string;

  @ContentField(() => Untyped, EDIT_ONLY, 'Human-readable labels for the taxonomy for various contexts.', {
    readonly: true,
    schema: OBJECT,
  })
  readonly labels!: Readonly<Record<string, string | null>>;

  @ContentField(() => [String], NOT_EMBEDDED, 'Types associated with the taxonomy.', { readonly: true })
  readonly types!: readonly string[];

  @ContentField(() => Boolean, EDIT_ONLY, 'Whether or not the term cloud should be displayed.', { readonly: true })
  readonly show_cloud!: boolean;

  @ContentField(() => Boolean, NOT_EMBEDDED, 'Whether or not the taxonomy should have children.', { readonly: true })
  readonly hierarchical!: boolean;

  @ContentField(() => String, ALWAYS, 'REST base route for the taxonomy.', { readonly: true, linked: true })
  readonly rest_base!: string;
}

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
