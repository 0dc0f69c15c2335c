import { BATCH_SIZE, type FilterOf, type Sort } from '../../models/store/plain-store.ts';

import { ContentItemStore, type StoredItem, type ItemType } from '../models/content-item.ts';
import { totalOf, totalBy } from '../models/list-totals.ts';
import { type ContentKind, ATTACHMENT } from '../schema/kinds/content-kinds.ts';
import { ContentError } from '../schema/content-error.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { isTruthy } from '../schema/php-values.ts';
import type { PAGE_LIST, POST_LIST } from '../schema/parameters/item-parameters.ts';
import { type ContentContext, userIdOf } from '../access/content-context.ts';
import { slugOf } from '../rendering/slug.ts';
import { ALL_FIELDS, type SelectedFields } from '../access/root-field.ts';
import { clockBound } from '../access/site-time.ts';

import { statusesIn } from './item-permissions.ts';
import { hasTexts } from './load-rendering.ts';
import { type ItemSearch, itemSearch, relevanceTo, usableSearch } from './search.ts';
import type { Service } from '../../models/store/service.ts';
import { may, type PostSubject } from '../access/capabilities.ts';

type AllListArguments = ParametersOf<typeof POST_LIST & typeof PAGE_LIST>;

/** Arguments of a list; a kind may lack some. */
export type ListArguments = Pick<AllListArguments, 'page' | 'per_page' | 'order'> &
  Partial<Omit<AllListArguments, 'status' | 'context'>> & {
    readonly context?: string;
    readonly orderby: string;
    readonly status?: readonly string[] | string;
  };

/** Items of a page, and the total of the list. */
export interface FoundItems {
  readonly items: readonly StoredItem[];
  readonly total: number;
}

type Filter = FilterOf<StoredItem>;

/** Statuses that `status=any` stands for. */
const ANY_STATUS = ['publish', 'future', 'draft', 'pending', 'private'];

/**
 * Finds a page of items: one query for the page, and one for the total if that is not known. Pages are cut before
 * permissions are checked, as in the reference. But a list for editing has only what the caller may edit, and a search only
 * what the caller may read: otherwise the total of a search would reveal the content of others.
 *
 * @param narrowed further conditions
 * @param selected fields to show; texts are read only for these
 * @throws ContentError if the order requires a parameter that is missing
 */
export async function listItems(
  kinds: ContentKind | readonly ContentKind[],
  given: ListArguments,
  context: ContentContext,
  {
    narrowed,
    selected = ALL_FIELDS,
  }: { readonly narrowed?: Filter | undefined; readonly selected?: SelectedFields } = {},
): Promise<FoundItems> {
  checkOrder(given);
  const args: ListArguments = { ...given, ...(await boundsOf(given, context)), search: usableSearch(given.search) };
  const search = args.search ? await itemSearch(context.service, args.search, args.search_columns) : undefined;
  const ofKinds = [kinds].flat().map((kind) => listFilter(kind, args, context, search));
  const listed = ofKinds.length === 1 ? ofKinds.flat() : [{ $or: ofKinds.map((parts) => ({ $and: parts })) }];
  const parts = [...listed, ...(narrowed ? [narrowed] : [])];
  const isMediaSearch = args.search !== undefined && args.search !== '' && [kinds].flat().some(isUploads);
  const filter = { $and: isMediaSearch ? [...parts, await readableAttachments({ $and: parts }, context)] : parts };
  const fields = hasTexts(selected) ? {} : WITHOUT_TEXTS;
  const isRanked = args.orderby === 'relevance' && isTruthy(args.search);
  const { items, total } =
    isRanked || (search?.isNarrow && !givenOrder(args))
      ? await pageOfFew(context.service, filter, args, fields)
      : await pageOfMany(filter, args, fields, context);
  for (const item of items) context.listed.set(item.id, item);
  // The reference counts the items from an offset on, so none past the end.
  return { items, total: args.offset && items.length === 0 ? 0 : total };
}

