import { gzipSync } from 'node:zlib';

import type { Dice } from './dice.ts';
import type { Draft } from './hostile-request.ts';
import type { Fields } from './world.ts';

const BOMB = gzipSync(Buffer.alloc(4 * 2 ** 20));

const FIELDS: Fields = [
  ['Accept-Encoding', 'gzip, br'],
  ['Accept-Encoding', 'zstd;q=1.5, x;q=-1'],
  ['Accept', ''],
  ['Accept', 'application/json;q=0'],
  ['Accept', 'text/html'],
  ['Range', 'bytes=0-1'],
  ['Range', 'bytes=-'],
  ['If-Modified-Since', 'x'],
  ['If-None-Match', '*'],
  ['If-Match', '"x"'],
  ['Origin', 'https://evil.example'],
  ['Origin', 'https://a%2Aexample'],
  ['Origin', 'null'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-HTTP-Method-Override', '__proto__'],
  ['X-WP-Nonce', 'x'],
  ['X-Forwarded-For', '1.2.3.4, x'],
  ['X-Forwarded-Proto', 'http'],
  ['X-Forwarded-Host', 'evil.example'],
  ['Forwarded', 'for="[::1]:x"'],
  ['X-Request-Id', 'a b'],
  ['X-Request-Id', '\u0001'.repeat(3).replaceAll('\u0001', '\t')],
  ['Cookie', 'a=b; a=c; ='],
  ['Expect', '100-continue'],
  ['Expect', 'x'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Connection', 'Upgrade, HTTP2-Settings'],
  ['Connection', 'keep-alive, host'],
  ['TE', 'trailers, deflate;q=0.5'],
  ['Trailer', 'Content-Length'],
  ['Max-Forwards', '0'],
  ['Authorization', 'Bearer '],
  ['Authorization', 'Digest x'],
  ['Authorization', `Basic ${'x'.repeat(2000)}`],
  ['Authorization', 'Basic AAAA'],
  ['Service-Api-Key', ''],
  ['User-Agent', `${'\u00ff'.repeat(100)}`],
  ['Content-Language', '\u202e'],
  ['Date', 'x'],
  ['Proxy-Authorization', 'x'],
  ['Access-Control-Request-Method', 'DELETE'],
  ['Access-Control-Request-Headers', `${'x,'.repeat(500)}`],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['Content-Encoding', 'identity'],
];
const HOSTS = [
  'localhost:1',
  'LOCALHOST',
  'evil.example',
  '127.0.0.1',
  '[::1]',
  'localhost.',
  'xn--a',
  'a'.repeat(250),
];
const ENCODINGS = ['gzip', 'deflate', 'br', 'gzip, gzip', 'x', '', 'compress', 'identity, gzip'];

/** A request with headers that do not fit it, now and then with a body that is not as it is said to be. */
export function withOddHeaders(dice: Dice, draft: Draft): Draft {
  if (dice.chance(0.75)) return draft;
  const headers = [...draft.headers, ...dice.some(3, () => dice.pick(FIELDS))];
  if (dice.chance(0.1)) headers.push(['Host', dice.pick(HOSTS)]);
  if (draft.body === undefined) return { ...draft, headers };
  if (dice.chance(0.15)) {
    headers.push(['Content-Encoding', dice.pick(ENCODINGS)]);
    if (dice.chance(0.3))
      return { ...draft, headers, body: dice.chance(0.2) ? BOMB : gzipSync(Buffer.from(draft.body)) };
  }
  if (dice.chance(0.1))
    headers.push(['Content-Type', dice.pick(['application/json', 'text/plain', '\u0000'.trim(), 'a/b;c'])]);
  return { ...draft, headers };
}
