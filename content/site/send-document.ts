import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { preconditionStatus } from '../../http/answers/preconditions.ts';

/** A document that caches may keep. */
export interface CachedDocument {
  readonly body: string;
  readonly modified?: Date;
}

/** Time for which caches may use a document without revalidation, in seconds. */
export const MAX_AGE = 60;

/** Sends a document, or 304 if the client has it already. The entity tag is a hash of it (RFC 9110, section 8.8.3). */
export function sendDocument(
  { body, modified }: CachedDocument,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  // Weak, since it is compressed on its way.
  reply.headers({ ETag: `W/${etag}`, 'Cache-Control': `public, max-age=${MAX_AGE}` });
  const status = preconditionStatus(headers, { etag, modified: modified ?? null });
  return status === null ? reply.send(body) : reply.code(status).send();
}
