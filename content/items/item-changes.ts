import { may } from '../access/capabilities.ts';
import type { ItemChanges, StoredItem } from '../models/content-item.ts';
import { TermStore } from '../models/term.ts';
import { WebsiteUserStore } from '../models/website-user.ts';
import type { ContentKind } from '../schema/kinds/content-kinds.ts';
import type { Taxonomy } from '../schema/kinds/term-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import { isTruthy } from '../schema/php-values.ts';
import { given, type ParametersOf } from '../schema/parameter.ts';
import type { PAGE_WRITE, POST_WRITE } from '../schema/parameters/item-parameters.ts';
import { type ContentContext, userIdOf, reject } from '../access/content-context.ts';
import { trimAscii } from '../rendering/markup/white-space.ts';
import { writtenDates } from '../access/site-time.ts';

import { isImage } from '../media/files/media-details.ts';
import { findAnyItem } from './find-item.ts';
import { isSamePassword } from './item-view.ts';
import type { Service } from '../../models/store/service.ts';
import { givenSlug } from '../rendering/slug.ts';

/** Fields of an item that a request may write, named like its parameters; each kind accepts some of them. */
export type ItemArguments = Partial<Omit<ParametersOf<typeof POST_WRITE & typeof PAGE_WRITE>, 'meta'>>;

/**
 * Converts the parameters of a request to stored fields. Everything is checked here, in the order of the interface;
 * nothing is written.
 *
 * @param existing the item to change; null for a new one
 * @throws ContentError for a status that the caller may not give, an author or a parent that does not exist, a password on
 *   what is sticky
 */
export async function itemChanges(
  kind: ContentKind,
  args: ItemArguments,
  existing: StoredItem | null,
  context: ContentContext,
): Promise<ItemChanges> {
  const { timezone } = await context.settings();
  if (args.status !== undefined) checkStatus(kind, args.status, context);
  if (args.author) await checkAuthor(args.author, context);
  checkPassword(args, existing);
  if (args.parent) await checkParent(context.service, args.parent);
  return {
    ...textChanges(args),
    ...given(args, 'status', 'parent', 'menu_order', 'comment_status', 'ping_status'),
    ...given(args, 'template', 'format', 'sticky'),
    ...writtenDates(args, timezone),
    // A value that PHP treats as false is not a password or slug.
    ...(args.password === undefined ? {} : { password: isTruthy(args.password) ? args.password : '' }),
    ...(args.slug === undefined ? {} : { slug: givenSlug(args.slug) }),
    ...(args.author ? { author: args.author } : {}),
    ...(args.featured_media === undefined ? {} : await featuredMedia(context.service, args.featured_media)),
    ...(args.categories === undefined
      ? {}
      : { categories: await existingTerms(context.service, args.categories, 'category') }),
    ...(args.tags === undefined ? {} : { tags: await existingTerms(context.service, args.tags, 'post_tag') }),
  };
}

/** Texts as written: a string, or an object with a string under `raw`. */
function textChanges(args: ItemArguments): ItemChanges {
  const title = titleOf(args.title);
  const content = textOf(args.content);
  const excerpt = textOf(args.excerpt);
  return {
    ...(title === undefined ? {} : { title: trimAscii(title) }),
    ...(content === undefined ? {} : { content }),
    ...(excerpt === undefined ? {} : { excerpt }),
  };
}

/** The text of a parameter; undefined if it has none. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || !('raw' in value)) return undefined;
  return typeof value.raw === 'string' ? value.raw : undefined;
}

/** As in the reference, an object does not clear a title, unlike other texts. */
function titleOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text === '' && typeof value === 'object' ? undefined : text;
}

function checkStatus({ noun }: ContentKind, status: string, context: ContentContext): void {
  if (status === 'draft' || status === 'pending' || may(context.caller, `publish_${noun}`)) return;
  const message =
    status === 'private'
      ? 'Sorry, you are not allowed to create private posts in this post type.'
      : 'Sorry, you are not allowed to publish posts in this post type.';
  reject('rest_cannot_publish', message, context);
}

async function checkAuthor(author: number, context: ContentContext): Promise<void> {
  if (author === userIdOf(context) || (await WebsiteUserStore.exists(context.service, { id: author }))) return;
  throw new ContentError('rest_invalid_author', 'Invalid author ID.', 400);
}

function checkPassword({ password, sticky }: ItemArguments, existing: StoredItem | null): void {
  const invalid = (message: string) => new ContentError('rest_invalid_field', message, 400);
  if (password) {
    if (sticky) throw invalid('A post can not be sticky and have a password.');
    if (existing?.sticky) throw invalid('A sticky post can not be password protected.');
  }
  if (sticky && existing && existing.password !== '' && !isSamePassword(password ?? '', existing.password)) {
    throw invalid('A password protected post can not be set to sticky.');
  }
}

async function checkParent(service: Service, parent: number): Promise<void> {
  if (await findAnyItem(service, parent)) return;
  throw new ContentError('rest_post_invalid_id', 'Invalid post parent ID.', 400);
}

/**
 * The id of a non-image removes the featured image; an unknown id changes nothing. The sign is ignored.
 */
async function featuredMedia(service: Service, given: number): Promise<ItemChanges> {
  if (given === 0) return { featured_media: 0 };
  const id = Math.abs(given);
  const media = await findAnyItem(service, id);
  if (!media) return {};
  return { featured_media: isImage(media) ? id : 0 };
}

/** The ids, regardless of sign, that are terms of the taxonomy; the others are dropped. */
async function existingTerms(service: Service, ids: readonly number[], taxonomy: Taxonomy): Promise<number[]> {
  if (ids.length === 0) return [];
  const terms = await TermStore.find(service, { taxonomy, id: { $in: [...new Set(ids.map(Math.abs))] } }).select({
    _id: 0,
    id: 1,
  });
  return terms.map(({ id }) => id);
}
