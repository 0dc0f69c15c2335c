import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { Dice } from '../dice.ts';
import { type Draft, type HostileRequest, inChunks, onTheWire, type Step } from '../hostile-request.ts';
import { nastyText } from '../nasty-values.ts';
import type { World } from '../world.ts';

/** Most bytes between two steps of a request that comes in pieces. */
const PIECE = 40;

type Made = Omit<HostileRequest, 'endpoint' | 'caller' | 'method'> & { readonly method?: string };

/** Improper requests: bytes on a separate connection. `draft` is a request that would be one. */
export function socketRequest(dice: Dice, _world: World, draft: Draft): HostileRequest {
  const made = dice.weighted<(dice: Dice, draft: Draft) => Made>([
    [6, requestLine],
    [5, hostField],
    [6, framing],
    [5, headerBomb],
    [3, oldVersion],
    [4, pipeline],
    [4, inPieces],
    [2, early],
    [0.1, half],
    [2, encoded],
    [2, garbage],
    [2, absolute],
  ])(dice, draft);
  return { endpoint: 'sockets', caller: draft.caller, method: draft.method, ...made };
}

function answered(bytes: string | Uint8Array, method?: string): Made {
  const steps = [Buffer.from(bytes as string)];
  return { steps, isFramed: false, needsAnswer: true, ...(method !== undefined && { method }) };
}

const CLOSE = 'Host: localhost\r\nConnection: close\r\n\r\n';

function requestLine(dice: Dice): Made {
  const line = dice.pick([
    'GET  / HTTP/1.1',
    'GET / HTTP/1.1 x',
    'GET /a b HTTP/1.1',
    'get / HTTP/1.1',
    'G\u0000T / HTTP/1.1',
    'FOO / HTTP/1.1',
    'PROPFIND / HTTP/1.1',
    'M-SEARCH * HTTP/1.1',
    'TRACE / HTTP/1.1',
    'CONNECT localhost:443 HTTP/1.1',
    'CONNECT / HTTP/1.1',
    'GET * HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'POST * HTTP/1.1',
    'GET x HTTP/1.1',
    'GET ?x HTTP/1.1',
    'GET //evil.example/ HTTP/1.1',
    'GET \\ HTTP/1.1',
    'GET /\\..\\..\\x HTTP/1.1',
    'GET /%ff%fe HTTP/1.1',
    'GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1',
    'GET /\u00ff\u00fe HTTP/1.1',
    'GET /😀 HTTP/1.1',
    'GET /# HTTP/1.1',
    'GET /?a=%ff&b=%00&%=% HTTP/1.1',
    'GET /;x=y/../z HTTP/1.1',
    'GET / HTTP/1.2',
    'GET / HTTP/2.0',
    'GET / HTTP/9.9',
    'GET / HTTP/0.9',
    'GET / http/1.1',
    'GET / HTP/1.1',
    'GET /',
    'PRI * HTTP/2.0\r\n\r\nSM',
    ' GET / HTTP/1.1',
    '\r\n\r\nGET / HTTP/1.1',
    `GET /${'x'.repeat(20_000)} HTTP/1.1`,
    `GET /?${'x'.repeat(15_000)} HTTP/1.1`,
    `${'X'.repeat(5000)} / HTTP/1.1`,
    `GET /${encodeURIComponent(Buffer.from(nastyText(dice)).toString())} HTTP/1.1`,
    `GET /api/v2/device/${'%C3%A9'.repeat(2000)} HTTP/1.1`,
    'GET /wp-json/%ff HTTP/1.1',
    'GET /oauth/%00 HTTP/1.1',
  ]);
  return answered(`${line}\r\n${CLOSE}`, 'GET');
}

function absolute(dice: Dice, draft: Draft): Made {
  const origin = dice.pick([
    'https://localhost',
    'http://localhost',
    'https://evil.example:444',
    'HTTPS://LOCALHOST',
    'https://user:pass@localhost',
    'https://localhost:99999',
    'https://[::1]',
    'https://[x]',
    'https://',
    'ftp://localhost',
    'https://a%2Ab',
    'https://localhost\\@evil',
    'wss://localhost',
    'https:localhost',
  ]);
  const rest = dice.pick(['', '?', '#', '/', draft.target]);
  return answered(onTheWire({ ...draft, target: origin + rest, headers: [...draft.headers, ['Connection', 'close']] }));
}

