import { createHash } from 'node:crypto';

/** The entity tag of a document, in its quotes: a hash of what it says (RFC 9110, section 8.8.3). */
export function entityTag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}
