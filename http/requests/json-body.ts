import type { FastifyInstance, FastifyRequest } from 'fastify';

import { findTooDeep, MAX_JSON_DEPTH } from '../../schema/json-depth.ts';

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
  const parse = jsonParser(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, parse);
}

/** Makes the parser of {@link readJsonBodies}, for text that was read already; it rejects with a FastifyError. */
export function jsonParser(app: FastifyInstance): (request: FastifyRequest, text: string) => Promise<unknown> {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, text) =>
    new Promise((resolve, reject) => {
      if (findTooDeep(text) !== null) reject(new TooDeepError());
      else parse(request, text, (error, body) => (error ? reject(error) : resolve(body)));
    });
}