const isUploads = ({ isUploaded }: ContentKind) => isUploaded;

type Fields = Readonly<Record<string, 0>>;

/** A page of a list. The whole list is read only if the request gives the order; otherwise it is counted if needed. */
async function pageOfMany(filter: Filter, args: ListArguments, fields: Fields, context: ContentContext) {
  const found = await listQuery(context.service, filter, args).select(fields);
  const chosen = givenOrder(args);
  const skip = skipOf(args);
  if (chosen) return { items: chosen(found).slice(skip, skip + args.per_page), total: found.length };
  const count = async () =>
    totalOf(context.service, filter, await context.stamp(), () =>
      ContentItemStore.countDocuments(context.service, filter),
    );
  return { items: found, total: await totalBy({ found: found.length, skip, limit: args.per_page }, count) };
}

/** A page of a short or ranked list: the ids of all its items in order, then the items of the page. */
async function pageOfFew(service: Service, filter: Filter, args: ListArguments, fields: Fields): Promise<FoundItems> {
  const all = args.orderby === 'relevance' ? await ranked(service, filter, args) : await sorted(service, filter, args);
  const skip = skipOf(args);
  const ids = all.slice(skip, skip + args.per_page).map(({ id }) => id);
  const page: Filter = { $and: [{ id: { $in: ids } }, filter] };
  const found = ids.length === 0 ? [] : await ContentItemStore.find(service, page, { _id: 0, ...fields });
  return { items: found.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)), total: all.length };
}

function sorted(service: Service, filter: Filter, args: ListArguments) {
  return ContentItemStore.find(service, filter, { _id: 0, id: 1 }).sort(sortOf(args)).batchSize(BATCH_SIZE);
}

/** All items of a search by relevance, which is computed without reading their long texts. */
async function ranked(service: Service, filter: Filter, { search = '', order }: ListArguments) {
  const idsWith = async (further: Filter) =>
    (await ContentItemStore.find(service, { $and: [filter, further] }, { _id: 0, id: 1 })).map(({ id }) => id);
  const [all, relevanceOf] = await Promise.all([
    ContentItemStore.find(service, filter, { _id: 0, id: 1, date: 1, title: 1 }).batchSize(BATCH_SIZE),
    relevanceTo(search, idsWith),
  ]);
  return inOrderOf(relevanceOf, order)(all);
}

const WITHOUT_TEXTS = { content: 0, excerpt: 0 } as const;

/** The query of a page of items, or of all items if the request gives their order. */
export function listQuery(service: Service, filter: Filter, args: ListArguments) {
  const query = ContentItemStore.find(service, filter).select({ _id: 0 });
  return givenOrder(args) ? query : query.sort(sortOf(args)).skip(skipOf(args)).limit(args.per_page);
}

/** An offset replaces the page number, and counts from the start regardless of its sign. */
function skipOf({ page, per_page, offset }: ListArguments): number {
  return offset === undefined ? (page - 1) * per_page : Math.abs(offset);
}

function checkOrder({ orderby, search, include }: ListArguments): void {
  if (orderby === 'relevance' && !isTruthy(search)) {
    const message = 'You need to define a search term to order by relevance.';
    throw new ContentError('rest_no_search_term_defined', message, 400);
  }
  if (orderby === 'include' && !include?.length) {
    const message = 'You need to define an include parameter to order by include.';
    throw new ContentError('rest_orderby_include_missing_include', message, 400);
  }
}

/** The bounds of a list by date, as times on the site's clock. */
async function boundsOf(given: ListArguments, { settings }: ContentContext): Promise<Partial<ListArguments>> {
  const named = (['after', 'before', 'modified_after', 'modified_before'] as const).filter((name) => given[name]);
  if (named.length === 0) return {};
  const { timezone } = await settings();
  return Object.fromEntries(named.map((name) => [name, clockBound(given[name] ?? '', timezone)]));
}

