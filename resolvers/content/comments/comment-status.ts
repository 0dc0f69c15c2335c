import {
  COMMENT_STATUSES,
  CommentModel,
  type CommentStatus,
  type StoredComment,
} from '../../../models/content/comment.ts';

/** What a status does that a request gives to a comment; other names do nothing. */
const CHANGES: Readonly<Record<string, (comment: StoredComment) => CommentStatus>> = {
  approved: () => 'approved',
  approve: () => 'approved',
  '1': () => 'approved',
  hold: () => 'hold',
  '0': () => 'hold',
  spam: () => 'spam',
  unspam: ({ status_before }) => status_before ?? 'hold',
  trash: () => 'trash',
  untrash: ({ status_before }) => status_before ?? 'hold',
};

/** Gives a comment the status that a request names; what becomes spam or trash remembers what it was. */
export async function changeStatus(comment: StoredComment, name: string): Promise<void> {
  const status = CHANGES[name]?.(comment);
  if (status === undefined || status === comment.status) return;
  const isPutAway = status === 'spam' || status === 'trash';
  const isBack = name === 'unspam' || name === 'untrash';
  await CommentModel.updateOne(
    { id: comment.id },
    { $set: { status, ...(isPutAway ? { status_before: comment.status } : isBack ? { status_before: null } : {}) } },
  );
}

/** Takes the comments of a post away with it when it is thrown away; what each was is remembered. */
export async function putAwayComments(post: number): Promise<void> {
  for (const status of BEFORE_AWAY) {
    await CommentModel.updateMany({ post, status }, { $set: { status: AWAY, status_before: status } });
  }
}

/** Brings the comments of a post back before it comes back itself. */
export async function bringBackComments(post: number): Promise<void> {
  for (const status of BEFORE_AWAY) {
    await CommentModel.updateMany(
      { post, status: AWAY, status_before: status },
      { $set: { status, status_before: null } },
    );
  }
}

/** The status of what was taken away with its post. */
const AWAY = 'post-trashed';
const BEFORE_AWAY = COMMENT_STATUSES.filter((status) => status !== AWAY);
