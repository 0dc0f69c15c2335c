import { randomUUID } from 'node:crypto';

import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

import { FixedWindows } from './fixed-windows.ts';
import type { ContenderRecords, ContenderOwner } from './contender-records.ts';

/** Certificate chain and private key, as PEM. */
export interface ContenderCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Headers of every answer, as the service sends them. */
const HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

const callers = new FixedWindows('caller', 999_999_999, 60_000);
const addresses = new FixedWindows('address', 999_999_999, 60_000);

declare module 'fastify' {
  interface FastifyRequest {
    owner: ContenderOwner | null;
  }
}

/** Makes a host as it is written by hand: TLS, request ids, security headers, a log of warnings; no metrics. */
export function contenderHost(certificate: ContenderCertificate): FastifyInstance {
  const app = Fastify({
    https: certificate,
    keepAliveTimeout: 72_000,
    logger: { level: 'warn' },
    genReqId: () => randomUUID(),
  }) as unknown as FastifyInstance;
  app.decorateRequest('owner', null);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id).headers(HEADERS);
    done();
  });
  return app;
}

/**
 * Makes owners of API keys known as `request.owner`, counted by caller; everyone else is answered 401, counted by
 * address.
 */
export function demandOwner(app: FastifyInstance, records: ContenderRecords): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('Cache-Control', 'no-store');
    const apiKey = request.headers['service-api-key'];
    const owner = typeof apiKey === 'string' ? await records.ownerOf(apiKey) : null;
    if (!owner) {
      addresses.count(request.ip);
      const error = apiKey === undefined ? '' : ', error="invalid_token"';
      return reply.code(401).header('WWW-Authenticate', `Bearer realm="waybridge"${error}`).send();
    }
    countCaller(reply, owner.secret_hash);
    if (!owner.isPremium) return reply.code(403).send();
    request.owner = owner;
    return undefined;
  });
}

/** Counts a request for a caller, and shows the limit in the headers of the answer. */
export function countCaller(reply: FastifyReply, key: string): void {
  reply.headers(callers.headers(callers.count(key)));
}

/** Counts a request of someone without credentials. */
export function countVisitor(ip: string): void {
  addresses.count(ip);
}

/** Answers 404 without a body. */
export function answerNotFound(reply: FastifyReply): FastifyReply {
  return reply.code(404).send();
}
