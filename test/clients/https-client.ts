import { Agent, request } from 'node:https';

/** A request over real TLS. */
export interface HttpsRequest {
  readonly method?: string;
  /** A list sends the header once for each value. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
  /** Ends the request. */
  readonly signal?: AbortSignal;
}

/** Answer to a request. */
export interface HttpsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** A client of a service. */
export type HttpsClient = (url: string, request?: HttpsRequest) => Promise<HttpsAnswer>;

/** A client that trusts one certificate authority, as PEM, and nothing else. */
export function httpsClient(ca: string, { keepAlive = false } = {}): HttpsClient {
  const agent = new Agent({ ca, keepAlive });
  return (url, { method = 'GET', headers = {}, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent, ...(signal && { signal }) }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() });
        });
      });
      sent.once('error', reject).end(body);
    });
}

/** The JSON of an answer; throws what was said instead of a success. */
export function jsonOf({ status, text }: HttpsAnswer): Record<string, unknown> {
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}
