import type { FastifyReply, FastifyRequest } from 'fastify';

import { parsePlainUrl } from '../../schema/plain-url.ts';

/** Two hours, the maximum for which Chromium caches the answer to a preflight. */
const PREFLIGHT_SECONDS = '7200';

/** Lets pages of any https origin read the answer, without cookies (decisions, "Who may do what": CORS). */
export function allowPages(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('Vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined || !isHttpsOrigin(origin)) return;
  reply.header('Access-Control-Allow-Origin', origin);
  if (request.method === 'OPTIONS') {
    reply.headers({
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers': 'authorization, content-type, last-event-id',
      'Access-Control-Max-Age': PREFLIGHT_SECONDS,
    });
  }
}

/** Tells whether this is an origin as browsers write it (RFC 6454, section 6.2): scheme, host, port, and nothing else. */
function isHttpsOrigin(origin: string): boolean {
  return origin.startsWith('https://') && parsePlainUrl(origin)?.origin === origin;
}
