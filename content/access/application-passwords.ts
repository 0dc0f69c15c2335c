import { randomInt, randomUUID } from 'node:crypto';

import { type ApplicationPassword, foldName, WebsiteUserStore } from '../models/website-user.ts';
import type { WebsiteUser, Visitor } from '../../auth/caller.ts';
import { hashSecret } from '../../auth/secrets/secrets.ts';

import { capabilitiesOf } from './capabilities.ts';
import type { Service } from '../../models/store/service.ts';
import { readBasic } from '../../auth/basic-credentials.ts';
import { headerValues } from '../../auth/identify.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const LENGTH = 24;

/** The program that uses a password. */
type Program = Pick<ApplicationPassword, 'name' | 'app_id'>;

const UNNAMED: Program = { name: '', app_id: '' };

/** A new application password (24 random letters and digits, 142 bits), and what is stored of it. */
export function newApplicationPassword(program = UNNAMED): {
  readonly password: string;
  readonly stored: ApplicationPassword;
} {
  const password = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return { password, stored: storedApplicationPassword(password, randomUUID(), program) };
}

/** Stored fields of an application password that exists already. */
export function storedApplicationPassword(password: string, uuid: string, program = UNNAMED): ApplicationPassword {
  return { uuid, secret_hash: hashSecret(password), created: new Date(), ...program };
}

/**
 * The website user whom a login and an application password prove; null if they are invalid.
 *
 * As in WordPress, a login is compared regardless of case, and may be the e-mail address; a password is also accepted with the
 * spaces with which it is shown.
 */
export async function findWebsiteUser(service: Service, login: string, password: string): Promise<WebsiteUser | null> {
  const secrets = [...new Set([password, password.replace(/[^a-z\d]/gi, '')])].map(hashSecret);
  const find = (named: { readonly username_folded: string } | { readonly email_folded: string }) =>
    WebsiteUserStore.findOne(
      service,
      { 'application_passwords.secret_hash': { $in: secrets }, ...named },
      { id: 1, username: 1, roles: 1 },
    );
  const folded = foldName(login);
  const user =
    (await find({ username_folded: folded })) ?? (login.includes('@') ? await find({ email_folded: folded }) : null);
  if (!user) return null;
  const { id: user_id, username, roles } = user;
  return { kind: 'website', user_id, login: username, roles, capabilities: capabilitiesOf(roles, service.settings) };
}

/** An anonymous caller. */
export const VISITOR: Visitor = { kind: 'visitor' };

/**
 * Identifies the caller of a request to the content interface: a website user by HTTP Basic with an application
 * password, or a visitor. As in WordPress, invalid credentials are no error: they are ignored.
 *
 * @param rawHeaders as Node.js gives them, so that a repeated header can be seen; it proves nothing
 */
export async function identifyWebsiteUser(
  service: Service,
  rawHeaders: readonly string[],
): Promise<Visitor | WebsiteUser> {
  const [authorization, ...others] = headerValues(rawHeaders, 'authorization');
  if (authorization === undefined || others.length > 0) return VISITOR;
  const credentials = readBasic(authorization);
  return (credentials && (await findWebsiteUser(service, credentials.login, credentials.password))) ?? VISITOR;
}
