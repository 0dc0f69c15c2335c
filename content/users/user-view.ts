import { capabilitiesOf } from '../access/capabilities.ts';
import { type StoredWebsiteUser, WebsiteUserStore } from '../models/website-user.ts';
import { type User, AVATAR_SIZES, type AvatarUrls } from '../schema/records/website-user.ts';
import type { ContentContext } from '../access/content-context.ts';
import type { ViewOf } from '../schema/content-field.ts';
import { ContentError } from '../schema/content-error.ts';
import type { Service } from '../../models/store/service.ts';
import { createHash } from 'node:crypto';

/** A user without credentials. */
export type ShownUser = Omit<StoredWebsiteUser, 'password_hash' | 'application_passwords'>;

/** A user as the content interface shows one; the context determines the shown fields. */
export function userView(user: ShownUser, { service, site, settings }: ContentContext): ViewOf<User> {
  const { roles } = user;
  return {
    ...user,
    link: `${site}/author/${user.slug}/`,
    locale: async () => user.locale || (await settings()).language,
    registered_date: () => `${user.registered_date.toISOString().slice(0, 19)}+00:00`,
    password: undefined as never,
    capabilities: () => granted([...capabilitiesOf(roles, service.settings), ...roles]),
    extra_capabilities: () => granted(roles),
    avatar_urls: () => avatarUrls(user.email, site),
    meta: [],
  };
}

function granted(names: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.map((name) => [name, true]));
}

/** Reads users without credentials. */
export const WITHOUT_SECRETS = { _id: 0, password_hash: 0, application_passwords: 0 } as const;

/**
 * The user that an id names.
 *
 * @param id as sent
 * @throws ContentError `rest_user_invalid_id`
 */
export async function findUser(service: Service, id: unknown): Promise<ShownUser> {
  const number = Number(id);
  const user =
    Number.isSafeInteger(number) && number > 0
      ? await WebsiteUserStore.findOne(service, { id: number }, WITHOUT_SECRETS)
      : null;
  if (!user) throw noUser();
  return user;
}

/** Error for an id that names no user. */
export function noUser(): ContentError {
  return new ContentError('rest_user_invalid_id', 'Invalid user ID.', 404);
}

/** Number of servers that serve the pictures. */
const SERVERS = 3;

/** Addresses of a user's avatar at Gravatar, by the MD5 of the e-mail address; over https if the site is. */
export function avatarUrls(email: string, site: string): AvatarUrls {
  const hash = email === '' ? '' : createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  const server = Number.parseInt(hash.charAt(0) || '0', 16) % SERVERS;
  const host = site.startsWith('https:') ? 'https://secure.gravatar.com' : `http://${server}.gravatar.com`;
  return Object.fromEntries(AVATAR_SIZES.map((size) => [size, `${host}/avatar/${hash}?s=${size}&d=mm&r=g`]));
}
