import { Agent, request as httpsRequest } from 'node:https';

import { testCertificate } from './server/test-host.ts';

/** As much of `fetch` as clients use. */
export type HttpsFetch = (url: string, init?: HttpsRequest) => Promise<Response>;

interface HttpsRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: URLSearchParams | Uint8Array | string | undefined;
}

/** `fetch` to this machine by real HTTPS, trusting the test authority alone; it follows no redirect. */
export async function httpsFetch(): Promise<HttpsFetch> {
  const { ca } = await testCertificate();
  const agent = new Agent({ ca, keepAlive: false });
  return (url, { method = 'GET', headers: given, body: content } = {}) => {
    const body = content instanceof Uint8Array ? content : Buffer.from(content?.toString() ?? '');
    const headers = { ...given, ...(body.length > 0 && { 'content-length': body.length }) };
    return new Promise((resolve, reject) => {
      const sent = httpsRequest(url, { method, agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          const received = new Headers();
          answer.rawHeaders.forEach((name, at, all) => {
            if (at % 2 === 0) received.append(name, all[at + 1] ?? '');
          });
          resolve(new Response(Buffer.concat(chunks), { status: answer.statusCode ?? 0, headers: received }));
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  };
}