function between(field: 'date' | 'modified', after: string | undefined, before: string | undefined): Filter[] {
  return [
    ...(after === undefined ? [] : [{ [field]: { $gt: after } }]),
    ...(before === undefined ? [] : [{ [field]: { $lt: before } }]),
  ];
}

/** Makes the filters of a list, all of which its items must meet. Bounds by date are times on the site's clock. */
export function listFilter(
  kind: ContentKind,
  args: ListArguments,
  context: ContentContext,
  search?: ItemSearch,
): Filter[] {
  const usual = String(kind.list.status?.default ?? 'publish');
  const statuses = statusesIn({ ...args }).flatMap((status) => (status === 'any' ? ANY_STATUS : [status || usual]));
  const [only] = statuses;
  const parts: Filter[] = [
    { type: kind.type, status: statuses.length === 1 && only !== undefined ? only : { $in: statuses } },
  ];
  parts.push(...chosenById(args));
  parts.push(...(args.author_exclude?.length ? noneOf('author', args.author_exclude) : oneOf('author', args.author)));
  parts.push(...(args.parent?.length ? oneOf('parent', args.parent) : noneOf('parent', args.parent_exclude)));
  parts.push(...between('date', args.after, args.before));
  parts.push(...between('modified', args.modified_after, args.modified_before));
  if (args.slug !== undefined) parts.push({ slug: { $in: args.slug.map(slugOf) } });
  if (args.menu_order !== undefined) parts.push({ menu_order: Math.abs(args.menu_order) });
  if (search) parts.push(...search.filters, ...searchable(kind, statuses, context));
  if (args.context === 'edit') parts.push(...given(permittedFilter('edit_post', kind.type, context, statuses)));
  parts.push(...oneOf('categories', args.categories), ...noneOf('categories', args.categories_exclude));
  parts.push(...oneOf('tags', args.tags), ...noneOf('tags', args.tags_exclude));
  return parts;
}

/**
 * Limits a search: of password-protected items, it finds only those that the caller may edit, and so can see without
 * the password.
 */
function searchable({ type, isUploaded }: ContentKind, statuses: readonly string[], context: ContentContext): Filter[] {
  const [editable] = given(permittedFilter('edit_post', type, context, statuses));
  const readable = isUploaded ? [] : given(permittedFilter('read_post', type, context, statuses));
  return [...(editable ? [{ $or: [{ password: '' }, editable] }] : []), ...readable];
}

/** A filter, unless it is empty. */
function given(filter: Filter): Filter[] {
  return Object.keys(filter).length > 0 ? [filter] : [];
}

/**
 * Items by id: `include` overrides `exclude`. `sticky=true` counts as an inclusion and
 * `sticky=false` as an exclusion, so the former disables `exclude`, and `include` disables the latter.
 */
function chosenById({ include, exclude, sticky }: ListArguments): Filter[] {
  const included = oneOf('id', include);
  if (sticky) return [...included, { sticky }];
  if (included.length > 0) return included;
  return [...noneOf('id', exclude), ...(sticky === undefined ? [] : [{ sticky }])];
}

/** The fields of numbers by which lists are narrowed. */
type NumberField = 'id' | 'author' | 'parent' | 'categories' | 'tags';

/** An empty list has no effect; signs of numbers are ignored. */
function oneOf(field: NumberField, numbers: readonly number[] = []): Filter[] {
  return numbers.length > 0 ? [{ [field]: { $in: numbers.map(Math.abs) } }] : [];
}

function noneOf(field: NumberField, numbers: readonly number[] = []): Filter[] {
  return numbers.length > 0 ? [{ [field]: { $nin: numbers.map(Math.abs) } }] : [];
}

/** The stored fields by which a list is ordered, apart from date and title. */
const SORT_FIELDS = ['author', 'id', 'modified', 'parent', 'slug', 'menu_order'];

