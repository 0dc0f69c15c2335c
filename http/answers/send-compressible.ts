import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Compressible } from './compressible.ts';
import { THRESHOLD } from './compression.ts';
import { type Encoding, encodingFor } from './content-encoding.ts';

/** Sends bytes in the encoding in which `compressAnswers` would send them, compressed once and not for each answer. */
export async function sendCompressible(
  body: Compressible,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const encoding = encodingOf(body, request);
  if (encoding !== null) {
    const vary = reply.getHeader('Vary');
    const named = vary === undefined ? 'accept-encoding' : `${String(vary)}, accept-encoding`;
    reply.headers({ 'Content-Encoding': encoding, Vary: named });
  }
  return reply.send(await body.in(encoding));
}

function encodingOf({ length }: Compressible, { headers }: FastifyRequest): Encoding | null {
  if (length < THRESHOLD || headers['x-no-compression'] !== undefined) return null;
  const accepted = headers['accept-encoding'];
  return accepted === undefined ? null : encodingFor(String(accepted));
}
