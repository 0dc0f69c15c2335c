import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

import type { LoadRequest } from '../https-load.ts';

/** An answer with all that a client sees of it. */
export interface WholeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request once, with 0 for each `%n`. */
export function wholeAnswer({ url, method, headers, body }: LoadRequest): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, rejectUnauthorized: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    sent.on('error', reject);
    sent.end(body.replaceAll('%n', '0'));
  });
}

/** Values that no two answers share: times of now, request ids, new keys and links, cursors and what is left of a limit. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d/g, 'TIME'],
  [/"key":"[\w-]{22}"/g, '"key":"KEY"'],
  [/"token":"[^"]+"/g, '"token":"TOKEN"'],
  [/"url":"https:[^"]+"/g, '"url":"URL"'],
  [/"end_cursor":"[^"]+"/g, '"end_cursor":"CURSOR"'],
  [/(nonce-|nonce=")[\w-]{22}/g, '$1NONCE'],
];
/** Headers that depend on the moment, or on how a message is sent. */
const CHANGING_HEADERS = new Set(['date', 'x-request-id', 'ratelimit', 'connection', 'keep-alive', 'content-length']);

/** Names the differences between two answers, a line each; none if a client could not tell who answered. */
export function differencesBetween(ours: WholeAnswer, theirs: WholeAnswer, ignored: readonly string[]): string[] {
  const differences: string[] = [];
  const compare = (what: string, one: unknown, other: unknown) => {
    if (one !== other) differences.push(`${what}: ${shortened(one)} and ${shortened(other)}`);
  };
  compare('status', ours.status, theirs.status);
  compare('body', steady(ours.body), steady(theirs.body));
  for (const name of new Set([...Object.keys(ours.headers), ...Object.keys(theirs.headers)])) {
    const isLoose = CHANGING_HEADERS.has(name);
    if (isLoose) compare(name, name in ours.headers, name in theirs.headers);
    else if (!ignored.includes(name))
      compare(name, steady(String(ours.headers[name])), steady(String(theirs.headers[name])));
  }
  return differences;
}

function steady(body: string): string {
  return CHANGING.reduce((text, [pattern, name]) => text.replace(pattern, name), body.trimEnd());
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
