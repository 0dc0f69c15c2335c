import { capabilitiesOf, may } from '../access/capabilities.ts';
import {
  CommentStore,
  type CommentStatus,
  duplicateKeyOf,
  FLOOD_SECONDS,
  floodKeysOf,
  type StoredComment,
} from '../models/comment.ts';
import { ContentItemStore } from '../models/content-item.ts';
import { nextNumber } from '../models/sequence.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import { isDuplicateKey } from '../../models/store/duplicate-key.ts';
import type { COMMENT_CREATE, COMMENT_WRITE } from '../schema/parameters/comment-parameters.ts';
import { formatContentDate } from '../schema/content-date.ts';
import { ContentError } from '../schema/content-error.ts';
import { isTruthy } from '../schema/php-values.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';
import { renderComment } from '../rendering/content.ts';
import { siteNow, resolveInstant } from '../access/site-time.ts';

import { withStatus } from '../items/pending/comment-status.ts';
import { checkWritten, cleaned, ofUser, type WrittenComment, writtenComment } from './written-comment.ts';
import type { Service } from '../../models/store/service.ts';
import { changeVersioned } from '../models/versions.ts';
import { findComment, noComment } from './commented-posts.ts';

/** Arguments of a new comment. */
export type CommentCreateArguments = ParametersOf<typeof COMMENT_CREATE>;

type NewComment = Omit<StoredComment, 'id' | 'status' | 'status_before' | 'type'>;

/** Time for which the last comment of a sender is remembered against floods, in milliseconds. */
const FLOOD_MEMORY = 60 * 60 * 1000;
/** Number of links from which a comment waits for approval. */
const SUSPICIOUS_LINKS = 2;

/**
 * Writes a comment.
 *
 * @returns the number of the comment
 * @throws ContentError if it is empty, repeats another one, or follows one too soon
 */
export async function createComment(args: CommentCreateArguments, context: ContentContext): Promise<number> {
  const comment = await composeComment(args, context);
  await storeComment(context.service, comment);
  return comment.id;
}

/**
 * Prepares a comment to be stored; writes no content.
 *
 * @throws ContentError if it is empty, repeats another one, or follows one too soon
 */
export async function composeComment(args: CommentCreateArguments, context: ContentContext): Promise<StoredComment> {
  if (args.id) throw new ContentError('rest_comment_exists', 'Cannot create existing comment.', 400);
  if (isTruthy(args.type) && args.type !== 'comment') {
    throw new ContentError('rest_invalid_comment_type', 'Cannot create a comment with that type.', 400);
  }
  const written = await writtenComment(args, context);
  if (written.content === undefined || written.content === '' || written.content === '0') checkWritten(written, true);
  const comment = await completed(written, context);
  if (!isTruthy(comment.author_name) || !isTruthy(comment.author_email)) {
    const message = 'Creating a comment requires valid author name and email values.';
    throw new ContentError('rest_comment_author_data_required', message, 400);
  }
  checkWritten(comment, true);
  const said = cleaned(comment, context);
  await rejectDuplicate(context.service, said);
  const isFree = may(context.caller, 'moderate_comments');
  if (!isFree) await rejectFlood(comment, context);
  const status = await statusOf(comment, context);
  const id = await nextNumber(context.service, 'comments');
  const facts = {
    status,
    status_before: null,
    type: 'comment',
    duplicate_key: duplicateKeyOf(said),
    ...(!isFree && said.date_gmt >= floodMemory() && { flood_keys: floodKeysOf(writerOf(said, context), said) }),
  } as const;
  return withStatus({ id, ...said, ...facts }, args.status);
}

/**
 * Stores a new comment.
 *
 * @throws ContentError if another request has stored the same comment, or another one of the same author, in the meantime
 */
export async function storeComment(service: Service, comment: StoredComment): Promise<void> {
  try {
    await CommentStore.create(service, comment);
  } catch (error) {
    if (isDuplicateKey(error, 'duplicate_key')) throw duplicate();
    if (isDuplicateKey(error, 'flood_keys')) throw flood();
    throw error;
  }
}

/** Fills in fields that the request omits: the author defaults to the caller. */
async function completed(written: WrittenComment, context: ContentContext): Promise<NewComment> {
  const { author, author_name, author_email, author_url = '' } = written;
  const isNobody = author_url === '' && ![author, author_name, author_email].some(isTruthy);
  const user = isNobody ? await WebsiteUserStore.findOne(context.service, { id: userIdOf(context) }) : null;
  const now = siteNow((await context.settings()).timezone);
  return {
    post: 0,
    parent: 0,
    author: 0,
    author_name: '',
    author_email: '',
    author_url: '',
    author_ip: '',
    author_user_agent: '',
    content: '',
    date: now.local,
    date_gmt: now.gmt,
    ...written,
    ...(user ? ofUser(user) : {}),
  };
}

