import type { FastifyInstance } from 'fastify';

/** Headers that tell of limits; a page of another origin reads no others than those that an answer names. */
const EXPOSED = 'RateLimit, RateLimit-Policy, Retry-After';

/**
 * Lets pages that may read an answer read from it how much they may ask for, and when to try again, beside the headers that
 * its endpoint names.
 *
 * @see https://fetch.spec.whatwg.org/#http-access-control-expose-headers
 */
export function exposeHeaders(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Access-Control-Allow-Origin')) return;
    const named = reply.getHeader('Access-Control-Expose-Headers');
    reply.header('Access-Control-Expose-Headers', named === undefined ? EXPOSED : `${String(named)}, ${EXPOSED}`);
  });
}
