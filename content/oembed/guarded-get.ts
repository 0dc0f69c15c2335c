import { lookup } from 'node:dns/promises';
import { type IncomingMessage, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

import ipaddr from 'ipaddr.js';

import { parseUrl } from '../../schema/parse-url.ts';
import { parsePlainUrl } from '../../schema/plain-url.ts';

const TIMEOUT_MS = 5000;
const BYTE_LIMIT = 256 * 1024;
const REDIRECT_LIMIT = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Limits of requests to other sites; tests, which may reach this machine only, pass their own. */
export interface Reach {
  /** All addresses of a host name. */
  readonly resolve: (hostname: string) => Promise<readonly string[]>;
  readonly isAllowedAddress: (address: string) => boolean;
  readonly isAllowedPort: (url: URL) => boolean;
  /** Certificates of authorities that are trusted in place of the well-known ones. */
  readonly ca?: string;
}

/** The public internet, and nothing of what lies behind this service. */
export const PUBLIC_INTERNET: Reach = {
  resolve: async (hostname) => (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address),
  isAllowedAddress: isPublicAddress,
  isAllowedPort: ({ port }) => port === '',
};

/** Answer of another site. */
export interface GuardedAnswer {
  readonly url: URL;
  readonly status: number;
  /** The media type, in lower case and without parameters. */
  readonly type: string;
  readonly text: string;
}

/** A request that was not sent, or whose answer was not read to its end. */
export class GuardedGetError extends Error {}

/** Tells whether an address is public: not this machine, not in a private network, and not reserved. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'unicast';
}

/**
 * Reads a page of another site without being led to where this service alone can go. Each address, also of every redirect,
 * must be http or https without credentials on an allowed port and host; its name is resolved once, every address of it
 * must be allowed, and the connection goes to the one that was checked. Limits: 5 seconds in all, 256 KiB, 3 redirects.
 *
 * @param isAllowedHost which hosts may be asked, by name
 * @throws GuardedGetError where the site may not be reached, does not answer in time, or answers too much
 */
export async function guardedGet(
  address: string,
  isAllowedHost: (hostname: string) => boolean,
  reach: Reach = PUBLIC_INTERNET,
): Promise<GuardedAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let url = checkedUrl(address, isAllowedHost, reach);
  for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects += 1) {
    const answer = await send(url, await checkedAddress(url, reach, signal), reach, signal);
    const location = REDIRECTS.has(answer.statusCode ?? 0) ? answer.headers.location : undefined;
    if (location === undefined) return read(url, answer);
    answer.destroy();
    url = checkedUrl(location, isAllowedHost, reach, url);
  }
  throw new GuardedGetError('The site redirects too often');
}

function checkedUrl(address: string, isAllowedHost: (hostname: string) => boolean, reach: Reach, base?: URL): URL {
  const url = parseUrl(address, base);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new GuardedGetError('The address is none of a web page');
  if (!parsePlainUrl(url.href)) throw new GuardedGetError('The address has no plain host');
  if (url.username !== '' || url.password !== '') throw new GuardedGetError('The address has credentials');
  if (!isAllowedHost(url.hostname) || !reach.isAllowedPort(url)) throw new GuardedGetError('The host is not allowed');
  return url;
}

/** The one address to which the connection goes. A host name that leads to a forbidden address besides is not used. */
async function checkedAddress(url: URL, reach: Reach, signal: AbortSignal): Promise<string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = ipaddr.isValid(host) ? [host] : await inTime(reach.resolve(host), signal).catch(() => []);
  const [first] = addresses;
  if (first === undefined || !addresses.every((each) => reach.isAllowedAddress(each))) {
    throw new GuardedGetError('The host is not reached');
  }
  return first;
}

function inTime<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const tooLate = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([answer, tooLate]);
}

function send(url: URL, address: string, reach: Reach, signal: AbortSignal): Promise<IncomingMessage> {
  const family = ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4;
  const options: RequestOptions & { ca?: string } = {
    signal,
    agent: false,
    headers: { Accept: 'application/json, text/html;q=0.9', 'Accept-Encoding': 'identity', 'User-Agent': 'Waybridge' },
    // The name was resolved before: asked again, it could lead elsewhere.
    lookup: (_hostname, { all }, done) => (all ? done(null, [{ address, family }]) : done(null, address, family)),
    ...(reach.ca === undefined ? {} : { ca: reach.ca }),
  };
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(new GuardedGetError('The site does not answer', { cause }));
    request(url, options, resolve).on('error', fail).end();
  });
}

async function read(url: URL, answer: IncomingMessage): Promise<GuardedAnswer> {
  if ((answer.headers['content-encoding'] ?? 'identity') !== 'identity') {
    answer.destroy();
    throw new GuardedGetError('The site answers in an encoding that was not asked for');
  }
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > BYTE_LIMIT) throw new GuardedGetError('The site answers too much');
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof GuardedGetError ? error : new GuardedGetError('The answer breaks off', { cause: error });
  } finally {
    answer.destroy();
  }
  const [type = ''] = (answer.headers['content-type'] ?? '').toLowerCase().split(';');
  return { url, status: answer.statusCode ?? 0, type: type.trim(), text: Buffer.concat(chunks).toString('utf8') };
}
