import { createHash } from 'node:crypto';

import { AVATAR_SIZES, type AvatarUrls } from '../schema/records/avatar-urls.ts';

/** Number of servers that serve the pictures. */
const SERVERS = 3;

/** Addresses of the picture that somebody keeps at Gravatar, which is found by the MD5 of the e-mail address. */
export function avatarUrls(email: string): AvatarUrls {
  const hash = email === '' ? '' : createHash('md5').update(email.trim().toLowerCase()).digest('hex');
  const server = Number.parseInt(hash.charAt(0) || '0', 16) % SERVERS;
  return Object.fromEntries(
    AVATAR_SIZES.map((size) => [size, `http://${server}.gravatar.com/avatar/${hash}?s=${size}&d=mm&r=g`]),
  );
}
