import { request } from 'node:https';
import { json } from 'node:stream/consumers';

/** Address of a service under test. */
export interface Client {
  /** The authority to trust, as PEM. */
  readonly ca: string;
  readonly port: number;
}

/** Asks a service over HTTPS, by POST where there is a body, and answers the JSON it sent. */
export function ask(
  { ca, port }: Client,
  path: string,
  { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: unknown } = {},
): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const sent = request({
      ca,
      port,
      path,
      host: 'localhost',
      family: 4,
      agent: false,
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    });
    sent.on('error', reject);
    sent.on('response', (response) =>
      json(response).then((value) => resolve(value as Record<string, unknown>), reject),
    );
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
