import type { StoredWebsiteUser } from '../models/website-user.ts';
import { cleanName, cleanSite } from '../access/clean-name.ts';
import { ContentError } from '../schema/content-error.ts';
import { isTruthy } from '../schema/truthy.ts';
import { sanitizeHtml } from '../rendering/markup/sanitize-html.ts';

/** Profile of a user as it is stored. */
type Profile = Pick<
  StoredWebsiteUser,
  'name' | 'first_name' | 'last_name' | 'nickname' | 'url' | 'description' | 'locale'
>;

/** Profile of a user as a request writes it; fields left out stay unchanged. */
export type WrittenProfile = { readonly [K in keyof Profile]?: Profile[K] | undefined };

const MAX_URL = 100;

/**
 * Cleans a profile for storage. A name that is left empty is made of the first and the last name for a new user, and is
 * the login otherwise.
 *
 * @param before the user as it was; undefined for a new one
 * @throws ContentError `user_url_too_long`
 */
export function profileOf(username: string, written: WrittenProfile, before?: Profile): Profile {
  const of = (name: keyof Profile): string => {
    const value = written[name] ?? before?.[name] ?? '';
    return isTruthy(value) ? value : '';
  };
  const url = cleanSite(written.url ?? before?.url ?? '');
  if (url.length > MAX_URL) {
    const message = 'User URL may not be longer than 100 characters.';
    throw new ContentError('user_url_too_long', message, 500, null);
  }
  const first_name = cleanName(of('first_name'));
  const last_name = cleanName(of('last_name'));
  const made = before ? '' : [first_name, last_name].filter(Boolean).join(' ');
  return {
    name: cleanName(of('name') || made || username),
    first_name,
    last_name,
    nickname: cleanName(of('nickname') || username),
    url,
    description: sanitizeHtml(of('description'), 'comment'),
    locale: of('locale'),
  };
}
