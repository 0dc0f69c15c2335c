import { may } from '../access/capabilities.ts';
import { ContentError } from '../schema/content-error.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { CONTEXT } from '../schema/list-parameters.ts';
import { listOf } from '../schema/content-field.ts';
import {
  RegisteredStatus,
  RegisteredTaxonomy,
  RegisteredType,
  STATUS_READ,
  TAXONOMY_LIST,
  TAXONOMY_READ,
  TYPE_READ,
} from '../schema/records/registered.ts';
import { type ContentContext, reject } from '../access/content-context.ts';
import { isTruthy } from '../schema/php-values.ts';
import { rootField, type RootFields, anyone, type RawArguments } from '../access/root-field.ts';

import { HIDDEN_STATUSES } from '../schema/parameters/item-parameters.ts';
import { HIDDEN_TAXONOMIES, HIDDEN_TYPES, STATUSES, TAXONOMIES, TYPES } from './registry.ts';

const MAY_NOT_EDIT = 'Sorry, you are not allowed to edit posts in this post type.';
const MAY_NOT_ASSIGN = 'Sorry, you are not allowed to manage terms in this taxonomy.';

/** Registries of the website: its types of content, their statuses, and its taxonomies. */
export const registryResolver: RootFields = {
  queries: {
    types: rootField(
      'The types of content.',
      { returns: listOf(RegisteredType), takes: CONTEXT, permitted: checkEditor },
      (args, context) => TYPES.filter((type) => args.context !== 'edit' || mayEdit(type, context)),
    ),
    type: rootField(
      'One type of content.',
      { returns: RegisteredType, takes: TYPE_READ, permitted: anyone },
      ({ type: slug = '', context: display }, context) => {
        if (HIDDEN_TYPES.includes(slug)) reject('rest_cannot_read_type', 'Cannot view post type.', context);
        const type = TYPES.find((one) => one.slug === slug);
        if (!type) throw new ContentError('rest_type_invalid', 'Invalid post type.', 404);
        if (display === 'edit' && !mayEdit(type, context)) reject('rest_forbidden_context', MAY_NOT_EDIT, context);
        return type;
      },
    ),
    statuses: rootField(
      'The statuses that the caller may see.',
      { returns: listOf(RegisteredStatus), takes: CONTEXT, permitted: checkEditor },
      (_args, context) => STATUSES.filter((status) => maySee(status, context)),
    ),
    status: rootField(
      'One status.',
      { returns: RegisteredStatus, takes: STATUS_READ, permitted: findStatus },
      findStatus,
    ),
    taxonomies: rootField(
      'The taxonomies, or those of one type.',
      {
        returns: listOf(RegisteredTaxonomy),
        takes: TAXONOMY_LIST,
        permitted: ({ context: display, type }, context) => {
          const isEditor = taxonomiesOf(type).length > 0 && may(context.caller, 'edit_posts');
          if (display === 'edit' && !isEditor) reject('rest_cannot_view', MAY_NOT_ASSIGN, context);
        },
      },
      ({ type }) => taxonomiesOf(type),
    ),
    taxonomy: rootField(
      'One taxonomy.',
      {
        returns: RegisteredTaxonomy,
        takes: TAXONOMY_READ,
        permitted: ({ taxonomy, context: display }, context) => {
          if (HIDDEN_TAXONOMIES.includes(String(taxonomy))) {
            reject('rest_forbidden', 'Sorry, you are not allowed to do that.', context);
          }
          const isThere = TAXONOMIES.some(({ slug }) => slug === taxonomy);
          if (isThere && display === 'edit' && !may(context.caller, 'edit_posts')) {
            reject('rest_forbidden_context', MAY_NOT_ASSIGN, context);
          }
        },
      },
      ({ taxonomy }) => {
        const found = TAXONOMIES.find(({ slug }) => slug === taxonomy);
        if (!found) throw new ContentError('rest_taxonomy_invalid', 'Invalid taxonomy.', 404);
        return found;
      },
    ),
  },
};

/** The taxonomies of a type, or all without a type. */
function taxonomiesOf(type: unknown): RegisteredTaxonomy[] {
  return TAXONOMIES.filter(({ types }) => !isTruthy(type) || types.includes(String(type)));
}

/** To list for editing, a caller must be able to edit something. */
function checkEditor({ context: display }: RawArguments, context: ContentContext): void {
  const isEditor = TYPES.some((type) => mayEdit(type, context));
  if (display === 'edit' && !isEditor) reject('rest_cannot_view', MAY_NOT_EDIT, context);
}

function mayEdit({ slug }: RegisteredType, { caller }: ContentContext): boolean {
  return may(caller, `edit_${kindOf(slug)?.noun ?? 'posts'}`);
}

/** Public statuses are shown to everyone, the others to users who write. */
function maySee(status: RegisteredStatus, context: ContentContext): boolean {
  return status.public || TYPES.some((type) => mayEdit(type, context));
}

function findStatus({ status: slug }: RawArguments, context: ContentContext): RegisteredStatus {
  const status = STATUSES.find((one) => one.slug === slug);
  if (!status && !HIDDEN_STATUSES.some((hidden) => hidden === String(slug))) {
    throw new ContentError('rest_status_invalid', 'Invalid status.', 404);
  }
  if (!status || !maySee(status, context)) reject('rest_cannot_read_status', 'Cannot view status.', context);
  return status;
}
