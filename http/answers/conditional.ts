import { hash } from 'node:crypto';

import type { RestAnswer } from './error-response.ts';
import { listsWeakly } from './preconditions.ts';

/** The entity tag of a body: a hash of it, which is the same on every server (RFC 9110, section 8.8.3). */
export function entityTag(body: string): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
}

/** An answer with the entity tag of its body; 304 without the body if the client has it (RFC 9110, section 13.1.2). */
export function conditionalAnswer(answer: RestAnswer, ifNoneMatch: string | undefined): RestAnswer {
  const { status, headers = {}, body } = answer;
  if ((status !== 200 && status !== 201) || typeof body !== 'string') return answer;
  const ETag = entityTag(body);
  if (listsWeakly(ifNoneMatch, ETag)) return { status: 304, headers: { ETag } };
  return { status, headers: { ...headers, ETag }, body };
}
