import type { IncomingMessage } from 'node:http';

import type { FastifyInstance } from 'fastify';

import { hasBody } from './has-body.ts';

/** A body with a content coding, or a transfer coding other than `chunked`; 400. */
class EncodedBodyError extends Error {
  override readonly name = 'EncodedBodyError';
  readonly code = 'BODY_ENCODED';
  readonly statusCode = 400;

  constructor() {
    super('The body is compressed');
  }
}

/** Rejects compressed bodies before they are read: a small one could be huge. Each endpoint formats the error. */
export function rejectEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, _reply, _payload, done) => {
    done(hasBody(raw) && isEncoded(raw) ? new EncodedBodyError() : null);
  });
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  const transfer = headers['transfer-encoding']?.trim().toLowerCase() ?? 'chunked';
  return (coding !== '' && coding !== 'identity') || transfer !== 'chunked';
}
