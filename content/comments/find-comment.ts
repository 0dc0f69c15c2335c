import { CommentStore, type StoredComment } from '../models/comment.ts';
import { ContentError } from '../schema/content-error.ts';

import { type CommentedPosts, loadCommentedPosts } from './commented-posts.ts';
import type { Service } from '../../models/store/service.ts';

/** A comment and the post that it is on. */
export interface FoundComment {
  readonly comment: StoredComment;
  readonly posts: CommentedPosts;
}

/**
 * The comment that an id names.
 *
 * @param id as it came
 * @throws ContentError `rest_comment_invalid_id`, or `rest_post_invalid_id` where its post is gone
 */
export async function findComment(service: Service, id: unknown): Promise<FoundComment> {
  const number = Number(id);
  const comment =
    Number.isSafeInteger(number) && number > 0 ? await CommentStore.findOne(service, { id: number }, { _id: 0 }) : null;
  if (!comment) throw noComment();
  const posts = await loadCommentedPosts(service, [comment.post]);
  if (comment.post !== 0 && !posts.find(comment.post)) {
    throw new ContentError('rest_post_invalid_id', 'Invalid post ID.', 404);
  }
  return { comment, posts };
}

/** Refusal of an id that names no comment. */
export function noComment(): ContentError {
  return new ContentError('rest_comment_invalid_id', 'Invalid comment ID.', 404);
}
