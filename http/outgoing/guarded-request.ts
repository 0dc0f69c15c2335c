import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

import ipaddr from 'ipaddr.js';

import { isLoopbackHost } from '../requests/loopback.ts';

/** Limits of requests to other sites; tests, which may reach this machine only, pass their own. */
export interface Reach {
  /** All addresses of a host name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly isAllowedAddress: (address: string) => boolean;
  readonly isAllowedPort: (url: URL) => boolean;
  /** Certificates of authorities that are trusted in place of the well-known ones. */
  readonly ca?: string;
}

/** The public internet, without the networks behind this service. */
export const PUBLIC_INTERNET: Reach = {
  resolve: async (hostname) => (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address),
  isAllowedAddress: isPublicAddress,
  isAllowedPort: ({ port }) => port === '',
};

/** A request to another site. */
export interface GuardedRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly reach: Reach;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** A request that was not sent, or whose response was not read to the end. */
export class GuardedRequestError extends Error {}

/** Global unicast addresses; of IPv6, no others are assigned (RFC 4291, section 2.4; IANA). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns true if an address is public: not this machine, not in a private network, and not reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/**
 * Returns true unless the host of a URL is an address that is not allowed, or a name of this machine (RFC 6761, section 6.3). Other
 * names are checked when a request is sent: an earlier look-up would only reveal existing names to strangers.
 */
export function mayReach({ hostname }: URL, { isAllowedAddress }: Pick<Reach, 'isAllowedAddress'>): boolean {
  const host = hostNameOf(hostname);
  if (ipaddr.isValid(host)) return isAllowedAddress(host);
  return !isLoopbackHost(host) || isAllowedAddress('127.0.0.1');
}

function hostNameOf(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Sends a request to another site without being led to where this service alone can go: the name of its host is resolved
 * once, every address of it must be allowed, and the connection goes to the one that was checked. Redirects are answers.
 *
 * @throws GuardedRequestError if the site may not be reached or does not answer
 */
export async function guardedRequest(url: URL, request: GuardedRequest): Promise<IncomingMessage> {
  const { reach, signal } = request;
  if (!reach.isAllowedPort(url)) throw new GuardedRequestError('The host is not allowed');
  return send(url, await checkedAddress(url, reach, signal), request);
}

/** The one address to which the connection goes. A host name that also resolves to a forbidden address is not used. */
async function checkedAddress(url: URL, reach: Reach, signal: AbortSignal): Promise<string> {
  const host = hostNameOf(url.hostname);
  const addresses = ipaddr.isValid(host) ? [host] : await inTime(reach.resolve(host), signal).catch(() => []);
  const [first] = addresses;
  if (first === undefined || !addresses.every((each) => reach.isAllowedAddress(each))) {
    throw new GuardedRequestError('The host cannot be reached');
  }
  return first;
}

function inTime<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const tooLate = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([answer, tooLate]);
}

function send(url: URL, address: string, { method, headers, body, reach, signal }: GuardedRequest) {
  const family = ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4;
  const options: RequestOptions & { ca?: string } = {
    method,
    signal,
    agent: false,
    headers: { 'Accept-Encoding': 'identity', 'User-Agent': 'Waybridge', ...headers },
    // The name was already resolved: a second look-up could give another address.
    lookup: (_hostname, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
    ...(reach.ca === undefined ? {} : { ca: reach.ca }),
  };
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (cause: unknown) => reject(new GuardedRequestError('The site did not respond', { cause }));
    request(url, options, resolve).on('error', fail).end(body);
  });
}

/** Reads at most `limit` bytes from the beginning of an answer as text; the rest is not received. */
export async function readBeginning(answer: IncomingMessage, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= limit) break;
  }
  return Buffer.concat(chunks).subarray(0, limit).toString('utf8');
}

/**
 * Reads the text of an answer.
 *
 * @param limit maximum number of bytes
 * @throws GuardedRequestError if it is larger, encoded, or incomplete
 */
export async function readAnswer(answer: IncomingMessage, limit: number): Promise<string> {
  if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') {
    answer.destroy();
    throw new GuardedRequestError('The site sent an encoding that was not requested');
  }
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) throw new GuardedRequestError('The response of the site is too large');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof GuardedRequestError
      ? error
      : new GuardedRequestError('The response of the site is incomplete', { cause: error });
  } finally {
    answer.destroy();
  }
  return Buffer.concat(chunks).toString('utf8');
}
