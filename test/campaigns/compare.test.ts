import { describe, expect, test } from 'vitest';

import type { Answer } from './compare/answer.ts';
import { header, matched, member } from './compare/answer.ts';
import { compareAnswers, type Difference } from './compare/compare-answers.ts';
import { Comparison } from './compare/comparison.ts';
import { KnownValues } from './compare/known-values.ts';
import { NORMALISED_PARTS, NORMALISED_VALUES } from './compare/normalised.ts';
import { Random } from './compare/random.ts';
import { tableOf, formatFinding } from './compare/report.ts';
import type { SentRequest, Side } from './compare/side.ts';

const STARTED = Date.parse('2026-11-22T18:00:00Z');
const KEYS = ['TZguIML9S6Ve6kXrT_gaEg', 'sq4EqDd13Wcpqy2eL19Sbw', 'q8Zr0cJmXv3kT1pLwYb7Ng'] as const;
const SECRETS = [
  'wb_key_-eBW8gNi2DHBgq3kEwXSr3IrZGA87P2QPo6nJDVhnhI',
  'wb_key_Qm7Lk2Zt9Rw0Xc4Vb8Np1Hs6Jd3Fg5Ty-uAoEiPqKrM',
] as const;

const answer = (body: string, parts: Readonly<Record<string, string>> = {}): Answer =>
  new Map(Object.entries({ status: '200 OK', ...parts, body }));

/** Compares bodies as answers to one request after another. */
function comparer() {
  const context = { known: new KnownValues(), started: STARTED };
  return (left: string | Answer, right: string | Answer, request = 'GET /x'): readonly Difference[] => {
    const answers = [left, right].map((one) => (typeof one === 'string' ? answer(one) : one));
    return compareAnswers(request, answers[0] ?? new Map(), answers[1] ?? new Map(), context);
  };
}

