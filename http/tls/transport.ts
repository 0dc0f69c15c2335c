import type { FastifyReply, FastifyRequest } from 'fastify';

import { hasLargeHeaders } from './http2-server.ts';
import { isPlain } from './listener.ts';
import { isLoopbackAddress } from '../requests/loopback.ts';
import { namesPlainHttp, targetFault } from '../requests/request-target.ts';
import type { AddressRanges } from '../requests/address-ranges.ts';

/** Headers by which a proxy describes the request that it received. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port', 'x-real-ip'];
/** Headers of proxies, load balancers and content networks that name the client, or show that the request is forwarded. */
const FORWARDING_PARTS =
  /forwarded|forwarder|(?:real|client|connecting|remote)-ip|remote-(?:addr|host)|client-(?:addr|host)|cluster-client|original-|proxy-|proxyuser|envoy-|front-end-/;
/** Headers with the prefixes of one vendor's proxies; `via` is the standard's (RFC 9110). */
const FORWARDING_PREFIXES =
  /^(?:via|cf-|cdn-|fastly-|akamai-|x-akamai-|incap-|x-sucuri-|x-amzn-|x-amz-cf-|x-azure-|x-arr-|x-appengine-|x-gfe-|x-cloud-trace-|x-vercel-|x-nf-|fly-|ali-|x-varnish|x-host)/;
/** Message of 431, for headers beyond the limit of Node.js (`--max-http-header-size`). */
export const LARGE_HEADERS = 'The headers are too large';
/** Methods that some resource of this server has, for requests that name no resource, such as `OPTIONS *`. */
export const SERVER_METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';

/**
 * Guards a request; undefined if it may proceed. It answers 400 `{"errors":"HTTPS is required"}` without HTTPS, and
 * never redirects, which would hide that a credential was sent in the clear (decisions, section "Addresses"). It also
 * rejects invalid targets and answers `OPTIONS *`. Trusted proxies may use plain HTTP with `X-Forwarded-Proto: https`;
 * forwarding headers of others are removed.
 */
export function rejectUnsafe(request: FastifyRequest, reply: FastifyReply, proxies: AddressRanges) {
  const { socket, headers } = request.raw;
  const trusted = proxies.has(socket.remoteAddress);
  const proto = headers['x-forwarded-proto'];
  const direct = !isPlain(socket) && !namesPlainHttp(request.originalUrl);
  const byHttps = trusted && proto !== undefined ? isHttps(proto) : direct;
  if (!trusted) {
    // Checking first saves time: V8 deletes by a slow path, even absent members.
    for (const name of FORWARDING) if (headers[name] !== undefined) delete headers[name];
  }
  if (!byHttps) return reply.code(400).header('Connection', 'close').send({ errors: 'HTTPS is required' });
  if (hasLargeHeaders(request.raw)) return reply.code(431).send({ errors: LARGE_HEADERS });
  const errors = targetFault(request.raw, request.host);
  if (errors !== null) return reply.code(400).send({ errors });
  return request.raw.url === '*' ? reply.code(204).header('Allow', SERVER_METHODS).send() : undefined;
}

/** Returns true if the peer is a program on this machine and no proxy: loopback, without a header that proxies add. */
export function isLocalPeer(request: FastifyRequest): boolean {
  const { socket, rawHeaders } = request.raw;
  const forwarded = rawHeaders.some((name, index) => index % 2 === 0 && isForwardingHeader(name.toLowerCase()));
  return isLoopbackAddress(socket.remoteAddress) && !forwarded;
}

function isForwardingHeader(name: string): boolean {
  return FORWARDING_PARTS.test(name) || FORWARDING_PREFIXES.test(name);
}

/** Every proxy on the way may append a value; all of them must have seen HTTPS. */
function isHttps(proto: string | string[]): boolean {
  return String(proto)
    .split(',')
    .every((seen) => seen.trim().toLowerCase() === 'https');
}
