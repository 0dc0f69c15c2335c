import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { AddressRanges } from './address-ranges.ts';

const PLAIN_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** The header that carries the request id in answers, and in requests of trusted proxies. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Makes the function that names a request: as a trusted proxy named it in `X-Request-Id`, or by a random UUID. */
export function requestIdFrom(proxies: AddressRanges): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const proposed = headers['x-request-id'];
    const believed = typeof proposed === 'string' && PLAIN_ID.test(proposed) && proxies.has(socket.remoteAddress);
    return believed ? proposed : randomUUID();
  };
}
