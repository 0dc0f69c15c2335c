import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { isPlain } from './listener.ts';
import { isLoopbackAddress } from './loopback.ts';
import type { TrustedProxies } from './trusted-proxies.ts';

/** Headers by which a proxy tells about the request that it received. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-real-ip'];
const FORWARDED_BY_STANDARD = ['forwarded', 'via'];
/** A host name or address with an optional port (RFC 9110, section 7.2); what else a `Host` header says is a fault. */
const HOST = /^(?:[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_.])?|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/**
 * Guards every request: 400 `{"errors":"HTTPS is required"}` to one that did not arrive by HTTPS (decisions, section
 * "Addresses"), and never a redirect, which would hide that a credential has just been sent in the clear.
 *
 * Plain HTTP is for trusted proxies, which must say `X-Forwarded-Proto: https`. Forwarding headers of others are removed.
 */
export function guardTransport(app: FastifyInstance, proxies: TrustedProxies): void {
  app.addHook('onRequest', async (request, reply) => refuseUnsafe(request, reply, proxies));
}

/** Guards one request, see {@link guardTransport}; undefined where it may go on. */
export function refuseUnsafe(
  request: FastifyRequest,
  reply: FastifyReply,
  proxies: TrustedProxies,
): FastifyReply | undefined {
  const { socket, headers } = request.raw;
  const trusted = proxies.trusts(socket.remoteAddress);
  const proto = headers['x-forwarded-proto'];
  const byHttps = trusted && proto !== undefined ? isHttps(proto) : !isPlain(socket);
  if (!trusted) {
    for (const name of FORWARDING) {
      delete headers[name];
    }
  }
  if (!byHttps) {
    return reply.code(400).header('Connection', 'close').send({ errors: 'HTTPS is required' });
  }
  return HOST.test(request.host) ? undefined : reply.code(400).send({ errors: 'The Host header must name a host' });
}

/**
 * Whether the peer is a program on this machine that speaks for itself: its address is loopback, and it says nothing
 * that a proxy on this machine would say when it forwards for somebody else.
 */
export function isLocalPeer(request: FastifyRequest): boolean {
  const { socket, rawHeaders } = request.raw;
  const forwarded = rawHeaders.some((name, index) => index % 2 === 0 && isForwardingHeader(name.toLowerCase()));
  return isLoopbackAddress(socket.remoteAddress) && !forwarded;
}

function isForwardingHeader(name: string): boolean {
  return name.startsWith('x-forwarded-') || FORWARDING.includes(name) || FORWARDED_BY_STANDARD.includes(name);
}

/** Every proxy on the way may append its own view; all of them must have seen HTTPS. */
function isHttps(proto: string | string[]): boolean {
  return String(proto)
    .split(',')
    .every((seen) => seen.trim().toLowerCase() === 'https');
}
