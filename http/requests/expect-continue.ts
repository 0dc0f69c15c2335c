import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyInstance } from 'fastify';

const held = new WeakSet<IncomingMessage>();

/**
 * Keeps a client that sent `Expect: 100-continue` waiting (RFC 9110, section 10.1.1). Unless it is allowed to
 * continue, the connection closes after the answer, since the client may or may not send its body.
 */
export function holdContinue(request: IncomingMessage, response: ServerResponse): void {
  held.add(request);
  response.setHeader('Connection', 'close');
}

/** Lets waiting clients send their bodies after the `onRequest` hooks: a rejected request sends none. */
export function continueLater(app: FastifyInstance): void {
  app.addHook('preParsing', ({ raw }, reply, _payload, done) => {
    if (held.delete(raw)) {
      reply.raw.removeHeader('Connection');
      reply.raw.writeContinue();
    }
    done();
  });
}
