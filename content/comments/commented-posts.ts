import { may } from '../access/capabilities.ts';
import { ContentItemStore, type StoredItem } from '../models/content-item.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';
import { loadParents, type ParentItem, type Parents, isReadable } from '../items/item-extras.ts';
import { isPasswordOf } from '../items/post-password.ts';
import type { Service } from '../../models/store/service.ts';
import { type StoredComment, CommentStore } from '../models/comment.ts';
import { ContentError } from '../schema/content-error.ts';
import { ADDRESSED } from '../access/permalink.ts';
import { isRevealed } from '../items/item-view.ts';

/** Arguments of a request that may open the post of a comment. */
export interface PostAccess {
  readonly context?: unknown;
  readonly password?: unknown;
  /** True for a request about one post or one comment; a password opens nothing else. */
  readonly isAboutOne: boolean;
}

/** A post, as far as its comments need it. */
export type CommentedPost = ParentItem & Pick<StoredItem, 'title' | 'password' | 'comment_status'>;

/** The posts of some comments. */
export interface CommentedPosts extends Parents {
  find(id: number): CommentedPost | undefined;
}

/** The stored fields of a commented post. */
const FIELDS = { ...ADDRESSED, status_before_trash: 1, author: 1, title: 1, password: 1, comment_status: 1 } as const;

/**
 * Reads the posts of some comments together.
 *
 * @param listed posts that need not be read again
 */
export async function loadCommentedPosts(
  service: Service,
  ids: readonly number[],
  listed: ContentContext['listed'] = new Map(),
): Promise<CommentedPosts> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  const unread = wanted.filter((id) => !listed.has(id));
  const items = [
    ...wanted.map((id) => listed.get(id)).filter((item) => item !== undefined),
    ...(unread.length === 0 ? [] : await ContentItemStore.find(service, { id: { $in: unread } }, FIELDS)),
  ];
  const byId = new Map(items.map((item) => [item.id, item]));
  const { parentOf } = await loadParents(service, items);
  return { parentOf, find: (id) => byId.get(id) };
}

/**
 * Returns true if a caller may read comments on a post: with the right to read the post, and with its password if it
 * has one.
 */
export function mayReadCommentsOn(
  post: CommentedPost,
  posts: CommentedPosts,
  access: PostAccess,
  context: ContentContext,
): boolean {
  if (post.type === 'revision') return false;
  const isLocked = !isRevealed(post, access.isAboutOne ? access : {});
  return isLocked ? may(context.caller, 'edit_post', post) : isReadable(post, posts, context);
}

/**
 * Checks a password with which a caller would read comments on a post, so that wrong ones are limited.
 *
 * @throws ContentError after too many wrong ones
 */
export async function limitGuesses(post: CommentedPost, access: PostAccess, context: ContentContext): Promise<void> {
  const { password, isAboutOne } = access;
  if (isAboutOne && access.context !== 'edit' && typeof password === 'string' && password !== '') {
    await isPasswordOf(password, post, context);
  }
}

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

/** Finds those of some comments that a caller may read, and their posts. */
export async function readableComments(
  comments: readonly StoredComment[],
  access: PostAccess,
  context: ContentContext,
): Promise<{ readonly comments: readonly StoredComment[]; readonly posts: CommentedPosts }> {
  const ids = comments.map(({ post }) => post);
  const posts = await loadCommentedPosts(context.service, ids, context.listed);
  return { comments: comments.filter((comment) => isReadableComment(comment, posts, access, context)), posts };
}

/**
 * The comment that an id names.
 *
 * @param id as sent
 * @throws ContentError `rest_comment_invalid_id`, or `rest_post_invalid_id` if its post is gone
 */
export async function findComment(
  service: Service,
  id: unknown,
): Promise<{ readonly comment: StoredComment; readonly posts: CommentedPosts }> {
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

/** Error for an id that names no comment. */
export function noComment(): ContentError {
  return new ContentError('rest_comment_invalid_id', 'Invalid comment ID.', 404);
}
