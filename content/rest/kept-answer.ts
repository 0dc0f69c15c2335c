import { createHash } from 'node:crypto';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { Compressible } from '../../http/answers/compressible.ts';
import { EFFORT } from '../../http/answers/compression.ts';
import { preconditionStatus } from '../../http/answers/preconditions.ts';
import { sendCompressible } from '../../http/answers/send-compressible.ts';
import type { Keepable } from '../caching/content-cache.ts';
import type { ContentAnswer } from './content-answer.ts';

/** An answer to visitors or to one user, ready to be sent many times. */
export interface KeptAnswer extends Keepable {
  readonly answer: ContentAnswer;
  readonly body: Compressible;
  /** A strong entity tag of headers and body; null if the answer is not a success. */
  readonly etag: string | null;
}

/** Memory that an answer takes in addition to its body, in bytes. */
const OVERHEAD = 1024;

/** Prepares an answer for caching; only successes are cached. */
export function keptAnswer(answer: ContentAnswer): KeptAnswer {
  const bytes = Buffer.from(answer.body);
  const body = new Compressible(bytes, EFFORT);
  if (answer.status !== 200) return { answer, body, etag: null, size: null };
  const hash = createHash('sha256').update(JSON.stringify(answer.headers)).update(bytes).digest('base64url');
  // The bytes replace the text, so that memory holds only one copy.
  return { answer: { ...answer, body: '' }, body, etag: `"${hash.slice(0, 22)}"`, size: bytes.length + OVERHEAD };
}

/**
 * Sends an answer whose other headers are set, or 304 to a client that has it. Clients revalidate each time: it may have
 * changed.
 */
export async function sendKept(
  { answer: { status, type }, body, etag }: KeptAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.code(status).header('Content-Type', type);
  if (etag !== null) {
    // Weak, since it is compressed in transit.
    reply.headers({ ETag: `W/${etag}`, 'Cache-Control': 'no-cache' });
    const condition = preconditionStatus(request.headers, { etag, modified: null });
    if (condition !== null) return reply.code(condition).send();
  }
  return sendCompressible(body, request, reply);
}
