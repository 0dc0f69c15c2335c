import type { FilterOf } from '../../models/store/plain-store.ts';

import { may } from '../access/capabilities.ts';
import { ContentItemStore, foldText } from '../models/content-item.ts';
import { type StoredWebsiteUser, WebsiteUserStore } from '../models/website-user.ts';
import { typesWhere } from '../schema/kinds/content-kinds.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { isTruthy } from '../schema/php-values.ts';
import type { USER_LIST } from '../schema/parameters/website-user-parameters.ts';
import type { ContentContext } from '../access/content-context.ts';
import { slugOf } from '../rendering/slug.ts';

import { type ShownUser, WITHOUT_SECRETS } from './user-view.ts';
import type { Service } from '../../models/store/service.ts';

/** Arguments of the list of users. */
export type UserListArguments = ParametersOf<typeof USER_LIST>;

/** Texts are ordered regardless of case and accents, symbols before digits before letters, as in the reference. */
const COLLATOR = new Intl.Collator('en', { sensitivity: 'base' });

type Filter = FilterOf<StoredWebsiteUser>;

/** All users of a list, in its order. Callers who may not list users see authors only. */
export async function listUsers(args: UserListArguments, context: ContentContext): Promise<ShownUser[]> {
  const { caller } = context;
  const mayList = may(caller, 'list_users');
  const included = args.include.map(Math.abs);
  const parts: Filter[] = [];
  if (args.who === 'authors') parts.push({ roles: { $in: ['administrator', 'editor', 'author', 'contributor'] } });
  else if (!mayList) parts.push({ id: { $in: await publishedAuthors(included, context) } });
  if (included.length > 0) parts.push({ id: { $in: included } });
  else if (args.exclude.length > 0) parts.push({ id: { $nin: args.exclude.map(Math.abs) } });
  if (args.slug?.length) parts.push({ slug: { $in: args.slug.map(slugOf) } });
  // WordPress's query for authors has no roles.
  if (args.roles?.length && args.who !== 'authors') parts.push({ roles: { $in: [...args.roles] } });
  const found = await WebsiteUserStore.find(
    context.service,
    parts.length > 0 ? { $and: parts } : {},
    WITHOUT_SECRETS,
  ).sort({ id: 1 });
  const search = args.search?.replace(/^\*+|\*+$/g, '') ?? '';
  return (isTruthy(search) ? found.filter(searchFor(search, mayList)) : found).sort(orderOf(args));
}

/** Maximum number of users who are each looked up among the authors; with more, all published items are read. */
const MAX_LOOKED_UP = 100;

/** Finds the authors of published items, among some users if any are named. Authors of listed items are already known. */
async function publishedAuthors(
  among: readonly number[],
  { service, listed }: ContentContext,
): Promise<readonly number[]> {
  const known = new Set([...listed.values()].flatMap(({ status, author }) => (status === 'publish' ? author : [])));
  const published = { type: { $in: typesWhere(() => true) }, status: 'publish' };
  const users = among.length > 0 ? among : await fewUsers(service);
  if (users.length > MAX_LOOKED_UP) return ContentItemStore.distinct(service, 'author', published);
  const items = await Promise.all(
    users.map((author) => known.has(author) || ContentItemStore.exists(service, { ...published, author })),
  );
  return users.filter((_, at) => items[at] !== null);
}

/** All users of a small website, or as many of a larger one. */
async function fewUsers(service: Service): Promise<number[]> {
  const users = await WebsiteUserStore.find(service, {}, { _id: 0, id: 1 }).limit(MAX_LOOKED_UP + 1);
  return users.map(({ id }) => id);
}

/** A whole or fractional number, as PHP reads it. */
const NUMERIC = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;

/**
 * Makes the test of a search, without regard to case and accents. E-mail addresses are searched only for callers who may
 * list users; for others, a number at the beginning of the text also matches a user's id.
 */
function searchFor(search: string, mayList: boolean): (user: ShownUser) => boolean {
  const folded = foldText(search);
  const isIn =
    (...fields: readonly ('username' | 'url' | 'email' | 'slug' | 'name')[]) =>
    (user: ShownUser) =>
      fields.some((field) => foldText(user[field]).includes(folded));
  const number = Number.parseFloat(search);
  const isNumbered = (user: ShownUser) => user.id === number;
  if (!mayList) return (user) => isNumbered(user) || isIn('username', 'slug', 'name')(user);
  if (search.includes('@')) return isIn('email');
  if (NUMERIC.test(search)) return (user) => isNumbered(user) || isIn('username')(user);
  if (/^https?:\/\//.test(search)) return isIn('url');
  return isIn('username', 'url', 'email', 'slug', 'name');
}

/** Compares two users; ties are ordered by id. */
function orderOf(args: UserListArguments): (one: ShownUser, other: ShownUser) => number {
  const { orderby, include, slug = [] } = args;
  const direction = args.order === 'desc' ? -1 : 1;
  const ids = include.map(Math.abs);
  const slugs = slug.map(slugOf);
  const byText = (text: (user: ShownUser) => string) => (one: ShownUser, other: ShownUser) =>
    direction * COLLATOR.compare(text(one), text(other));
  switch (orderby) {
    case 'id':
      return (one, other) => direction * (one.id - other.id);
    case 'include':
      if (include.length === 0) return byText(({ username }) => username);
      return (one, other) => direction * (ids.indexOf(one.id) - ids.indexOf(other.id));
    case 'include_slugs':
      return (one, other) => slugs.indexOf(one.slug) - slugs.indexOf(other.slug);
    case 'registered_date':
      return (one, other) => direction * (one.registered_date.getTime() - other.registered_date.getTime());
    default:
      return byText((user) => user[orderby]);
  }
}
