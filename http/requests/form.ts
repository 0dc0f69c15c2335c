import type { FastifyInstance, FastifyRequest } from 'fastify';

import { MAX_FORM } from './body-limits.ts';
import { formParameters, textOf } from './utf8.ts';

/** A posted form (`application/x-www-form-urlencoded`). */
export class Form {
  readonly #fields: URLSearchParams;

  /** @throws ServiceError BAD_REQUEST if its percent-escapes are not UTF-8 */
  constructor(body: string) {
    this.#fields = formParameters(body);
  }

  /** The value of a field that a form has once; null if it is absent or repeated. */
  one(name: string): string | null {
    const values = this.#fields.getAll(name);
    return values.length === 1 ? (values[0] ?? null) : null;
  }

  /** All values of a field that a form may have several times. */
  all(name: string): readonly string[] {
    return this.#fields.getAll(name);
  }
}

/** Lets an endpoint read forms of at most {@link MAX_FORM}; a body of another type is a form without fields. */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: MAX_FORM },
    async (request: FastifyRequest, body: Buffer) => new Form(textOf(body, request.headers['content-type'])),
  );
  app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_FORM }, (_request, _body, done) => {
    done(null, new Form(''));
  });
}

/** The form that a request carries. */
export function formOf(request: FastifyRequest): Form {
  return request.body instanceof Form ? request.body : new Form('');
}

/** Detects forms of other sites by `Origin` and Fetch Metadata; clients without them need the form's secret. */
export function isForeign({ headers }: FastifyRequest, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (headers.origin !== undefined && headers.origin !== origin) return true;
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
