import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

const held = new WeakSet<IncomingMessage>();

/**
 * Keeps a client that sent `Expect: 100-continue` waiting (RFC 9110, section 10.1.1). Unless it is told to go on, the
 * connection closes after the answer, since it may send its body or not.
 */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  held.add(request);
  response.setHeader('Connection', 'close');
}

/** Tells clients that wait to send their bodies, once `onRequest` has let them pass: who is refused sends none. */
export function continueLater(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ raw }, reply) => {
    if (!held.delete(raw)) return;
    reply.raw.removeHeader('Connection');
    reply.raw.writeContinue();
  });
}
