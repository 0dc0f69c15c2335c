import type { FastifyRequest } from 'fastify';

import { hasBody } from '../../http/requests/has-body.ts';

/**
 * The name under which an answer may be kept: the address of a request that says nothing else by which answers differ. Null for
 * a request with credentials, with a body, or with a header that changes what it asks for.
 */
export function answerName({ method, headers, raw }: FastifyRequest): string | null {
  if (method !== 'GET' && method !== 'HEAD') return null;
  if (headers.authorization !== undefined || headers.cookie !== undefined || hasBody(raw)) return null;
  if (headers['x-http-method-override'] !== undefined || headers['x-wp-nonce'] !== undefined) return null;
  return raw.url ?? null;
}
