import { COMMENT_STATUSES, CommentStore, type CommentStatus, type StoredComment } from '../../models/comment.ts';
import { ContentItemStore } from '../../models/content-item.ts';
import { isNumeric } from '../../schema/php-values.ts';
import type { Service } from '../../../models/store/service.ts';

/** Effect of each status that a request gives to a comment, numbers in any notation; other names do nothing. */
const CHANGES = new Map<string, (comment: StoredComment) => CommentStatus>([
  ['approved', () => 'approved'],
  ['approve', () => 'approved'],
  ['1', () => 'approved'],
  ['hold', () => 'hold'],
  ['0', () => 'hold'],
  ['spam', () => 'spam'],
  ['unspam', ({ status_before }) => status_before ?? 'hold'],
  ['trash', () => 'trash'],
  ['untrash', ({ status_before }) => status_before ?? 'hold'],
]);

/**
 * A comment with the status that a request names; what becomes spam or trash remembers what it was. What is in the trash
 * may be said again.
 */
export function withStatus(comment: StoredComment, name: string | undefined): StoredComment {
  const status = name === undefined ? undefined : CHANGES.get(isNumeric(name) ? String(Number(name)) : name)?.(comment);
  if (status === undefined || status === comment.status) return comment;
  const isRemoved = status === 'spam' || status === 'trash';
  const isBack = name === 'unspam' || name === 'untrash';
  const { duplicate_key, ...others } = comment;
  return {
    ...others,
    status,
    ...(duplicate_key === undefined || status === 'trash' ? {} : { duplicate_key }),
    ...(isRemoved ? { status_before: comment.status } : isBack ? { status_before: null } : {}),
  };
}

/**
 * Makes comments follow their post into the trash or out of it, by what it is at last: another request may throw it away
 * or bring it back meanwhile.
 */
export async function alignComments(service: Service, post: number): Promise<void> {
  const isTrashed = async () => (await ContentItemStore.exists(service, { id: post, status: 'trash' })) !== null;
  for (let trashed = await isTrashed(); ; ) {
    await (trashed ? trashComments(service, post) : restoreComments(service, post));
    const now = await isTrashed();
    if (now === trashed) return;
    trashed = now;
  }
}

/** Takes the comments of a post away with it when it is thrown away; what each was is remembered. */
async function trashComments(service: Service, post: number): Promise<void> {
  for (const status of BEFORE_AWAY) {
    await CommentStore.updateMany(service, { post, status }, { $set: { status: AWAY, status_before: status } });
  }
}

/** Brings the comments of a post back before it comes back itself. */
export async function restoreComments(service: Service, post: number): Promise<void> {
  for (const status of BEFORE_AWAY) {
    await CommentStore.updateMany(
      service,
      { post, status: AWAY, status_before: status },
      { $set: { status, status_before: null } },
    );
  }
}

/** The status of what was taken away with its post. */
const AWAY = 'post-trashed';
const BEFORE_AWAY = COMMENT_STATUSES.filter((status) => status !== AWAY);
