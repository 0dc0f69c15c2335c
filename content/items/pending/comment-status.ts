import { COMMENT_STATUSES, CommentStore, type CommentStatus, type StoredComment } from '../../models/comment.ts';
import { ContentItemStore } from '../../models/content-item.ts';
import { isNumeric } from '../../schema/php-values.ts';
import type { Service } from '../../../models/store/service.ts';

/** Effect of each status that a request sets on a comment, numbers in any notation; other names have no effect. */
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
 * A comment with the status that a request names; spam and trash keep the earlier status. The text of a comment in the
 * trash may be posted again.
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
 * Makes comments follow their post into the trash or out of it, by its final state: another request may trash
 * or restore it meanwhile.
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

/** Trashes the comments of a post with it; the earlier status of each is kept. */
async function trashComments(service: Service, post: number): Promise<void> {
  for (const status of BEFORE_AWAY) {
    await CommentStore.updateMany(service, { post, status }, { $set: { status: AWAY, status_before: status } });
  }
}

/** Restores the comments of a post before the post itself. */
export async function restoreComments(service: Service, post: number): Promise<void> {
  for (const status of BEFORE_AWAY) {
    await CommentStore.updateMany(
      service,
      { post, status: AWAY, status_before: status },
      { $set: { status, status_before: null } },
    );
  }
}

/** The status of comments that were trashed with their post. */
const AWAY = 'post-trashed';
const BEFORE_AWAY = COMMENT_STATUSES.filter((status) => status !== AWAY);
