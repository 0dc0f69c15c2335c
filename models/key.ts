import { randomBytes } from 'node:crypto';

/** Makes the key of a new object: 128 random bits as base64url, which reveals nothing about place or time. */
export function newKey(): string {
  return randomBytes(16).toString('base64url');
}
