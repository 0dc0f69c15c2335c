import type { FastifyReply, FastifyRequest } from 'fastify';

import { isLoopbackHost } from '../requests/loopback.ts';

const HSTS = 'max-age=31536000; includeSubDomains';
const ALWAYS = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
};

/**
 * Sets security headers on an answer: nothing may frame it, load anything from it as a page, or guess its type. Pages
 * override some by `pageHeaders`. HSTS everywhere but on this machine (decisions, section "Addresses").
 */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(ALWAYS);
  if (!isLoopbackHost(request.hostname)) reply.header('Strict-Transport-Security', HSTS);
}
