import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { answerError } from './answer-errors.ts';
import { logRequest } from '../observing/logs.ts';
import { REQUEST_ID_HEADER } from '../requests/request-id.ts';
import { setSecurityHeaders } from '../tls/security-headers.ts';
import { rejectUnsafe } from '../tls/transport.ts';
import type { TrustedProxies } from '../requests/trusted-proxies.ts';

/**
 * Makes the function that answers a request whose path the router cannot read, such as `/%ff`. Fastify runs no hook for
 * it, so what every answer has in common is done here: request id, security headers, HTTPS before anything else, a line
 * in the log.
 */
export function handleUnroutableRequest(proxies: TrustedProxies) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.raw.once('finish', () => logRequest(request, reply));
    reply.header(REQUEST_ID_HEADER, request.id);
    setSecurityHeaders(request, reply);
    if (rejectUnsafe(request, reply, proxies) === undefined) answerError(error, request, reply);
  };
}
