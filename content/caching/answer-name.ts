import type { FastifyRequest } from 'fastify';

import type { WebsiteUser } from '../../auth/caller.ts';
import { hasBody } from '../../http/requests/has-body.ts';

/**
 * The name under which an answer to a visitor may be kept: the address of a request without anything else on which answers
 * depend. Null for a request with credentials, with a body, or with a header that changes its meaning.
 */
export function answerName(request: FastifyRequest): string | null {
  return request.headers.authorization === undefined ? addressAlone(request) : null;
}

/**
 * The name under which an answer to a user of the website may be kept, for this user alone. It contains the roles with which
 * the request was admitted, since they may change. No address has a space, so no visitor can ask for it.
 */
export function userAnswerName(request: FastifyRequest, { user_id, roles }: WebsiteUser): string | null {
  const address = addressAlone(request);
  return address === null ? null : `${user_id} ${roles.join()} ${address}`;
}

function addressAlone({ method, headers, raw }: FastifyRequest): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (headers.cookie !== undefined || hasBody(raw)) return null;
  if (headers['x-http-method-override'] !== undefined || headers['x-wp-nonce'] !== undefined) return null;
  return raw.url ?? null;
}
