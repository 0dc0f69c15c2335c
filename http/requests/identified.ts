import { setImmediate } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';

import { hasBody } from './has-body.ts';

/**
 * Makes the hooks of routes whose operations start with the current result of `find`, which throws to reject: caller,
 * permission, and the state that a cached answer depends on. Every route that takes credentials has them.
 */
export function identified<Known>(find: (request: FastifyRequest, reply: FastifyReply) => Promise<Known>) {
  const known = new WeakMap<FastifyRequest, Known>();
  const late = new WeakSet<FastifyRequest>();
  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    known.set(request, await find(request, reply));
  };
  return {
    /** Identifies before the body is read, so that the caller's limit on its size applies. */
    onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (isArriving(request) && (await isLate(request))) late.add(request);
      await identify(request, reply);
    },
    /**
     * Identifies again if the body came later than the headers, so that a caller without permission at the start of the
     * operation is rejected. It runs after the body has arrived and before it is validated.
     */
    preValidation: (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
      if (late.has(request)) identify(request, reply).then(() => done(), done);
      else done();
    },
    /** Identifies for the first time after the body has arrived, if that has the credentials. */
    afterBody: identify,
    /** The latest result; undefined before. */
    get: (request: FastifyRequest): Known | undefined => known.get(request),
  };
}

/** Returns true if a body has not been completely parsed; that of an injected request, which has no connection, is complete. */
function isArriving({ raw }: FastifyRequest): boolean {
  return hasBody(raw) && raw.complete === false;
}

/** Returns true if a body did not arrive together with the headers. */
async function isLate({ raw }: FastifyRequest): Promise<boolean> {
  // By the next turn of the event loop Node.js has parsed what it had received.
  await setImmediate();
  return !raw.complete;
}