/** Ties are ordered by id: in the direction of the dates, otherwise and in searches ascending. */
function sortOf({ orderby, order, search }: ListArguments): Sort {
  const direction = order === 'asc' ? 1 : -1;
  const plain = SORT_FIELDS.includes(orderby) ? orderby : 'date';
  const field = orderby === 'title' ? 'title_folded' : plain;
  if (field === 'id') return { id: direction };
  return { [field]: direction, id: field === 'date' && !search ? direction : 1 };
}

/** Orders given by the request itself; undefined if the database orders. */
function givenOrder({
  orderby,
  include,
  slug,
}: ListArguments): ((found: readonly StoredItem[]) => readonly StoredItem[]) | undefined {
  if (orderby === 'include' && include) {
    const ids = include.map(Math.abs);
    return inOrderOf<StoredItem>((item) => ids.indexOf(item.id));
  }
  if (orderby === 'include_slugs' && slug) return inOrderOf<StoredItem>((item) => slug.map(slugOf).indexOf(item.slug));
  return undefined;
}

/** Ties are ordered by date. */
function inOrderOf<T extends Pick<StoredItem, 'id' | 'date'>>(
  rank: (item: T) => number,
  order: 'asc' | 'desc' = 'desc',
) {
  const direction = order === 'asc' ? 1 : -1;
  return (found: readonly T[]) =>
    [...found].sort(
      (one, other) => rank(one) - rank(other) || direction * (one.date.localeCompare(other.date) || one.id - other.id),
    );
}

/** Every status of an item except that of the trash. */
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'inherit', 'auto-draft'] as const;

/** Stands for any user except the caller. */
const SOMEBODY_ELSE = -1;

/**
 * Narrows a list to the items of a type that the caller may edit, or may read regardless of what they are attached to.
 * The rule is that of {@link may}, which is called for one item of each status.
 *
 * @returns an empty filter if the caller may do so with all items of the statuses
 */
function permittedFilter(
  capability: 'edit_post' | 'read_post',
  type: ItemType,
  context: ContentContext,
  statuses: readonly string[] = [...STATUSES, 'trash'],
): Filter {
  const allows = (subject: Omit<PostSubject, 'type'>) => may(context.caller, capability, { type, ...subject });
  const own = userIdOf(context);
  const ownStatuses = statuses.filter((status) => status !== 'trash' && allows({ status, author: own }));
  const ownBefore = [...STATUSES, null].filter((before) =>
    allows({ status: 'trash', status_before_trash: before, author: own }),
  );
  const othersStatuses = statuses.filter((status) => allows({ status, author: SOMEBODY_ELSE }));
  if (othersStatuses.length === statuses.length) return {};
  return {
    $or: [
      { status: { $in: othersStatuses }, author: { $ne: own } },
      { status: { $in: ownStatuses }, author: own },
      { status: 'trash', status_before_trash: { $in: ownBefore }, author: own },
    ],
  };
}

/**
 * Narrows a list of attachments to those that the caller may read: they are as public as their post.
 *
 * @param filter further conditions on the attachments
 */
async function readableAttachments(filter: Filter, context: ContentContext): Promise<Filter> {
  const byThemselves = permittedFilter('read_post', ATTACHMENT.type, context);
  if (Object.keys(byThemselves).length === 0) return {};
  const ids: number[] = await ContentItemStore.distinct(context.service, 'parent', filter);
  const parents = await ContentItemStore.find(context.service, { id: { $in: ids } }).select({
    _id: 0,
    id: 1,
    type: 1,
    status: 1,
    author: 1,
    status_before_trash: 1,
  });
  const hidden = parents.filter((parent) => !may(context.caller, 'read_post', parent)).map(({ id }) => id);
  return { $or: [byThemselves, { status: 'inherit', parent: { $nin: hidden } }] };
}
