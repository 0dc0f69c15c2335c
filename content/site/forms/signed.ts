import type { Service } from '../../../models/store/service.ts';
import { isSignature, signatureOf } from '../../access/signature.ts';
import { cookieIn, hostCookie } from '../../../auth/oauth/cookie-header.ts';
import type { StoredItem } from '../../models/content-item.ts';

/** Age of a token that a form sends back: `early` if it is too short for a person. */
export type TokenAge = 'early' | 'good' | 'expired';

/** Minimum time from showing a form to its submission, in milliseconds. */
const MIN_AGE = 3000;
/** Time after which a form must be loaded again, in milliseconds. */
const MAX_AGE = 24 * 60 * 60 * 1000;

/** Makes the token of a comment form: the time at which it is shown, signed for its item. */
export async function newFormToken(service: Service, item: number, now = Date.now()): Promise<string> {
  const time = now.toString(36);
  return `${time}.${await signatureOf(service, textOf(item, time))}`;
}

/** Reads the age of a token; one of another item, or an invalid one, counts as expired. */
export async function ageOfToken(service: Service, token: string, item: number, now = Date.now()): Promise<TokenAge> {
  const [time = '', signature = ''] = token.split('.', 2);
  if (!(await isSignature(service, signature, textOf(item, time)))) return 'expired';
  const age = now - Number.parseInt(time, 36);
  if (age > MAX_AGE) return 'expired';
  return age < MIN_AGE ? 'early' : 'good';
}

function textOf(item: number, time: string): string {
  return `comment form ${item} ${time}`;
}

/** Time for which a browser need not give a password again, in seconds: ten days, as in WordPress. */
const LIFETIME = 10 * 24 * 60 * 60;

type ProtectedItem = Pick<StoredItem, 'id' | 'password'>;

/**
 * Writes the cookie of a browser that has given the password of an item. It is valid for this item only, until its password
 * changes.
 */
export async function postCookie(service: Service, item: ProtectedItem): Promise<string> {
  return hostCookie(cookieName(item), await signatureOf(service, passwordText(item)), LIFETIME);
}

/** The password of an item if the browser's cookies prove that it was entered; else undefined. */
export async function passwordByCookie(
  service: Service,
  item: ProtectedItem,
  cookies: string | undefined,
): Promise<string | undefined> {
  if (item.password === '') return undefined;
  const proof = cookieIn(cookies, cookieName(item));
  return proof !== null && (await isSignature(service, proof, passwordText(item))) ? item.password : undefined;
}

function cookieName({ id }: ProtectedItem): string {
  return `__Host-waybridge_post_${id}`;
}

function passwordText({ id, password }: ProtectedItem): string {
  return `password of ${id} ${password}`;
}
