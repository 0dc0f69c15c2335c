import { Agent, request } from 'node:https';

/** A request over real TLS. */
export interface HttpsRequest {
  readonly method?: string;
  /** A list sends the header once for each value. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly body?: string | Uint8Array;
}

/** What came back. */
export interface HttpsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** A client that trusts one certificate authority, as PEM, and nothing else. */
export function httpsClient(ca: string): (url: string, request?: HttpsRequest) => Promise<HttpsAnswer> {
  const agent = new Agent({ ca });
  return (url, { method = 'GET', headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.once('error', reject).end(body);
    });
}

/** The JSON of an answer; throws what was said instead of a success. */
export function jsonOf({ status, text }: HttpsAnswer): Record<string, unknown> {
  if (status < 200 || status > 299) throw new Error(`${status} ${text}`);
  return JSON.parse(text);
}
