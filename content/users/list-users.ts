import type { QueryFilter } from 'mongoose';

import { may } from '../access/capabilities.ts';
import { ContentItemModel } from '../models/content-item.ts';
import { type StoredWebsiteUser, WebsiteUserModel } from '../models/website-user.ts';
import { typesWhere } from '../schema/kinds/content-kinds.ts';
import type { ParametersOf } from '../schema/parameter.ts';
import { isTruthy } from '../schema/truthy.ts';
import type { USER_LIST } from '../schema/parameters/website-user-parameters.ts';
import { literalPattern } from '../../resolvers/input/literal-pattern.ts';
import type { ContentContext } from '../access/content-context.ts';

import { WITHOUT_SECRETS } from './find-user.ts';
import type { ShownUser } from './user-view.ts';

/** Arguments of the list of users. */
export type UserListArguments = ParametersOf<typeof USER_LIST>;

/** Texts stand without regard to case and accents, signs before digits before letters, as in the reference. */
const COLLATOR = new Intl.Collator('en', { sensitivity: 'base' });

type Filter = QueryFilter<StoredWebsiteUser>;

/** The users that a list has, in its order, all of its pages. Whoever may not list users sees authors alone. */
export async function listUsers(args: UserListArguments, { caller }: ContentContext): Promise<ShownUser[]> {
  const mayList = may(caller, 'list_users');
  const parts: Filter[] = [];
  if (args.who === 'authors') parts.push({ roles: { $in: ['administrator', 'editor', 'author', 'contributor'] } });
  else if (!mayList) parts.push({ id: { $in: await publishedAuthors() } });
  if (args.include.length > 0) parts.push({ id: { $in: args.include.map(Math.abs) } });
  else if (args.exclude.length > 0) parts.push({ id: { $nin: args.exclude.map(Math.abs) } });
  if (args.slug?.length) parts.push({ slug: { $in: [...args.slug] } });
  if (args.roles?.length) parts.push({ roles: { $in: [...args.roles] } });
  const search = args.search?.replace(/^\*+|\*+$/g, '');
  if (search !== undefined && isTruthy(search)) parts.push({ $or: searched(search, mayList) });
  const found = await WebsiteUserModel.find(parts.length > 0 ? { $and: parts } : {}, WITHOUT_SECRETS)
    .sort({ id: 1 })
    .lean<ShownUser[]>();
  return found.sort(orderOf(args));
}

/** Finds the authors of published items. */
async function publishedAuthors(): Promise<number[]> {
  return ContentItemModel.distinct('author', { type: { $in: typesWhere(() => true) }, status: 'publish' });
}

/** Fields that a search looks at; e-mail addresses are searched only for callers who may list users. */
function searched(search: string, mayList: boolean): Filter[] {
  const pattern = { $regex: literalPattern(search), $options: 'i' };
  const byNumber = /^\d+$/.test(search) ? [{ id: Number(search) }] : [];
  if (!mayList) return [...byNumber, { username: pattern }, { slug: pattern }, { name: pattern }];
  if (search.includes('@')) return [{ email: pattern }];
  if (byNumber.length > 0) return [...byNumber, { username: pattern }];
  if (/^https?:\/\//.test(search)) return [{ url: pattern }];
  return [{ username: pattern }, { url: pattern }, { email: pattern }, { slug: pattern }, { name: pattern }];
}

/** Compares two users; equals are ordered by id. */
function orderOf(args: UserListArguments): (one: ShownUser, other: ShownUser) => number {
  const { orderby, include, slug = [] } = args;
  const direction = args.order === 'desc' ? -1 : 1;
  const ids = include.map(Math.abs);
  const byText = (text: (user: ShownUser) => string) => (one: ShownUser, other: ShownUser) =>
    direction * COLLATOR.compare(text(one), text(other));
  switch (orderby) {
    case 'id':
      return (one, other) => direction * (one.id - other.id);
    case 'include':
      if (include.length === 0) return byText(({ username }) => username);
      return (one, other) => ids.indexOf(one.id) - ids.indexOf(other.id);
    case 'include_slugs':
      return (one, other) => slug.indexOf(one.slug) - slug.indexOf(other.slug);
    case 'registered_date':
      return (one, other) => direction * (one.registered_date.getTime() - other.registered_date.getTime());
    default:
      return byText((user) => user[orderby]);
  }
}
