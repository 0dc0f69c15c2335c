import type { Visitor, WebsiteUser } from '../../auth/caller.ts';
import { headerValues } from '../../auth/identify.ts';

import { findWebsiteUser } from './application-passwords.ts';

const VISITOR: Visitor = { kind: 'visitor' };

/** A login and a password. */
interface BasicCredentials {
  readonly login: string;
  readonly password: string;
}

/**
 * Identifies the caller of a request to the content interface: a website user by HTTP Basic with an application
 * password, or a visitor. As in WordPress, invalid credentials are no error: they are ignored.
 *
 * @param rawHeaders as Node.js gives them, so that a repeated header can be seen; it proves nothing
 */
export async function identifyWebsiteUser(rawHeaders: readonly string[]): Promise<Visitor | WebsiteUser> {
  const [authorization, ...others] = headerValues(rawHeaders, 'authorization');
  if (authorization === undefined || others.length > 0) return VISITOR;
  const credentials = readBasic(authorization);
  return (credentials && (await findWebsiteUser(credentials.login, credentials.password))) ?? VISITOR;
}

/** The credentials of a `Basic` header (RFC 7617), or null where the header has another form. */
function readBasic(authorization: string): BasicCredentials | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [, login, password] = /^([^:]+):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return login === undefined || password === undefined ? null : { login, password };
}
