import type { FilterOf } from '../../models/store/plain-store.ts';

import { may, type PostSubject } from '../access/capabilities.ts';
import { ATTACHMENT } from '../schema/kinds/content-kinds.ts';
import { ContentItemStore, type ItemType, type StoredItem } from '../models/content-item.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';

type Filter = FilterOf<StoredItem>;

/** Every status that an item can have, but that of the trash. */
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'inherit', 'auto-draft'] as const;

/** Stands for any user but the caller. */
const SOMEBODY_ELSE = -1;

/**
 * Narrows a list to the items of a type that the caller may edit, or may read without regard to what they are attached to.
 * The rule is that of {@link may}, which is asked about one item of each status.
 *
 * @returns an empty filter where the caller may do so with all items of the statuses
 */
export function permittedFilter(
  capability: 'edit_post' | 'read_post',
  type: ItemType,
  context: ContentContext,
  statuses: readonly string[] = [...STATUSES, 'trash'],
): Filter {
  const allows = (subject: Omit<PostSubject, 'type'>) => may(context.caller, capability, { type, ...subject });
  const own = userIdOf(context);
  const ownStatuses = statuses.filter((status) => status !== 'trash' && allows({ status, author: own }));
  const ownBefore = [...STATUSES, null].filter((before) =>
    allows({ status: 'trash', status_before_trash: before, author: own }),
  );
  const othersStatuses = statuses.filter((status) => allows({ status, author: SOMEBODY_ELSE }));
  if (othersStatuses.length === statuses.length) return {};
  return {
    $or: [
      { status: { $in: othersStatuses }, author: { $ne: own } },
      { status: { $in: ownStatuses }, author: own },
      { status: 'trash', status_before_trash: { $in: ownBefore }, author: own },
    ],
  };
}

/**
 * Narrows a list of attachments to those that the caller may read: they are as public as what they are attached to.
 *
 * @param filter what the attachments are besides
 */
export async function readableAttachments(filter: Filter, context: ContentContext): Promise<Filter> {
  const byThemselves = permittedFilter('read_post', ATTACHMENT.type, context);
  if (Object.keys(byThemselves).length === 0) return {};
  const ids: number[] = await ContentItemStore.distinct(context.service, 'parent', filter);
  const parents = await ContentItemStore.find(context.service, { id: { $in: ids } }).select({
    _id: 0,
    id: 1,
    type: 1,
    status: 1,
    author: 1,
    status_before_trash: 1,
  });
  const hidden = parents.filter((parent) => !may(context.caller, 'read_post', parent)).map(({ id }) => id);
  return { $or: [byThemselves, { status: 'inherit', parent: { $nin: hidden } }] };
}
