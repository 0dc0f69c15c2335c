import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

import pLimit from 'p-limit';

import { ServiceError } from '../../schema/service-error.ts';

const PARAMETERS = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 } as const;
const KEY_LENGTH = 32;

/** Passwords that are hashed at the same time: each takes 32 MiB and a thread of the four that also read files. */
const CONCURRENCY = 2;
/** Maximum number of waiting passwords: a few seconds of work if each is compared with eight hashes. */
const MAX_WAITING = 20;

const inTurn = pLimit(CONCURRENCY);

/** Scheme of new hashes: NFKC (NIST SP 800-63B-4, section 3.1.1.2), then scrypt. */
const SCHEME = 'scrypt-nfkc';

/** Unicode normalization form by the scheme that stands before a hash; hashes of the first releases are of NFC. */
const FORMS: Readonly<Record<string, 'NFC' | 'NFKC'>> = { scrypt: 'NFC', [SCHEME]: 'NFKC' };

/**
 * Hashes a password with scrypt: `scrypt-nfkc$<salt>$<hash>`.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE if too many wait to be hashed
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const derived = await whenItsTurn(() => derive(password, salt, SCHEME));
  return `${SCHEME}$${salt.toString('base64url')}$${derived.toString('base64url')}`;
}

/**
 * Compares a password with a stored hash; without one it does the same work, so that the time does not reveal who has an
 * account.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE if too many wait to be hashed
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [isRight = false] = await matchPassword(password, [stored]);
  return isRight;
}

/**
 * Compares a password with each of several stored hashes, like {@link isPassword}.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE if too many wait to be hashed
 */
export function matchPassword(password: string, stored: readonly (string | null)[]): Promise<boolean[]> {
  return whenItsTurn(async () => {
    const matches: boolean[] = [];
    for (const one of stored) matches.push(await isHashOf(password, one));
    return matches;
  });
}

async function isHashOf(password: string, stored: string | null): Promise<boolean> {
  const [scheme = SCHEME, salt = '', hash = ''] = stored?.split('$') ?? [];
  const derived = await derive(password, Buffer.from(salt, 'base64url'), scheme);
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(derived, expected);
}

/** @throws ServiceError SERVICE_UNAVAILABLE if too many wait */
async function whenItsTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (inTurn.pendingCount >= MAX_WAITING) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many passwords are being checked; try again in a moment');
  }
  return inTurn(work);
}

function derive(password: string, salt: Buffer, scheme: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize(FORMS[scheme]), salt, KEY_LENGTH, PARAMETERS, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}
