import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Makes a secret of 256 random bits as base64url; the prefix shows people what it is for. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Hashes a random secret with SHA-256 for storage. Passwords, which people choose, are hashed with scrypt instead. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Compares a presented secret with a stored hash in constant time. */
export function isSecret(presented: string, storedHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(presented)), Buffer.from(storedHash));
}
