import { Ctx, Query, Resolver } from 'type-graphql';

import { may } from '../access/capabilities.ts';
import { ContentError } from '../schema/content-error.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { CONTEXT } from '../schema/list-parameters.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import {
  RegisteredStatus,
  RegisteredTaxonomy,
  RegisteredType,
  STATUS_READ,
  TAXONOMY_LIST,
  TAXONOMY_READ,
  TYPE_READ,
} from '../schema/records/registered.ts';
import { Takes } from '../schema/takes.ts';
import type { ContentContext } from '../access/content-context.ts';
import { reject } from '../items/item-permissions.ts';
import { anyone, type RawArguments, Permitted } from '../access/permitted.ts';

import { HIDDEN_STATUSES } from '../schema/parameters/item-parameters.ts';
import { HIDDEN_TAXONOMIES, HIDDEN_TYPES, STATUSES, TAXONOMIES, TYPES } from './registry.ts';

const MAY_NOT_EDIT = 'Sorry, you are not allowed to edit posts in this post type.';
const MAY_NOT_ASSIGN = 'Sorry, you are not allowed to manage terms in this taxonomy.';

/** Registries of the website: its types of content, their statuses, and its taxonomies. */
@Resolver()
export class RegistryResolver {
  @Permitted(checkEditor)
  @Query(() => [RegisteredType], { description: 'The types of content.' })
  types(
    @Takes(CONTEXT) { context: display }: ParametersOf<typeof CONTEXT>,
    @Ctx() context: ContentContext,
  ): RegisteredType[] {
    return TYPES.filter((type) => display !== 'edit' || mayEdit(type, context));
  }

  @Permitted(anyone)
  @Query(() => RegisteredType, { description: 'One type of content.' })
  type(
    @Takes(TYPE_READ) { type: slug, context: display }: ParametersOf<typeof TYPE_READ>,
    @Ctx() context: ContentContext,
  ): RegisteredType {
    if (HIDDEN_TYPES.includes(slug ?? '')) reject('rest_cannot_read_type', 'Cannot view post type.', context);
    const type = TYPES.find((one) => one.slug === slug);
    if (!type) throw new ContentError('rest_type_invalid', 'Invalid post type.', 404);
    if (display === 'edit' && !mayEdit(type, context)) reject('rest_forbidden_context', MAY_NOT_EDIT, context);
    return type;
  }

  @Permitted(checkEditor)
  @Query(() => [RegisteredStatus], { description: 'The statuses that the caller may see.' })
  statuses(@Takes(CONTEXT) _args: ParametersOf<typeof CONTEXT>, @Ctx() context: ContentContext): RegisteredStatus[] {
    return STATUSES.filter((status) => maySee(status, context));
  }

  @Permitted((given: RawArguments, context) => findStatus(given, context))
  @Query(() => RegisteredStatus, { description: 'One status.' })
  status(@Takes(STATUS_READ) args: ParametersOf<typeof STATUS_READ>, @Ctx() context: ContentContext): RegisteredStatus {
    return findStatus(args, context);
  }

  @Permitted(({ context: display, type }: RawArguments, context) => {
    const isFound = TAXONOMIES.some(({ types }) => !type || types.includes(String(type)));
    if (display === 'edit' && !(isFound && may(context.caller, 'edit_posts'))) {
      reject('rest_cannot_view', MAY_NOT_ASSIGN, context);
    }
  })
  @Query(() => [RegisteredTaxonomy], { description: 'The taxonomies, or those of one type.' })
  taxonomies(@Takes(TAXONOMY_LIST) { type }: ParametersOf<typeof TAXONOMY_LIST>): RegisteredTaxonomy[] {
    return TAXONOMIES.filter(({ types }) => !type || types.includes(type));
  }

  @Permitted(({ taxonomy, context: display }: RawArguments, context) => {
    if (HIDDEN_TAXONOMIES.includes(String(taxonomy))) {
      reject('rest_forbidden', 'Sorry, you are not allowed to do that.', context);
    }
    const isThere = TAXONOMIES.some(({ slug }) => slug === taxonomy);
    if (isThere && display === 'edit' && !may(context.caller, 'edit_posts')) {
      reject('rest_forbidden_context', MAY_NOT_ASSIGN, context);
    }
  })
  @Query(() => RegisteredTaxonomy, { description: 'One taxonomy.' })
  taxonomy(@Takes(TAXONOMY_READ) { taxonomy }: ParametersOf<typeof TAXONOMY_READ>): RegisteredTaxonomy {
    const found = TAXONOMIES.find(({ slug }) => slug === taxonomy);
    if (!found) throw new ContentError('rest_taxonomy_invalid', 'Invalid taxonomy.', 404);
    return found;
  }
}

/** Whoever lists for editing must be able to edit something. */
function checkEditor({ context: display }: RawArguments, context: ContentContext): void {
  const isEditor = TYPES.some((type) => mayEdit(type, context));
  if (display === 'edit' && !isEditor) reject('rest_cannot_view', MAY_NOT_EDIT, context);
}

function mayEdit({ slug }: RegisteredType, { caller }: ContentContext): boolean {
  return may(caller, `edit_${kindOf(slug)?.noun ?? 'posts'}`);
}

/** Public statuses are shown to everybody, the others to users who write. */
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
