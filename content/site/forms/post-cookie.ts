import { cookieIn, hostCookie } from '../../../auth/oauth/cookie-header.ts';
import type { StoredItem } from '../../models/content-item.ts';

import { isSignature, signatureOf } from './signed.ts';
import type { Service } from '../../../models/store/service.ts';

/** Time for which a browser need not give a password again, in seconds: ten days, as in WordPress. */
const LIFETIME = 10 * 24 * 60 * 60;

type ProtectedItem = Pick<StoredItem, 'id' | 'password'>;

/** Writes the cookie of a browser that has given the password of an item. It opens that item alone, until its password changes. */
export async function postCookie(service: Service, item: ProtectedItem): Promise<string> {
  return hostCookie(nameOf(item), await signatureOf(service, textOf(item)), LIFETIME);
}

/** The password of an item, for a browser whose cookies prove that it was given; undefined for others. */
export async function passwordByCookie(
  service: Service,
  item: ProtectedItem,
  cookies: string | undefined,
): Promise<string | undefined> {
  if (item.password === '') return undefined;
  const proof = cookieIn(cookies, nameOf(item));
  return proof !== null && (await isSignature(service, proof, textOf(item))) ? item.password : undefined;
}

function nameOf({ id }: ProtectedItem): string {
  return `__Host-waybridge_post_${id}`;
}

function textOf({ id, password }: ProtectedItem): string {
  return `password of ${id} ${password}`;
}
