import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

import pLimit from 'p-limit';

import { ServiceError } from '../schema/service-error.ts';

const PARAMETERS = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 } as const;
const KEY_LENGTH = 32;

/** Passwords that are hashed at the same moment: each takes 32 MiB and a thread of the four that also read files. */
const CONCURRENCY = 2;
/** Maximum passwords that wait to be hashed: a few seconds' worth. */
const MAX_WAITING = 50;

const inTurn = pLimit(CONCURRENCY);

/**
 * Hashes a password that a person chose: scrypt with a salt of its own, `scrypt$<salt>$<hash>`.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE where too many wait to be hashed
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const derived = await derive(password, salt);
  return `scrypt$${salt.toString('base64url')}$${derived.toString('base64url')}`;
}

/**
 * Tells whether a password belongs to a stored hash.
 *
 * Without a stored hash it does the same work and answers false, so that time does not tell who has an account.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE where too many wait to be hashed
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, salt = '', hash = ''] = stored?.split('$') ?? [];
  const derived = await derive(password, Buffer.from(salt, 'base64url'));
  const expected = Buffer.from(hash, 'base64url');
  return expected.length === derived.length && timingSafeEqual(derived, expected);
}

async function derive(password: string, salt: Buffer): Promise<Buffer> {
  if (inTurn.pendingCount >= MAX_WAITING) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many passwords are being checked; try again in a moment');
  }
  return inTurn(() => deriveNow(password, salt));
}

function deriveNow(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, KEY_LENGTH, PARAMETERS, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
}
