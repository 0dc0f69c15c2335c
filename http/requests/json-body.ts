import type { FastifyInstance, FastifyRequest } from 'fastify';

import { findTooDeep, MAX_JSON_DEPTH } from '../../schema/json-depth.ts';
import { hasLoneSurrogate } from '../../schema/lone-surrogate.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { textOf } from './utf8.ts';

/** Parses bodies of JSON as Fastify does, after the checks of {@link jsonTextOf}. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = jsonParser(app);
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parse);
}

/** Makes the parser of {@link readJsonBodies}, for a body that was read already; it rejects with a FastifyError or ServiceError. */
export function jsonParser(app: FastifyInstance): (request: FastifyRequest, body: Buffer) => Promise<unknown> {
  const parse = app.getDefaultJsonParser('error', 'error');
  return (request, body) =>
    new Promise((resolve, reject) => {
      const text = jsonTextOf(body, request.headers['content-type']);
      parse(request, text, (error, value) => (error ? reject(error) : resolve(value)));
    });
}

/**
 * Text of a JSON body, ready to be parsed.
 *
 * @throws ServiceError BAD_REQUEST as {@link textOf}; if there are more than {@link MAX_JSON_DEPTH} arrays and objects within each
 * other; for a lone surrogate
 */
export function jsonTextOf(body: Uint8Array, contentType?: string): string {
  const text = textOf(body, contentType);
  if (findTooDeep(text) !== null) {
    throw new ServiceError('BAD_REQUEST', `The body must not be nested more than ${MAX_JSON_DEPTH} deep`);
  }
  if (hasLoneSurrogate(text)) throw new ServiceError('BAD_REQUEST', 'The body must not contain unpaired surrogates');
  return text;
}
