import type { FilterOf, Sort } from '../../models/store/plain-store.ts';

import { may } from '../access/capabilities.ts';
import { CommentStore, type StoredComment } from '../models/comment.ts';
import { totalBy } from '../models/list-totals.ts';
import type { COMMENT_LIST } from '../schema/parameters/comment-parameters.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { literalPattern } from '../../models/literal-pattern.ts';
import type { ContentContext } from '../access/content-context.ts';
import { clockBound } from '../access/site-time.ts';
import { readableComments } from './commented-posts.ts';

/** Arguments of the list of comments. */
export type CommentListArguments = ParametersOf<typeof COMMENT_LIST>;

type Filter = FilterOf<StoredComment>;

/** Statuses by the names that lists take; other names find nothing. */
const LISTED: ReadonlyMap<string, readonly string[]> = new Map([
  ['approve', ['approved']],
  ['1', ['approved']],
  ['hold', ['hold']],
  ['0', ['hold']],
  ['all', ['approved', 'hold']],
  ['', ['approved', 'hold']],
  ['spam', ['spam']],
  ['trash', ['trash']],
  ['post-trashed', ['post-trashed']],
]);

/** Types by the names that lists take; other names stand for themselves. */
const TYPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['comments', ['comment']],
  ['pings', ['pingback', 'trackback']],
]);

/**
 * Finds a page of comments. Pages are cut before permissions are looked at, as in the reference; but a search counts
 * only what the caller may read, since its total would reveal the content of others.
 */
export async function listComments(
  args: CommentListArguments,
  context: ContentContext,
): Promise<{ comments: readonly StoredComment[]; total: number }> {
  if (args.orderby === 'include' && args.include.length === 0) return { comments: [], total: 0 };
  const { timezone } = await context.settings();
  const filter = { $and: [...filters(args, timezone, context)] };
  const skip = args.offset ? Math.abs(args.offset) : (args.page - 1) * args.per_page;
  if (args.search || args.orderby === 'include') {
    const all = await CommentStore.find(context.service, filter, { _id: 0 }).sort(sortOf(args));
    const found = args.search ? (await readableComments(all, accessOf(args), context)).comments : all;
    const { include } = args;
    const ordered =
      args.orderby === 'include' ? found.toSorted((a, b) => include.indexOf(a.id) - include.indexOf(b.id)) : found;
    return { comments: ordered.slice(skip, skip + args.per_page), total: ordered.length };
  }
  const page = CommentStore.find(context.service, filter, { _id: 0 })
    .sort(sortOf(args))
    .skip(skip)
    .limit(args.per_page);
  const comments = await page;
  const found = { found: comments.length, skip, limit: args.per_page };
  return { comments, total: await totalBy(found, () => CommentStore.countDocuments(context.service, filter)) };
}

/** Arguments that open the posts of listed comments: a password does if the list is about one post. */
export function accessOf({ context, password, post }: CommentListArguments) {
  return { context, password, isAboutOne: post.length === 1 };
}

function* filters(args: CommentListArguments, timezone: string | null, { caller }: ContentContext): Generator<Filter> {
  yield {};
  if (args.status !== 'any') yield { status: { $in: [...(LISTED.get(args.status) ?? [])] as never[] } };
  if (args.type !== '' && args.type !== 'all') yield { type: { $in: [...(TYPES.get(args.type) ?? [args.type])] } };
  yield* amongOthers('id', args.include, args.exclude);
  yield* amongOthers('post', args.post, []);
  yield* amongOthers('parent', args.parent, args.parent_exclude);
  yield* amongOthers('author', args.author ?? [], args.author_exclude ?? []);
  if (args.author_email) yield { author_email: args.author_email };
  if (args.after !== undefined) yield { date: { $gt: clockBound(args.after, timezone) } };
  if (args.before !== undefined) yield { date: { $lt: clockBound(args.before, timezone) } };
  if (args.search) yield { $or: searched(args.search, may(caller, 'moderate_comments')) };
}

function* amongOthers(
  field: 'id' | 'post' | 'parent' | 'author',
  only: readonly number[],
  not: readonly number[],
): Generator<Filter> {
  if (only.length > 0) yield { [field]: { $in: only.map(Math.abs) } };
  if (not.length > 0) yield { [field]: { $nin: not.map(Math.abs) } };
}

/** Fields that a search looks at; addresses of people are searched for moderators only. */
function searched(search: string, isModerator: boolean): Filter[] {
  const pattern = { $regex: literalPattern(search), $options: 'i' };
  const shown = [{ author_name: pattern }, { author_url: pattern }, { content: pattern }];
  return isModerator ? [...shown, { author_email: pattern }, { author_ip: pattern }] : shown;
}

/** Ties are ordered by number, newest first, but in the direction of the dates when ordered by date. */
function sortOf({ orderby, order }: CommentListArguments): Sort {
  const direction = order === 'asc' ? 1 : -1;
  if (orderby === 'id' || orderby === 'include') return { id: direction };
  return { [orderby]: direction, id: orderby === 'date' || orderby === 'date_gmt' ? direction : -1 };
}
