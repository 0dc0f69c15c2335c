import type { FastifyInstance } from 'fastify';

const held = new WeakSet<object>();

/**
 * Keeps a client that sent `Expect: 100-continue` waiting (RFC 9110, section 10.1.1). Unless it is allowed to
 * continue, a connection by HTTP/1.1 must close after the answer, since the client may or may not send its body.
 */
export function holdContinue(request: object): void {
  held.add(request);
}

/** Returns true if a client waits for permission to send its body. */
export function awaitsContinue(request: object): boolean {
  return held.has(request);
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
