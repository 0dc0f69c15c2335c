import { plainText } from '../rendering/plain-text.ts';
import { hashPassword } from '../../auth/secrets/passwords.ts';
import type { Role } from '../access/capabilities.ts';
import { nextNumber } from '../models/sequence.ts';
import {
  type ApplicationPassword,
  foldName,
  type StoredWebsiteUser,
  WebsiteUserStore,
} from '../models/website-user.ts';
import { insertIfAbsent } from '../../models/store/duplicate-key.ts';
import { ContentError } from '../schema/content-error.ts';
import { isTruthy } from '../schema/php-values.ts';
import { slugOf, transliterate, givenSlug } from '../rendering/slug.ts';

import type { Service } from '../../models/store/service.ts';
import { cleanName, cleanSite } from '../rendering/text-field.ts';
import { sanitizeHtml } from '../rendering/markup/sanitize-html.ts';

/** Fields of a new user; omitted ones are derived from the others. */
export interface NewWebsiteUser extends WrittenProfile {
  readonly username: string;
  readonly email: string;
  readonly roles: readonly Role[];
  readonly password?: string;
  readonly application_passwords?: readonly ApplicationPassword[];
  readonly slug?: string | undefined;
}

const MAX_LOGIN_LENGTH = 60;
const MAX_SLUG_LENGTH = 50;

/**
 * Makes a user of the website.
 *
 * @throws ContentError if the login or e-mail address is taken, or the login is invalid
 */
export async function insertUser(service: Service, user: NewWebsiteUser): Promise<StoredWebsiteUser> {
  const username = cleanLogin(user.username);
  await rejectTaken(service, username, user.email);
  const wanted = wantedSlug(user.slug, username);
  const stored = {
    username,
    username_folded: foldName(username),
    ...profileOf(username, user),
    email: user.email,
    email_folded: foldName(user.email),
    roles: user.roles,
    registered_date: new Date(),
    password_hash: user.password === undefined ? null : await hashPassword(user.password),
    application_passwords: user.application_passwords ?? [],
  };
  const id = await nextNumber(service, 'users');
  for (;;) {
    const slug = await freeSlug(service, wanted, id);
    const document = { id, ...stored, slug };
    const insert = () => WebsiteUserStore.create(service, document);
    if (await insertIfAbsent(insert, 'username_folded', 'email_folded', 'slug')) return document;
    await rejectTaken(service, username, user.email);
  }
}

/**
 * The requested slug, or one derived from the login.
 *
 * @throws ContentError if it is too long
 */
export function wantedSlug(requested: string | undefined, username: string): string {
  const text = cleanLogin(givenSlug(requested ?? '')) || username.slice(0, MAX_SLUG_LENGTH);
  if (text.length > MAX_SLUG_LENGTH) {
    throw fault('user_nicename_too_long', 'Nicename may not be longer than 50 characters.');
  }
  return slugOf(text);
}

/** A slug that no other user has: the wanted one, if necessary with a number from 2 on. */
export async function freeSlug(service: Service, wanted: string, id: number): Promise<string> {
  const isTaken = async (slug: string) =>
    (await WebsiteUserStore.countDocuments(service, { slug, id: { $ne: id } })) > 0;
  if (!(await isTaken(wanted))) return wanted;
  for (let number = 2; ; number += 1) {
    const slug = `${wanted.slice(0, MAX_SLUG_LENGTH - 1 - String(number).length)}-${number}`;
    if (!(await isTaken(slug))) return slug;
  }
}

/** Returns true if a user other than `id` has an e-mail address. */
export async function isEmailTaken(service: Service, email: string, id = 0): Promise<boolean> {
  return (await WebsiteUserStore.countDocuments(service, { email_folded: foldName(email), id: { $ne: id } })) > 0;
}

/** Makes the error for a mistake of the caller that WordPress treats as a server error: 500 without data. */
function fault(code: string, message: string): ContentError {
  return new ContentError(code, message, 500, null);
}

async function rejectTaken(service: Service, username: string, email: string): Promise<void> {
  if (username === '') throw fault('empty_user_login', 'Cannot create a user with an empty login name.');
  if (username.length > MAX_LOGIN_LENGTH) {
    throw fault('user_login_too_long', 'Username may not be longer than 60 characters.');
  }
  if ((await WebsiteUserStore.countDocuments(service, { username_folded: foldName(username) })) > 0) {
    throw fault('existing_user_login', 'Sorry, that username already exists!');
  }
  if (await isEmailTaken(service, email))
    throw fault('existing_user_email', 'Sorry, that email address is already used!');
}

/** Cleans a login: ASCII letters, digits, blanks and `_ . - @`; everything else is omitted. */
function cleanLogin(text: string): string {
  return transliterate(plainText(text))
    .replace(/%[a-f0-9]{2}/gi, '')
    .replace(/&.+?;/g, '')
    .replace(/[^a-z0-9 _.\-@]/gi, '')
    .trim()
    .replace(/\s+/g, ' ');
}

/** Profile of a user as it is stored. */
type Profile = Pick<
  StoredWebsiteUser,
  'name' | 'first_name' | 'last_name' | 'nickname' | 'url' | 'description' | 'locale'
>;

/** Profile of a user as a request writes it; omitted fields stay unchanged. */
export type WrittenProfile = { readonly [K in keyof Profile]?: Profile[K] | undefined };

const MAX_URL = 100;

/**
 * Cleans a profile for storage. An empty name is built from the first and the last name for a new user, and is
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
