import type { FastifyInstance } from 'fastify';

import { findTooDeep, MAX_JSON_DEPTH } from '../schema/json-depth.ts';

/** A body of JSON that is nested too deep to be parsed. */
class TooDeepError extends Error {
  override readonly name = 'TooDeepError';
  readonly code = 'BODY_TOO_DEEP';
  readonly statusCode = 400;

  constructor() {
    super('The body is nested too deep');
  }
}

/** Parses bodies of JSON as Fastify does, of at most {@link MAX_JSON_DEPTH} arrays and objects within each other. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body);
    if (findTooDeep(text) !== null) return done(new TooDeepError());
    return parse(request, text, done);
  });
}
