import type { StoredItem } from '../models/content-item.ts';
import type { ContentItem } from '../schema/records/content-item.ts';
import type { Page, Post } from '../schema/records/post.ts';
import { formatContentDate, parseContentDate } from '../schema/content-date.ts';
import type { ContentContext } from '../access/content-context.ts';
import { permalinkOf } from '../access/permalink.ts';
import { renderContent } from '../rendering/content.ts';
import { renderExcerpt } from '../rendering/excerpt.ts';
import { rememberRendered } from '../rendering/remembered.ts';
import { renderTitle } from '../rendering/title.ts';
import { resolveInstant } from '../access/site-time.ts';
import type { ViewOf } from '../schema/content-field.ts';
import { entityTagOf } from './entity-tag.ts';
import { type ItemExtras, loadExtras, isReadable } from './item-extras.ts';
import { RENDERED_TEXTS, type Rendering, loadRendering } from './load-rendering.ts';
import type { Caller } from '../../auth/caller.ts';
import { may } from '../access/capabilities.ts';
import { kindOf } from '../schema/kinds/content-kinds.ts';
import { ALL_FIELDS, type SelectedFields } from '../access/root-field.ts';
import { hashSecret, isSecret } from '../../auth/secrets/secrets.ts';

/** Everything from which the record of an item is built. */
export interface ItemSource {
  readonly item: StoredItem;
  readonly extras: ItemExtras;
  /** Settings and records for rendering its texts. */
  readonly rendering: Rendering;
  readonly context: ContentContext;
  /** True if it is shown for editing, with the actions that the caller may perform. */
  readonly editing: boolean;
  /** True if password-protected text is shown, see {@link isRevealed}. */
  readonly revealed: boolean;
}

/** Shows an item as a record of its kind. */
export type ItemView<R> = (source: ItemSource) => ViewOf<R>;

/** Returns true if a password opens an item; showing it for editing needs none. */
export function isRevealed(item: Pick<StoredItem, 'password'>, args: ShowArguments): boolean {
  if (item.password === '' || args.context === 'edit') return true;
  return typeof args.password === 'string' && isSamePassword(args.password, item.password);
}

/** Compares two passwords in a time that does not reveal where they differ. */
export function isSamePassword(given: string, stored: string): boolean {
  return isSecret(given, hashSecret(stored));
}

/** Fields that posts, pages and attachments share. */
export const itemView: ItemView<ContentItem> = ({ item, extras, context, editing }) => ({
  id: item.id,
  date: item.date,
  date_gmt: item.date_gmt ?? (async () => gmtOf(item.date, (await context.settings()).timezone)),
  guid: { rendered: item.guid, raw: item.guid },
  modified: item.modified,
  modified_gmt: item.modified_gmt,
  slug: item.slug,
  status: item.status,
  type: item.type,
  link: () => permalinkOf(item, context.site, extras.parentOf),
  title: () => ({ raw: item.title, rendered: renderTitleOf(item) }),
  author: item.author,
  comment_status: item.comment_status,
  ping_status: item.ping_status,
  template: item.template,
  meta: [],
  entity_tag: entityTagOf(item),
  actions: () => (editing ? actionsOn(item, context.caller) : []),
});

/** Shows a written item: all fields of posts, pages and similar kinds; a record takes its fields from it. */
export const writtenItemView: ItemView<Post & Page> = (source) => {
  const { item, extras, rendering, revealed } = source;
  const shown = (name: keyof typeof RENDERED_TEXTS, html: () => string) => ({
    raw: item[name],
    rendered: revealed ? rememberRendered(rendering.settings, RENDERED_TEXTS[name](item), html) : '',
    protected: item.password !== '',
  });
  return {
    ...item,
    ...itemView(source),
    content: () => shown('content', () => renderContent(item.content, rendering.settings, rendering.contextOf(item))),
    excerpt: () =>
      shown('excerpt', () => renderExcerpt(item.excerpt, item.content, rendering.settings, rendering.contextOf(item))),
    revision_count: () => extras.revisionsOf(item.id).count,
    last_revision: () => extras.revisionsOf(item.id).last,
    format: item.format === '' ? 'standard' : item.format,
    categories: () => extras.inOrder(item.categories, 'category'),
    tags: () => extras.inOrder(item.tags, 'post_tag'),
  };
};

/** The title as HTML; that of a private item is marked. */
function renderTitleOf({ title, status }: StoredItem): string {
  return status === 'private' ? `Private: ${renderTitle(title)}` : renderTitle(title);
}

function gmtOf(local: string, zone: string | null): string {
  return parseContentDate(local) === null ? formatContentDate(0) : resolveInstant(local, 'local', zone).gmt;
}

/** Lists the actions that a caller may perform on an item, as relations of links name them: `publish` for `wp:action-publish`. */
function actionsOn(item: StoredItem, caller: Caller): string[] {
  const kind = kindOf(item.type);
  if (!kind || !may(caller, 'edit_post', item)) return [];
  const mayPublish = may(caller, `publish_${kind.noun}`);
  const mayEditOthers = may(caller, `edit_others_${kind.noun}`);
  const actions: string[] = [];
  if (!kind.isUploaded && mayPublish) actions.push('publish');
  if (kind.canBeSticky && mayEditOthers && mayPublish) actions.push('sticky');
  if (mayEditOthers) actions.push('assign-author');
  for (const { field, taxonomy, toCreate } of kind.terms) {
    if (may(caller, toCreate)) actions.push(`create-${field}`);
    if (may(caller, 'assign_term', { taxonomy })) actions.push(`assign-${field}`);
  }
  return actions;
}

/** Arguments that determine how items are shown. */
export interface ShowArguments {
  readonly context?: unknown;
  readonly password?: unknown;
}

/** Arguments for showing an item in the answer to a change. */
export const FOR_EDITING: ShowArguments = { context: 'edit' };

/**
 * Shows the items that the caller may read (for editing: may edit), each converted to a record by `view`.
 *
 * @param selected fields that may be requested
 */
export async function showItems<R extends ContentItem>(
  view: ItemView<R>,
  items: readonly StoredItem[],
  args: ShowArguments,
  context: ContentContext,
  selected: SelectedFields = ALL_FIELDS,
): Promise<ViewOf<R>[]> {
  const extras = await loadExtras(context.service, items, selected);
  const editing = args.context === 'edit';
  const shown = items.filter(
    (item) => isReadable(item, extras, context) && (!editing || may(context.caller, 'edit_post', item)),
  );
  const rendering = await loadRendering(shown, context, selected);
  return shown.map((item) => {
    const revealed = isRevealed(item, args);
    return view({ item, extras, rendering, context, editing, revealed });
  });
}

/** Shows one item, for which permission was already checked. */
export async function showItem<R extends ContentItem>(
  view: ItemView<R>,
  item: StoredItem,
  args: ShowArguments,
  context: ContentContext,
  selected: SelectedFields = ALL_FIELDS,
): Promise<ViewOf<R>> {
  const [extras, rendering] = await Promise.all([
    loadExtras(context.service, [item], selected),
    loadRendering([item], context, selected),
  ]);
  const revealed = isRevealed(item, args);
  return view({ item, extras, rendering, context, editing: args.context === 'edit', revealed });
}
