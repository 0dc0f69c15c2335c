import type { IncomingMessage } from 'node:http';

import {
  GuardedRequestError,
  guardedRequest,
  PUBLIC_INTERNET,
  type Reach,
  readAnswer,
} from '../../http/outgoing/guarded-request.ts';
import { parseUrl } from '../../schema/parse-url.ts';
import { isWritten, parsePlainUrl } from '../../schema/plain-url.ts';

const TIMEOUT_MS = 5000;
const BYTE_LIMIT = 256 * 1024;
const REDIRECT_LIMIT = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = { Accept: 'application/json, text/html;q=0.9' };

/** Answer of another site. */
export interface GuardedAnswer {
  readonly url: URL;
  readonly status: number;
  /** The media type, in lower case and without parameters. */
  readonly type: string;
  readonly text: string;
}

/**
 * Reads a page of another site without being led to where this service alone can go ({@link guardedRequest}). Each address,
 * also of every redirect, must be http or https without credentials on an allowed port and host. Limits: 5 seconds in all,
 * 256 KiB, 3 redirects.
 *
 * @param isAllowedHost which hosts may be asked, by name
 * @throws GuardedRequestError where the site may not be reached, does not answer in time, or answers too much
 */
export async function guardedGet(
  address: string,
  isAllowedHost: (hostname: string) => boolean,
  reach: Reach = PUBLIC_INTERNET,
): Promise<GuardedAnswer> {
  const request = { method: 'GET', headers: HEADERS, reach, signal: AbortSignal.timeout(TIMEOUT_MS) } as const;
  let url = checkedUrl(address, isAllowedHost);
  for (let redirects = 0; redirects <= REDIRECT_LIMIT; redirects += 1) {
    const answer = await guardedRequest(url, request);
    const location = REDIRECTS.has(answer.statusCode ?? 0) ? answer.headers.location : undefined;
    if (location === undefined) return read(url, answer);
    answer.destroy();
    url = checkedUrl(location, isAllowedHost, url);
  }
  throw new GuardedRequestError('The site redirects too often');
}

function checkedUrl(address: string, isAllowedHost: (hostname: string) => boolean, base?: URL): URL {
  // The URL parser drops or replaces some characters, so that what follows would judge another address.
  const url = isWritten(address) ? parseUrl(address, base) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new GuardedRequestError('The address is not one of a web page');
  if (!parsePlainUrl(url.href)) throw new GuardedRequestError('The address has no plain host');
  if (url.username !== '' || url.password !== '') throw new GuardedRequestError('The address has credentials');
  if (!isAllowedHost(url.hostname)) throw new GuardedRequestError('The host is not allowed');
  return url;
}

async function read(url: URL, answer: IncomingMessage): Promise<GuardedAnswer> {
  const text = await readAnswer(answer, BYTE_LIMIT);
  const [type = ''] = (answer.headers['content-type'] ?? '').toLowerCase().split(';');
  return { url, status: answer.statusCode ?? 0, type: type.trim(), text };
}
