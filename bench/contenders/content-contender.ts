import { randomBytes } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { answerNotFound, countVisitor } from './contender-host.ts';
import type { ContenderRecords } from './contender-records.ts';

/** Stands in a stored page for the nonce that each answer has again. */
export const STORED_NONCE = '{nonce-of-this-answer}';

/** Adds a route for all other paths, as one writes it by hand: one look-up, then the stored bytes as they are. */
export function addContentContender(app: FastifyInstance, records: ContenderRecords): void {
  app.get('/*', async (request, reply) => {
    countVisitor(request.ip);
    const stored = await records.answer(request.url);
    if (!stored) return answerNotFound(reply);
    const { headers, body, hasNonce } = stored;
    if (!hasNonce) return reply.headers(headers).send(body);
    const nonce = randomBytes(16).toString('base64url');
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replaceAll(STORED_NONCE, nonce)]);
    return reply.headers(Object.fromEntries(filled)).send(body.toString('utf8').replaceAll(STORED_NONCE, nonce));
  });
}