function hostField(dice: Dice, draft: Draft): Made {
  const fields = dice.pick<readonly string[]>([
    [],
    ['Host:'],
    ['Host: localhost', 'Host: localhost'],
    ['Host: localhost', 'hOsT: evil.example'],
    ['Host : localhost'],
    [' Host: localhost'],
    ['Host: localhost, evil.example'],
    ['Host: localhost/x'],
    ['Host: user@localhost'],
    ['Host: localhost:'],
    ['Host: localhost:0x50'],
    ['Host: [::1'],
    ['Host: %6c'],
    ['Host: ä'],
    ['Host: \u0001'],
    ['Host: a\u0000b'],
    [`Host: ${'a.'.repeat(2000)}a`],
    ['Host:\tlocalhost\t'],
    ['Host: localhost\r\n folded'],
    ['Host: 999.1.1.1'],
    ['Host: ../../x'],
  ]);
  const head = [`${draft.method} ${draft.target} HTTP/1.1`, ...fields, 'Connection: close', '', ''].join('\r\n');
  return answered(head);
}

function framing(dice: Dice, { method, target, headers, body = 'x=1' }: Draft): Made {
  const bytes = Buffer.from(body as string);
  const chunks = inChunks(bytes, 1 + dice.below(50)).toString('latin1');
  const text = bytes.toString('latin1');
  const [fields, content] = dice.pick<readonly [readonly string[], string]>([
    [[`Content-Length: ${bytes.length}`, 'Transfer-Encoding: chunked'], chunks],
    [['Transfer-Encoding: chunked', `Content-Length: ${bytes.length}`], text],
    [[`Content-Length: ${bytes.length}`, `Content-Length: ${bytes.length}`], text],
    [[`Content-Length: ${bytes.length}`, 'Content-Length: 0'], text],
    [[`Content-Length: ${bytes.length}, ${bytes.length}`], text],
    [['Content-Length: -1'], text],
    [['Content-Length: +3'], text],
    [['Content-Length: 3x'], text],
    [['Content-Length: 99999999999999999999'], text],
    [['Content-Length:'], text],
    [['Transfer-Encoding: chunked'], chunks],
    [['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'], chunks],
    [['Transfer-Encoding: chunked, identity'], chunks],
    [['Transfer-Encoding: identity'], text],
    [['Transfer-Encoding: gzip, chunked'], chunks],
    [['Transfer-Encoding: xchunked'], chunks],
    [['Transfer-Encoding : chunked'], chunks],
    [['Transfer-Encoding:\u000bchunked'], chunks],
    [['Transfer-Encoding: chunked'], 'x\r\n\r\n'],
    [['Transfer-Encoding: chunked'], '-1\r\n\r\n'],
    [['Transfer-Encoding: chunked'], 'ffffffffffffffffff\r\nx'],
    [['Transfer-Encoding: chunked'], '3;ext="\u0000"\r\nabc\r\n0\r\n\r\n'],
    [['Transfer-Encoding: chunked'], `3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`],
    [['Transfer-Encoding: chunked'], '3\r\nabcd\r\n0\r\n\r\n'],
    [['Transfer-Encoding: chunked'], '3\nabc\n0\n\n'],
    [['Transfer-Encoding: chunked'], '0\r\nTrailer: x\r\nContent-Length: 5\r\n\r\n'],
    [['Transfer-Encoding: chunked'], `0\r\n${'T: x\r\n'.repeat(3000)}\r\n`],
  ]);
  const all = [
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...fields,
    'Host: localhost',
    'Connection: close',
  ];
  const head = `${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`;
  return { steps: [Buffer.from(head), Buffer.from(content, 'latin1')], isFramed: false, needsAnswer: true };
}

