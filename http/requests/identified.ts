import { setImmediate } from 'node:timers/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { hasBody } from './has-body.ts';

/** Route hooks that identify who asks, and what they found. */
export interface Identified<Known> {
  /** Identifies before the body is read, so that nobody sends more than may be sent by the caller. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * Identifies again where the body came later than the headers, so that whoever is not allowed at the moment at which the
   * operation starts is refused. It comes after the body, and before what is read of it is judged.
   */
  readonly preValidation: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** The latest finding; undefined before {@link onRequest}. */
  get(request: FastifyRequest): Known | undefined;
}

/**
 * Makes the hooks of routes whose operations start with what `find` finds at that moment: caller, permission, and the
 * state that an answer is kept under. Every route that asks for credentials has them.
 *
 * @param find throws in order to refuse
 */
export function identified<Known>(
  find: (request: FastifyRequest, reply: FastifyReply) => Promise<Known>,
): Identified<Known> {
  const known = new WeakMap<FastifyRequest, Known>();
  const late = new WeakSet<FastifyRequest>();
  const identify = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    known.set(request, await find(request, reply));
  };
  return {
    onRequest: async (request, reply) => {
      if (await isBodyLate(request)) late.add(request);
      await identify(request, reply);
    },
    preValidation: async (request, reply) => {
      if (late.has(request)) await identify(request, reply);
    },
    get: (request) => known.get(request),
  };
}

/** Tells whether a body did not arrive together with the headers; that of an injected request, which has no connection, did. */
async function isBodyLate({ raw }: FastifyRequest): Promise<boolean> {
  if (!hasBody(raw) || raw.complete !== false) return false;
  // By the next turn of the event loop Node.js has parsed what it had received.
  await setImmediate();
  return !raw.complete;
}
