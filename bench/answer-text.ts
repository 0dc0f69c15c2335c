import { request } from 'node:https';

import type { LoadRequest } from './https-load.ts';

/** An answer as text, without compression. Rejects one of another status, or of 200 with errors of GraphQL. */
export function answerText({ url, method, headers, body, status = 200 }: LoadRequest): Promise<string> {
  return new Promise((resolve, reject) => {
    const plain = { ...headers, 'accept-encoding': 'identity' };
    const sent = request(
      url.replaceAll('%n', '0'),
      { method, headers: plain, rejectUnauthorized: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => {
          if (response.statusCode === status && (status !== 200 || !text.includes('"errors"'))) resolve(text);
          else reject(new Error(`${method} ${url} was answered with ${response.statusCode} ${text.slice(0, 500)}`));
        });
      },
    );
    sent.on('error', reject);
    sent.end(body.replaceAll('%n', '0').replaceAll('%t', new Date().toISOString()));
  });
}
