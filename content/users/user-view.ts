import { capabilitiesOf } from '../access/capabilities.ts';
import type { StoredWebsiteUser } from '../models/website-user.ts';
import type { User } from '../schema/records/website-user.ts';
import { avatarUrls } from './avatar-urls.ts';
import type { ContentContext } from '../access/content-context.ts';
import type { ViewOf } from '../access/view-of.ts';

/** A user without what proves who it is. */
export type ShownUser = Omit<StoredWebsiteUser, 'password_hash' | 'application_passwords'>;

/** A user as the content interface shows one; which fields are shown is the context's matter. */
export function userView(user: ShownUser, { site, settings }: ContentContext): ViewOf<User> {
  const roles = user.roles;
  return {
    id: user.id,
    username: user.username,
    name: user.name,
    first_name: user.first_name,
    last_name: user.last_name,
    email: user.email,
    url: user.url,
    description: user.description,
    link: `${site}/author/${user.slug}/`,
    locale: async () => user.locale || (await settings()).language,
    nickname: user.nickname,
    slug: user.slug,
    registered_date: () => `${user.registered_date.toISOString().slice(0, 19)}+00:00`,
    roles,
    password: undefined as never,
    capabilities: () => granted([...capabilitiesOf(roles), ...roles]),
    extra_capabilities: () => granted(roles),
    avatar_urls: () => avatarUrls(user.email),
    meta: [],
  };
}

function granted(names: readonly string[]): Readonly<Record<string, boolean>> {
  return Object.fromEntries(names.map((name) => [name, true]));
}