/** A signed token with these claims. */
function signed(claims: object, signature: string): string {
  const encoded = [{ alg: 'ES256', kid: 'one' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  return [...encoded, signature].join('.');
}

describe('what means the same', () => {
  test.each([
    ['times a moment apart', '{"at":"2026-11-22T18:05:00+00:00"}', '{"at":"2026-11-22T18:05:01+00:00"}'],
    ['times with a blank', '2026-11-22 18:05:00', '2026-11-22 18:04:59'],
    ['local times of a zone ahead', '2026-11-22T19:05:00', '2026-11-22T19:05:02'],
    ['HTTP dates', 'Sun, 22 Nov 2026 18:59:59 GMT', 'Sun, 22 Nov 2026 19:00:01 GMT'],
    ['Unix times', '{"exp":1795374000}', '{"exp":1795374001}'],
    ['new keys', `{"key":"${KEYS[0]}"}`, `{"key":"${KEYS[1]}"}`],
    ['new keys behind an encoded colon', `vehicle%3A${KEYS[0]}`, `vehicle%3A${KEYS[1]}`],
    ['new secrets', `"${SECRETS[0]}"`, `"${SECRETS[1]}"`],
    ['application passwords', '"f9fxBoupOiou9QZHX3AUVwbf"', '"ml4OwfOe7hOGSQMoLuMDQUDP"'],
    ['UUIDs', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', '0b2c4fae-7dec-11d0-a765-00a0c91e6bf6'],
    ['nonces', "script-src 'nonce-TZguIML9S6Ve6kXrT_gaEg'", "script-src 'nonce-sq4EqDd13Wcpqy2eL19Sbw'"],
    [
      'tokens with equal claims',
      signed({ sub: 'vehicle:1', iat: 1795374000, exp: 1795377600, jti: KEYS[0] }, 'AAAA'),
      signed({ sub: 'vehicle:1', iat: 1795374001, exp: 1795377601, jti: KEYS[1] }, 'BBBB'),
    ],
  ])('%s', (_, left, right) => {
    expect(comparer()(left, right)).toEqual([]);
  });

  test.each([
    ['Date', 'header date', 'Sun, 22 Nov 2026 18:00:00 GMT', 'Mon, 23 Nov 2026 18:00:00 GMT', 'GET /x'],
    ['a request id', 'header x-request-id', 'f81d4fae-7dec', '0b2c4fae-7dec', 'GET /x'],
    ['a tag', 'header etag', '"TZguIML9S6Ve6kXrT_gaEg"', '"sq4EqDd13Wcpqy2eL19Sbw"', 'GET /x'],
    ['what is left of a limit', 'header ratelimit', '"caller";r=9;t=60', '"caller";r=8;t=59', 'GET /x'],
    ['values of metrics', 'body', '# HELP a\na 1\n', '# HELP a\na 2\na{b="c"} 1\n', 'GET /metrics'],
    [
      'folders of the sides',
      'stdout',
      'in /tmp/a/compared-side-0/data',
      'in /tmp/b/compared-side-1/data',
      'waybridge check',
    ],
    ['bytes of the component', 'body', 'let a', 'let b', 'GET /service-web-components.umd.js'],
  ])('%s', (_, part, left, right, request) => {
    expect(comparer()(new Map([[part, left]]), new Map([[part, right]]), request)).toEqual([]);
  });

  test('a new key is the same wherever it comes up', () => {
    const compare = comparer();
    expect(compare(`{"key":"${KEYS[0]}"}`, `{"key":"${KEYS[1]}"}`)).toEqual([]);
    expect(compare(`{"parent":"${KEYS[0]}"}`, `{"parent":"${KEYS[1]}"}`)).toEqual([]);
  });

  test('every rule gives its reason', () => {
    const rules = [...NORMALISED_VALUES, ...NORMALISED_PARTS];
    expect(rules.filter(({ name, reason }) => name === '' || reason.length < 20)).toEqual([]);
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
  });
});

describe('what differs', () => {
  test.each([
    ['a text', '{"errors":"size must be a number"}', '{"errors":"size must be numeric"}'],
    ['the order of members', '{"key":1,"name":2}', '{"name":2,"key":1}'],
    ['white space', '{"key": 1}', '{"key":1}'],
    ['a member more', '{"key":1}', '{"key":1,"name":null}'],
    ['times of the past', '2026-03-01T08:00:00Z', '2026-03-01T08:00:01Z'],
    ['times far apart', '2026-11-22T18:05:00Z', '2026-11-22T19:05:00Z'],
    ['the form of a time', '2026-11-22T18:05:00+00:00', '2026-11-22T18:05:00Z'],
    ['a lifetime', '{"exp":1795374000}', '{"exp":1795377600}'],
    ['words as long as keys', 'AccessControlAllowTing', 'AccessControlAllowRing'],
    ['a prefix', SECRETS[0], SECRETS[1].replace('wb_key_', 'wb_pin_')],
    ['claims', signed({ sub: 'a', iat: 1795374000 }, 'A'), signed({ sub: 'b', iat: 1795374000 }, 'A')],
    ['the order of claims', signed({ sub: 'a', aud: 'b' }, 'A'), signed({ aud: 'b', sub: 'a' }, 'A')],
  ])('%s', (_, left, right) => {
    expect(comparer()(left, right)).toMatchObject([{ part: 'body' }]);
  });

  test('a key that stands for another than before', () => {
    const compare = comparer();
    compare(`[{"key":"${KEYS[0]}"}]`, `[{"key":"${KEYS[1]}"}]`);
    expect(compare(`"${KEYS[0]}"`, `"${KEYS[2]}"`)).toHaveLength(1);
    expect(compare(`"${KEYS[2]}"`, `"${KEYS[1]}"`)).toHaveLength(1);
  });

  test('a key of the data that is shown as a new one', () => {
    const compare = comparer();
    expect(compare(`"${KEYS[0]}"`, `"${KEYS[0]}"`)).toEqual([]);
    expect(compare(`"${KEYS[0]}"`, `"${KEYS[1]}"`)).toHaveLength(1);
  });

  test('the status, a header, one that is gone and one that is new', () => {
    const left = answer('', { status: '200 OK', 'header vary': 'Origin', 'header allow': 'GET' });
    const right = answer('', { status: '404 Not Found', 'header vary': 'Accept', 'header age': '1' });
    expect(comparer()(left, right)).toEqual([
      { part: 'status', before: '200 OK', now: '404 Not Found' },
      { part: 'header vary', before: 'Origin', now: 'Accept' },
      { part: 'header allow', before: 'GET', now: null },
      { part: 'header age', before: null, now: '1' },
    ]);
  });

  test('is shown where it is', () => {
    const [difference] = comparer()(
      `${'a'.repeat(500)}left${'b'.repeat(500)}`,
      `${'a'.repeat(500)}right${'b'.repeat(500)}`,
    );
    expect(difference?.before).toMatch(/^…a{70}leftb+…$/);
    expect(difference?.now).toMatch(/^…a{70}rightb+…$/);
    const words = formatFinding({
      endpoint: 'site',
      request: 'GET / as visitor',
      differences: difference ? [difference] : [],
    });
    expect(words.split('\n').map((line) => line.slice(0, 7))).toEqual(['site: G', '  body', '    - "', '    + "']);
  });
});

describe('asking both', () => {
  /** A side that answers each request by what it was asked, and by a key of its own. */
  function side(key: string, change = (body: string) => body) {
    const requests: SentRequest[] = [];
    const ask = async (request: SentRequest) => {
      requests.push(request);
      const body = JSON.stringify({ method: request.method, made: { key } });
      return answer(change(body), { 'header set-cookie': `session=${key}; path=/` });
    };
    // The comparison asks and runs, and nothing else of a side.
    return { requests, side: { ask, run: async () => new Map([['exit', '0']]) } as unknown as Side };
  }

  function comparison(sides: readonly [Side, Side], only: RegExp | null = null) {
    const made = new Comparison({ sides, random: new Random(1), only, onProgress: () => undefined });
    made.begin('site');
    return made;
  }

  test('each side is sent its own values and cookies', async () => {
    const [left, right] = [side(KEYS[0]), side(KEYS[1])];
    const both = comparison([left.side, right.side]);
    await both.ask({ path: '/make', browser: 'reader', keep: { made: member('made', 'key') } });
    await both.ask({ path: '/read/{{made}}', browser: 'reader', json: { key: '{{made}}' }, method: 'POST' });
    for (const [{ requests }, key] of [
      [left, KEYS[0]],
      [right, KEYS[1]],
    ] as const) {
      const sent = requests[1];
      expect([sent?.path, sent?.body, sent?.headers.cookie]).toEqual([
        `/read/${key}`,
        `{"key":"${key}"}`,
        `session=${key}`,
      ]);
    }
    expect([both.findings, [...both.missing]]).toEqual([[], []]);
    expect(tableOf(both.counts)).toMatch(/site +2 +0 {2}2xx 2\n/);
  });

  test('a difference is found and counted, with the request that shows it', async () => {
    const both = comparison([side(KEYS[0]).side, side(KEYS[1], (body) => body.replace('method', 'Method')).side]);
    await both.ask({ path: '/read', as: 'owner' });
    expect(both.findings).toMatchObject([
      { endpoint: 'site', request: 'GET /read as owner', differences: [{ part: 'body' }] },
    ]);
    expect(both.counts).toMatchObject([{ requests: 1, differing: 1 }]);
  });

  test('a value that no answer gave is named', async () => {
    const both = comparison([side(KEYS[0]).side, side(KEYS[1]).side]);
    await both.ask({ path: '/make', keep: { made: member('made', 'nothing') } });
    await both.ask({ path: '/read/{{made}}' });
    expect([...both.missing]).toEqual(['made']);
  });

  test('--only leaves out what it does not match, but not what others need', async () => {
    const { requests, side: one } = side(KEYS[0]);
    const both = comparison([one, side(KEYS[1]).side], /^site GET \/read/);
    await both.ask({ path: '/read' });
    await both.ask({ path: '/other' });
    await both.ask({ path: '/needed', isNeeded: true });
    expect(requests.map(({ path }) => path)).toEqual(['/read', '/needed']);
  });
});

test('values are read from JSON, headers and pages', () => {
  const read = answer('<form action="/a?b=1&amp;c=2">', { 'header location': '/next' });
  expect(matched(/action="([^"]+)"/)(read)).toBe('/a?b=1&c=2');
  expect(header('location')(read)).toBe('/next');
  expect(member('a', 1, 'b')(answer('{"a":[0,{"b":7}]}'))).toBe('7');
  expect(member('a')(answer('no JSON'))).toBeUndefined();
});

test('the same seed chooses the same requests, and another one others', () => {
  const all = Array.from({ length: 1000 }, (_, at) => at);
  const chosen = (seed: number) => new Random(seed).sample(all, 20);
  expect(chosen(7)).toEqual(chosen(7));
  expect(chosen(7)).not.toEqual(chosen(8));
  expect(chosen(7)).toEqual(chosen(7).toSorted((a, b) => a - b));
});