function headerBomb(dice: Dice, { method, target }: Draft): Made {
  const fields = dice.pick([
    `X: ${'x'.repeat(20_000)}`,
    `X: ${'x'.repeat(16_000)}`,
    Array.from({ length: 3000 }, (_, index) => `X-${index}: y`).join('\r\n'),
    Array.from({ length: 1500 }, (_, index) => `X${index}: y`).join('\r\n'),
    'X: a\u0000b',
    'X: a\rb',
    'X: a\nY: b',
    'X\u0000: a',
    ': a',
    'X',
    'X a: b',
    'X: a\r\n\tfolded',
    `${'x'.repeat(10_000)}: y`,
    'Content-Length: 0\r\nX: \u007f',
    Array.from({ length: 400 }, () => 'Cookie: a=b').join('\r\n'),
    Array.from({ length: 50 }, () => 'Authorization: Bearer x').join('\r\n'),
    'Authorization: Basic \u00ff\u00fe',
    'Service-Api-Key: a\r\nService-Api-Key: b',
    'Expect: 100-continue\r\nContent-Length: 3\r\n\r\nabc',
    'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13',
    'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    'Connection: close, close, keep-alive',
    'Content-Type: \u0000',
    'Content-Type: application/json; charset="\\',
  ]);
  return answered(Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${fields}\r\n\r\n`, 'latin1'));
}

function oldVersion(dice: Dice, draft: Draft): Made {
  const headers = [...draft.headers, ...(dice.chance(0.3) ? [['Connection', 'keep-alive'] as const] : [])];
  const bytes = onTheWire({ ...draft, headers }, 'HTTP/1.0').toString('latin1');
  return answered(Buffer.from(dice.chance(0.5) ? bytes : bytes.replace('Host: localhost\r\n', ''), 'latin1'));
}

function pipeline(dice: Dice, draft: Draft): Made {
  const one = onTheWire(draft);
  const others = dice.some(8, () => {
    return dice.weighted<() => Buffer>([
      [3, () => one],
      [2, () => Buffer.from('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')],
      [1, () => Buffer.from('garbage\r\n\r\n')],
      [1, () => Buffer.from('\r\n')],
    ])();
  });
  return { steps: [Buffer.concat([one, ...others])], isFramed: false, needsAnswer: true };
}

function inPieces(_dice: Dice, draft: Draft): Made {
  const bytes = onTheWire(draft);
  const steps: Step[] = [];
  for (let at = 0; at < Math.min(bytes.length, 2000); at += PIECE) steps.push(bytes.subarray(at, at + PIECE));
  if (bytes.length > 2000) steps.push(bytes.subarray(2000));
  return { steps, isFramed: false, needsAnswer: true };
}

/** The client goes away: after a part, or after everything and before the answer. */
function early(dice: Dice, draft: Draft): Made {
  const bytes = onTheWire(draft);
  const length = dice.chance(0.4) ? bytes.length : dice.below(bytes.length);
  return {
    steps: [bytes.subarray(0, length), dice.pick<Step>(['leave', 'leave', 'end'])],
    isFramed: false,
    needsAnswer: false,
  };
}

/** The client stays and says no more; the service has to lose patience. */
function half(dice: Dice, draft: Draft): Made {
  const bytes = onTheWire({ ...draft, method: 'POST', body: draft.body ?? '{"a":1}' });
  const head = bytes.indexOf('\r\n\r\n');
  const length = dice.chance(0.5) ? 1 + dice.below(head) : head + 4 + dice.below(Math.max(1, bytes.length - head - 5));
  return { steps: [bytes.subarray(0, Math.max(20, length))], isFramed: false, needsAnswer: true };
}

function encoded(dice: Dice, draft: Draft): Made {
  const plain = dice.chance(0.2) ? Buffer.alloc(2 ** 22, 0x20) : Buffer.from((draft.body ?? '{}') as string);
  const [encoding, body] = dice.pick<readonly [string, Buffer]>([
    ['gzip', gzipSync(plain)],
    ['br', brotliCompressSync(plain.subarray(0, 100_000))],
    ['gzip', gzipSync(plain).subarray(0, 12)],
    ['deflate', Buffer.from('x')],
    ['gzip', gzipSync(gzipSync(plain))],
    ['utf-8', plain.subarray(0, 1000)],
  ]);
  const headers = [...draft.headers, ['Content-Encoding', encoding] as const, ['Connection', 'close'] as const];
  return answered(onTheWire({ ...draft, method: 'POST', headers, body }), 'POST');
}

/** Bytes that are no HTTP; the answer may be none. */
function garbage(dice: Dice): Made {
  const bytes = dice.weighted<() => Buffer>([
    [2, () => dice.bytes(1 + dice.below(500))],
    [1, () => Buffer.from('\u0016\u0003\u0001\u0002\u0000', 'latin1')],
    [1, () => Buffer.alloc(20_000)],
    [1, () => Buffer.from('SSH-2.0-x\r\n')],
    [1, () => Buffer.from('\r\n'.repeat(500))],
    [1, () => Buffer.from('{"json":1}\n')],
  ])();
  return { steps: [bytes, 'end'], isFramed: false, needsAnswer: false };
}
