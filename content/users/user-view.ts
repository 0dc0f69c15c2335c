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
  const { roles } = user;
  return {
    ...user,
    link: `${site}/author/${user.slug}/`,
    locale: async () => user.locale || (await settings()).language,
    registered_date: () => `${user.registered_date.toISOString().slice(0, 19)}+00:00`,
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