async function rejectDuplicate(
  service: Service,
  { post, parent, author_name, author_email, content }: NewComment,
): Promise<void> {
  const same = { post, parent, author_name, content, status: { $ne: 'trash' } } as const;
  const isThere = await CommentStore.exists(service, author_email === '' ? same : { ...same, author_email });
  if (isThere) throw duplicate();
}

function duplicate(): ContentError {
  const message = 'Duplicate comment detected; it looks as though you&#8217;ve already said that!';
  return new ContentError('comment_duplicate', message, 409);
}

/** Name of the sender in {@link floodKeysOf}. Visitors have no number: they are distinguished by address. */
function writerOf({ author_ip }: NewComment, context: ContentContext): string {
  const user = userIdOf(context);
  return user === 0 ? `address ${author_ip}` : `user ${user}`;
}

async function rejectFlood({ author_email, author_ip, date_gmt }: NewComment, context: ContentContext): Promise<void> {
  const user = userIdOf(context);
  // Comments of visitors wait, so that an index finds those of an address.
  const sender = user === 0 ? { status: 'hold' as const, author_ip } : { author: user };
  const byThem = { $or: [sender, { author_email }] };
  const last = await CommentStore.findOne(
    context.service,
    { date_gmt: { $gte: floodMemory() }, ...byThem },
    { date_gmt: 1 },
  ).sort({ date_gmt: -1 });
  if (last && (Date.parse(`${date_gmt}Z`) - Date.parse(`${last.date_gmt}Z`)) / 1000 < FLOOD_SECONDS) {
    throw flood();
  }
}

/** Date from which comments count against floods, in GMT. */
function floodMemory(): string {
  return formatContentDate(Date.now() - FLOOD_MEMORY);
}

function flood(): ContentError {
  return new ContentError('comment_flood', 'You are posting comments too quickly. Slow down.', 400);
}

/** Approved immediately: comments of moderators and of the post's author, and those with few links. */
async function statusOf({ author, post, content }: NewComment, context: ContentContext): Promise<CommentStatus> {
  const user = author === 0 ? null : await WebsiteUserStore.findOne(context.service, { id: author }, { roles: 1 });
  if (user) {
    if (capabilitiesOf(user.roles).has('moderate_comments')) return 'approved';
    if ((await ContentItemStore.exists(context.service, { id: post, author })) !== null) return 'approved';
  }
  const { use_smilies: smilies } = await context.settings();
  const rendered = renderComment(content, { smilies, siteUrl: context.site });
  const links = rendered.match(/<a [^>]*href/gi)?.length ?? 0;
  return links >= SUSPICIOUS_LINKS ? 'hold' : 'approved';
}

/**
 * Changes a comment. If another request changes it meanwhile, the change is computed again.
 *
 * @throws ContentError if its type would change, its post does not exist, or it would be empty
 */
export async function changeComment(args: ParametersOf<typeof COMMENT_WRITE>, context: ContentContext): Promise<void> {
  const find = async () => (await findComment(context.service, args.id)).comment;
  await changeVersioned(context.service, CommentStore, find, (comment) => changedComment(comment, args, context));
}

async function changedComment(
  comment: StoredComment,
  args: ParametersOf<typeof COMMENT_WRITE>,
  context: ContentContext,
): Promise<StoredComment> {
  if (args.type !== undefined && args.type !== comment.type) {
    const message = 'Sorry, you are not allowed to change the comment type.';
    throw new ContentError('rest_comment_invalid_type', message, 404);
  }
  const written = await writtenComment(args, context);
  if (written.post && (await ContentItemStore.exists(context.service, { id: written.post })) === null) {
    throw new ContentError('rest_comment_invalid_post_id', 'Invalid post ID.', 403);
  }
  checkWritten(written, false);
  const { timezone } = await context.settings();
  const { duplicate_key, ...changed }: StoredComment = cleaned({ ...comment, ...written }, context);
  const isSaidAlike = duplicate_key !== undefined && duplicate_key === duplicateKeyOf(changed);
  const date_gmt = resolveInstant(changed.date, 'local', timezone).gmt;
  return withStatus({ ...changed, date_gmt, ...(isSaidAlike ? { duplicate_key } : {}) }, args.status);
}

/**
 * Puts a comment into the trash, or deletes it permanently; its replies are moved up first.
 *
 * @throws ContentError if it is in the trash already, or another request has deleted it
 */
export async function removeComment(service: Service, id: unknown, isForGood: boolean): Promise<void> {
  const find = async () => (await findComment(service, id)).comment;
  if (isForGood) {
    const comment = await find();
    await CommentStore.updateMany(service, { parent: comment.id }, { $set: { parent: comment.parent } });
    const { deletedCount } = await CommentStore.deleteOne(service, { id: comment.id });
    if (deletedCount === 0) throw noComment();
    return;
  }
  await changeVersioned(service, CommentStore, find, (comment) => {
    if (comment.status === 'trash') {
      throw new ContentError('rest_already_trashed', 'The comment has already been trashed.', 410);
    }
    return withStatus(comment, 'trash');
  });
}
