import { Agent, request as httpsRequest } from 'node:https';

import { testCertificate } from '../hosts/test-host.ts';

/** Statuses of answers without a body, to which a Response may not be given one. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/** As much of `fetch` as clients use. */
export type HttpsFetch = (url: string, init?: HttpsRequest) => Promise<Response>;

interface HttpsRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: URLSearchParams | Uint8Array | string | undefined;
}

/**
 * `fetch` to this machine by real HTTPS; it follows no redirect.
 *
 * @param authority the one to trust, as PEM; that of the tests unless given
 */
export async function httpsFetch(authority?: string): Promise<HttpsFetch> {
  const ca = authority ?? (await testCertificate()).ca;
  const agent = new Agent({ ca, keepAlive: true });
  return (url, { method = 'GET', headers: given, body: content } = {}) => {
    const body = content instanceof Uint8Array ? content : Buffer.from(content?.toString() ?? '');
    const headers = { ...given, ...(body.length > 0 && { 'content-length': body.length }) };
    return new Promise((resolve, reject) => {
      const sent = httpsRequest(url, { method, agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const received = new Headers();
          answer.rawHeaders.forEach((name, at, all) => {
            if (at % 2 === 0) received.append(name, all[at + 1] ?? '');
          });
          const { statusCode: status = 0 } = answer;
          const bytes = EMPTY.has(status) ? null : Buffer.concat(chunks);
          resolve(new Response(bytes, { status, headers: received }));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  };
}
