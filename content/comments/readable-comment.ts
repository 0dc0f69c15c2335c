import { may } from '../access/capabilities.ts';
import type { StoredComment } from '../models/comment.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';

import { type CommentedPosts, mayReadCommentsOn, type PostAccess } from './commented-posts.ts';

/**
 * Returns true if a caller may read a comment: an approved one with its post, their own, or one on a post that they may
 * edit.
 */
export function isReadableComment(
  comment: StoredComment,
  posts: CommentedPosts,
  access: PostAccess,
  context: ContentContext,
): boolean {
  const post = posts.find(comment.post);
  const isApproved = comment.status === 'approved';
  if (post && isApproved && mayReadCommentsOn(post, posts, access, context)) return true;
  const { caller } = context;
  if (caller.kind !== 'website') return false;
  if (comment.post === 0 && !may(caller, 'moderate_comments')) return false;
  if (comment.author !== 0 && comment.author === userIdOf(context)) return true;
  return may(caller, 'edit_comment', post ?? null);
}
