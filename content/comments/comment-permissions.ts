import { may } from '../access/capabilities.ts';
import { ContentError } from '../schema/content-error.ts';
import { isNumeric, toInteger, isTruthy } from '../schema/php-values.ts';
import { type ContentContext, userIdOf, reject } from '../access/content-context.ts';
import type { FieldPermissions, RawArguments } from '../access/root-field.ts';

import {
  limitGuesses,
  loadCommentedPosts,
  mayReadCommentsOn,
  isReadableComment,
  findComment,
} from './commented-posts.ts';

/** Parameters of a list that reveal more about people than strangers may know. */
const GUARDED = ['author', 'author_exclude', 'author_email'] as const;

/** Permission checks of the root fields of comments. */
export const commentPermissions: FieldPermissions = {
  list: async (given, context) => {
    const { caller } = context;
    await checkPosts(given, context);
    if (given.context === 'edit' && !may(caller, 'moderate_comments')) forbidContext(context);
    if (may(caller, 'edit_posts')) return;
    const forbidden: string[] = GUARDED.filter((name) => isTruthy(given[name]));
    if (given.type !== 'comment') forbidden.push('type');
    if (given.status !== 'approve') forbidden.push('status');
    if (forbidden.length > 0) {
      reject('rest_forbidden_param', `Query parameter not permitted: ${forbidden.join(', ')}`, context);
    }
  },
  read: async (given, context) => {
    const { comment, posts } = await findComment(context.service, given.id);
    if (given.context === 'edit' && !may(context.caller, 'moderate_comments')) forbidContext(context);
    const access = { context: given.context, password: given.password, isAboutOne: true };
    const post = posts.find(comment.post);
    if (post) await limitGuesses(post, access, context);
    if (!isReadableComment(comment, posts, access, context)) {
      reject('rest_cannot_read', 'Sorry, you are not allowed to read this comment.', context);
    }
    if (post && !mayReadCommentsOn(post, posts, access, context)) {
      reject('rest_cannot_read_post', 'Sorry, you are not allowed to read the post for this comment.', context);
    }
  },
  create: async (given, context) => {
    const { caller, client } = context;
    if (caller.kind !== 'website') {
      throw new ContentError('rest_comment_login_required', 'Sorry, you must be logged in to comment.', 401);
    }
    if (!may(caller, 'moderate_comments')) {
      if (isSet(given.author) && given.author !== userIdOf(context)) forbidEdit('author', context);
      if (isSet(given.author_ip) && given.author_ip !== client.ip) forbidEdit('author_ip', context);
      if (isSet(given.status)) forbidEdit('status', context);
    }
    const id = numberOfPost(given.post);
    const post = (await loadCommentedPosts(context.service, [id])).find(id);
    if (post) await limitGuesses(post, { password: given.password, isAboutOne: true }, context);
    await checkCommented(given, context);
  },
  update: async (given, context) => {
    if (await mayModerate(given.id, context)) return;
    reject('rest_cannot_edit', 'Sorry, you are not allowed to edit this comment.', context);
  },
  delete: async (given, context) => {
    if (await mayModerate(given.id, context)) return;
    reject('rest_cannot_delete', 'Sorry, you are not allowed to delete this comment.', context);
  },
};

/**
 * Checks that the item of a new comment is one on which the caller may comment. Visitors do so by the form of its page
 * only, where comments wait for approval.
 *
 * @throws ContentError if there is no such item, it may not be read, or comments are closed
 */
export async function checkCommented(given: RawArguments, context: ContentContext): Promise<void> {
  const id = numberOfPost(given.post);
  const posts = await loadCommentedPosts(context.service, [id]);
  const post = posts.find(id);
  if (!post) {
    const message = 'Sorry, you are not allowed to create this comment without a post.';
    throw new ContentError('rest_comment_invalid_post_id', message, 403);
  }
  if (post.status === 'draft' || post.status === 'trash') {
    const message = 'Sorry, you are not allowed to create a comment on this post.';
    throw new ContentError(`rest_comment_${post.status}_post`, message, 403);
  }
  if (!mayReadCommentsOn(post, posts, { password: given.password, isAboutOne: true }, context)) {
    reject('rest_cannot_read_post', 'Sorry, you are not allowed to read the post for this comment.', context);
  }
  if (post.comment_status !== 'open') {
    throw new ContentError('rest_comment_closed', 'Sorry, comments are closed for this item.', 403);
  }
}

/** The number of a post; the reference takes a list, which the filter of a list of comments is, for the number 1. */
function numberOfPost(post: unknown): number {
  if (Array.isArray(post)) return post.length > 0 ? 1 : 0;
  return toInteger(post ?? 0);
}

async function mayModerate(id: unknown, { service, caller }: ContentContext): Promise<boolean> {
  const { comment, posts } = await findComment(service, id);
  return may(caller, 'moderate_comments') && may(caller, 'edit_comment', posts.find(comment.post) ?? null);
}

/** Each post for which a list is requested must be one whose comments the caller may read. */
async function checkPosts(given: RawArguments, context: ContentContext): Promise<void> {
  const isNumber = (id: unknown) => isNumeric(id) && Number.isSafeInteger(Number(id));
  const ids = isTruthy(given.post) ? [given.post].flat().filter(isNumber).map(Number) : [];
  const posts = await loadCommentedPosts(context.service, ids, context.listed);
  const access = { context: given.context, password: given.password, isAboutOne: ids.length === 1 };
  for (const id of ids) {
    const post = posts.find(id);
    if (post) await limitGuesses(post, access, context);
    if (post && !mayReadCommentsOn(post, posts, access, context)) {
      reject('rest_cannot_read_post', 'Sorry, you are not allowed to read the post for this comment.', context);
    }
    if (id === 0 && !may(context.caller, 'moderate_comments')) {
      reject('rest_cannot_read', 'Sorry, you are not allowed to read comments without a post.', context);
    }
  }
}

function forbidContext(context: ContentContext): never {
  reject('rest_forbidden_context', 'Sorry, you are not allowed to edit comments.', context);
}

function forbidEdit(name: 'author' | 'author_ip' | 'status', context: ContentContext): never {
  reject(`rest_comment_invalid_${name}`, `Sorry, you are not allowed to edit '${name}' for comments.`, context);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
