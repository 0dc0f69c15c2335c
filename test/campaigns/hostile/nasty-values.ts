import type { Dice } from './dice.ts';

const TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '-0',
  '1e309',
  '1e400',
  '0x10',
  '9'.repeat(400),
  '2147483648',
  '-9223372036854775809',
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '\u0000',
  'a\u0000b',
  '%00',
  '%',
  '%zz',
  '%c0%af',
  '../../etc/passwd',
  '..%2f..%2f',
  '....//',
  '$where',
  '$ne',
  '{"$ne":null}',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  "' OR 1=1 --",
  '<script>alert(1)</script>',
  '<a href="javascript:x">',
  '\ud800',
  '\udfff\ud800',
  '\u202e\u200b\ufeff',
  'ｄｅｖｉｃｅ',
  '😀'.repeat(50),
  '(a+)+$',
  `${'a'.repeat(60)}!`,
  '.*'.repeat(40),
  '[',
  '(',
  '\\',
  'x'.repeat(5000),
  `[${'gallery '.repeat(50)}]`,
  '[gallery][caption][/gallery]',
  '\r\nSet-Cookie: a=b',
  '2026-02-30T25:61:61Z',
  '0000-00-00T00:00:00',
  '9999-12-31T23:59:59.999999999+14:00',
  '-271821-04-19T23:59:59Z',
  '+275760-09-13T00:00:01Z',
  '1969-12-31',
  '10000-01-01T00:00:00Z',
  'vehicle:',
  'vehicle:x',
  'https://',
  'https://a%2Aexample',
  'https://[::1',
  'http://127.0.0.1:1/',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
] as const;

const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  0.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  5e-324,
  [],
  {},
  [[[[]]]],
  [null],
  ['a', null, 1],
  { $ne: null },
  { $gt: '' },
  { $regex: '(a+)+$' },
  { $where: 'while(true){}' },
  { $in: [] },
  { toString: 1 },
  { length: 1e9 },
  { raw: null },
  { raw: '', rendered: {} },
  { constructor: { prototype: { admin: true } } },
];

/** Text that programs tend to stumble over. */
export function nastyText(dice: Dice): string {
  if (dice.chance(0.75)) return dice.pick(TEXTS);
  const length = dice.below(40);
  return Array.from({ length }, () => String.fromCharCode(dice.below(dice.chance(0.7) ? 128 : 65_536))).join('');
}

/** Anything that JSON can say and programs tend to stumble over. */
export function nastyValue(dice: Dice): unknown {
  return dice.weighted<() => unknown>([
    [4, () => nastyText(dice)],
    [4, () => dice.pick(VALUES)],
    [1, () => (dice.chance(0.5) ? -1 : 1) * 10 ** (dice.below(600) - 300)],
    [1, () => dice.some(3, () => nastyText(dice))],
    [1, () => Object.fromEntries(dice.some(3, () => [nastyText(dice), dice.pick(VALUES)]))],
  ])();
}

/** JSON of members that may have the same name, and numbers that JavaScript has not. */
export function nastyJson(dice: Dice, names: readonly string[], value = nastyValue): string {
  const members = dice.some(6, () => {
    const name = dice.chance(0.85) ? dice.pick(names) : nastyText(dice);
    const said = dice.chance(0.05) ? dice.pick(['1e400', '-0', '-1e400', '1E+2', '0.1e-400']) : undefined;
    return `${JSON.stringify(name)}:${said ?? JSON.stringify(value(dice)) ?? 'null'}`;
  });
  return `{${members.join(',')}}`;
}

/** A body that claims to be JSON, and is none, or too much of it. */
export function brokenJson(dice: Dice): string | Buffer {
  return dice.weighted<() => string | Buffer>([
    [4, () => nastyText(dice)],
    [2, () => dice.bytes(dice.below(80))],
    [
      2,
      () => dice.pick(['{', '[', '{"a":', '{"a":NaN}', "{'a':1}", '{"a":1,}', '\ufeff{}', 'nul', '"', '{}{}', '[1 2]']),
    ],
    [2, () => dice.pick(['null', 'true', '0', '""', '[]', '[[]]', '{}', '{"__proto__":{"admin":true}}'])],
    [1, () => deep('[', ']', dice.below(20_000))],
    [1, () => deep('{"a":', '}', dice.below(20_000), '1')],
    [1, () => `{${Array.from({ length: dice.below(3000) }, (_, index) => `"k${index}":${index}`).join(',')}}`],
    [0.01, () => `{${Array.from({ length: 60_000 }, (_, index) => `"${index}":0`).join(',')}}`],
    [0.01, () => '['.repeat(2 ** 20)],
    [0.01, () => ' '.repeat(2 ** 20 + 1)],
  ])();
}

function deep(open: string, close: string, depth: number, inner = ''): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

/** Percent-encodes, and sometimes leaves out what HTTP would have escaped; never breaks the request line. */
export function escapeText(dice: Dice, text: string): string {
  const escaped = encodeURIComponent(Buffer.from(text).toString());
  return dice.chance(0.2) ? escaped.replaceAll('%25', '%') : escaped;
}

/** A query of the given names and others, in the ways in which lists and trees are written. */
export function nastyQuery(dice: Dice, names: readonly string[], value = nastyText): string {
  const pairs = dice.some(4, () => {
    const name = dice.chance(0.85) ? dice.pick(names) : escapeText(dice, nastyText(dice));
    const suffix = dice.chance(0.15)
      ? dice.pick(['[]', '[0]', '[a][b]', '[', ']', '[$ne]', '[__proto__][x]', '%5B%5D'])
      : '';
    return dice.chance(0.05) ? name + suffix : `${name}${suffix}=${escapeText(dice, String(value(dice)))}`;
  });
  return pairs.length === 0 ? '' : `?${pairs.join(dice.chance(0.97) ? '&' : ';')}`;
}

/** A form body (`application/x-www-form-urlencoded`). */
export function nastyForm(dice: Dice, fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    if (dice.chance(0.08)) return [];
    const said = dice.chance(0.25) ? nastyText(dice) : value;
    const pair = `${encodeURIComponent(name)}=${escapeText(dice, said)}`;
    return dice.chance(0.04) ? [pair, pair] : [pair];
  });
  if (dice.chance(0.1)) pairs.push(`${escapeText(dice, nastyText(dice))}=${escapeText(dice, nastyText(dice))}`);
  return pairs.join('&');
}
