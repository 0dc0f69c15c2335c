import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { brokenJson, escapeText, nastyForm, nastyQuery, nastyText, nastyValue } from '../nasty-values.ts';
import { CONTENT_CALLERS, CONTENT_KINDS, type ContentRoute, type World, type Fields } from '../world.ts';

const GLOBAL_PARAMETERS = ['_fields', '_embed', '_envelope', '_jsonp', '_method', '_locale', 'rest_route', '_wpnonce'];
const MARKUP = [
  '[gallery ids="1,2,x"]',
  '[caption id="a"]<img src=x>[/caption]',
  '<p><a href="https://127.0.0.1/">x</a>',
  'https://www.youtube.com/watch?v=x',
  `${'<div>'.repeat(300)}x`,
  `${'<b'.repeat(300)}`,
  `${'"'.repeat(500)}`,
  '<!--more--><!--nextpage-->',
  '&#xffffff;&#0;&notanentity;',
  '<style>@import "x"</style><svg onload=x>',
  `${'[x '.repeat(400)}${']'.repeat(400)}`,
  `${"'".repeat(2000)}`,
  '<!--'.repeat(300),
  `${'<pre>'.repeat(50)}\n\n\n${'</pre>'.repeat(49)}`,
];

/** Requests for every route of the content interface, with its own parameters and foreign ones. */
export function contentRequest(dice: Dice, world: World): Draft {
  if (dice.chance(0.06)) return upload(dice, world);
  const route = dice.pick(world.contentRoutes);
  const caller = dice.weighted(
    CONTENT_CALLERS.map((name) => [name === 'editor' || name === 'administrator' ? 2 : 1, name]),
  );
  const headers = world.callers[caller] ?? [];
  const path = pathOf(dice, world, route, caller);
  const names = [...Object.keys(route.args), ...GLOBAL_PARAMETERS];
  const query = route.method === 'GET' || dice.chance(0.2) ? wellMeant(dice, world, route) + extra(dice, names) : '';
  const target = `${dice.weighted([
    [30, '/wp-json'],
    [1, '/index.php/wp-json'],
    [1, '/?rest_route='],
  ])}${path}${query === '' ? '' : `?${query}`}`;
  const method = dice.chance(0.95)
    ? route.method
    : dice.pick(['OPTIONS', 'HEAD', 'PATCH', 'PUT', 'DELETE', 'POST', 'GET']);
  if (route.method === 'GET' && dice.chance(0.97)) return { caller, method, target, headers };
  const { type, body } = bodyOf(dice, world, route);
  return { caller, method, target, headers: [...headers, ['Content-Type', type]], body };
}

function pathOf(dice: Dice, world: World, { path, method }: ContentRoute, caller: string): string {
  // Whoever ends their own account sends no further requests.
  if (method === 'DELETE' && path.endsWith('/users/me'))
    return caller === 'administrator' ? '/wp/v2/users/999999' : path;
  return path.replace(/\(\?P<(\w+)>.*?\)(?=\/|$)/g, (_, name: string) => {
    if (dice.chance(0.15)) return escapeText(dice, nastyText(dice));
    if (name === 'parent' || name === 'id') return String(idFor(dice, world, path));
    return dice.pick([
      'post',
      'page',
      'attachment',
      'category',
      'post_tag',
      'publish',
      'draft',
      '__proto__',
      'constructor',
    ]);
  });
}

function idFor(dice: Dice, { contentIds }: World, path: string): number | string {
  const kind = CONTENT_KINDS.find((name) => path.includes(`/${name}`)) ?? 'posts';
  const known = contentIds[kind];
  if (dice.chance(0.6)) return dice.pick(known);
  return dice.pick([0, 1, 2, 3, 9_999_999, '99999999999999999999', '00001', dice.below(500)]);
}

/** Parameters with values of their kind, mostly. */
function wellMeant(dice: Dice, world: World, { args }: ContentRoute): string {
  const chosen = Object.entries(args).filter(() => dice.chance(0.12));
  return chosen
    .map(([name, { enum: choices, type }]) => `${name}=${escapeText(dice, valueText(dice, world, choices, type))}`)
    .join('&');
}

function valueText(dice: Dice, world: World, choices: readonly unknown[] | undefined, type: unknown): string {
  if (choices !== undefined && choices.length > 0 && dice.chance(0.7)) return String(dice.pick(choices));
  if (String(type).includes('integer') && dice.chance(0.6))
    return String(dice.pick([1, 2, 100, 0, -1, idFor(dice, world, '/posts')]));
  if (type === 'boolean' && dice.chance(0.6)) return dice.pick(['true', 'false', '1', '']);
  return nastyText(dice);
}

function extra(dice: Dice, names: readonly string[]): string {
  if (!dice.chance(0.5)) return '';
  const found = nastyQuery(dice, names).slice(1);
  return found === '' ? '' : `&${found}`;
}

function bodyOf(
  dice: Dice,
  world: World,
  route: ContentRoute,
): { readonly type: string; readonly body: string | Buffer } {
  const fields = Object.fromEntries(
    Object.entries(route.args)
      .filter(([name]) => dice.chance(/title|content|name|status|post|username|email/.test(name) ? 0.4 : 0.08))
      .map(([name, argument]) => [name, memberFor(dice, world, name, argument)]),
  );
  return dice.weighted<() => { readonly type: string; readonly body: string | Buffer }>([
    [10, () => ({ type: 'application/json', body: JSON.stringify(fields) })],
    [3, () => ({ type: 'application/x-www-form-urlencoded', body: nastyForm(dice, textual(fields)) })],
    [2, () => multipart(dice, textual(fields))],
    [1, () => ({ type: 'application/json', body: brokenJson(dice) })],
    [
      1,
      () => ({
        type: dice.pick(['text/xml', 'text/plain', '////', 'application/json; charset=utf-7', '']),
        body: nastyText(dice),
      }),
    ],
  ])();
}

function memberFor(
  dice: Dice,
  world: World,
  name: string,
  { enum: choices, type }: ContentRoute['args'][string],
): unknown {
  if (dice.chance(0.25)) return nastyValue(dice);
  if (name === 'password' && dice.chance(0.7)) return '';
  if (/content|description|excerpt/.test(name))
    return dice.chance(0.7) ? dice.pick(MARKUP) : { raw: dice.pick(MARKUP) };
  if (/email/.test(name)) return `${dice.below(100_000)}@hostile.example`;
  if (/username|title|name/.test(name)) return `x${dice.below(1000)}`;
  return valueText(dice, world, choices, type);
}

function textual(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
    ]),
  );
}

function multipart(
  dice: Dice,
  fields: Readonly<Record<string, string>>,
): { readonly type: string; readonly body: Buffer } {
  const boundary = dice.pick(['x', '----WebKitFormBoundaryabc', "a'()+_,-./:=?", 'y'.repeat(70), '', 'ä']);
  const said = dice.weighted([
    [20, boundary],
    [1, `"${boundary}"`],
    [1, 'other'],
    [1, `${boundary}; boundary=z`],
  ]);
  const disposition = () =>
    dice.pick([
      'form-data; name="NAME"',
      'form-data; name="NAME"; filename="a.png"',
      'form-data; name="NAME"; filename="../../x.php\\0.png"',
      'form-data; name="NAME"; filename*=UTF-8\'\'%ff%fe.png',
      'form-data; name=NAME',
      'form-data',
      'attachment',
      '',
      `form-data; name="${'n'.repeat(3000)}"`,
    ]);
  const parts = Object.entries(fields).flatMap(([name, value]) => [
    `--${boundary}\r\nContent-Disposition: ${disposition().replace('NAME', () => name)}\r\n`,
    dice.chance(0.2)
      ? `Content-Type: ${dice.pick(['image/png', 'text/plain; charset=x', '', 'multipart/mixed; boundary=q'])}\r\n`
      : '',
    dice.chance(0.97) ? '\r\n' : '',
    value,
    dice.chance(0.97) ? '\r\n' : '',
  ]);
  const end = dice.pick([`--${boundary}--\r\n`, `--${boundary}--`, `--${boundary}`, '', `--${boundary}--trailing`]);
  return { type: `multipart/form-data; boundary=${said}`, body: Buffer.from(parts.join('') + end) };
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkM+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const DISPOSITIONS = [
  'attachment; filename="a.png"',
  'attachment; filename="../../etc/x.png"',
  'attachment; filename=a b.png',
  "attachment; filename*=UTF-8''%e2%82%ac.png",
  "attachment; filename*=UTF-8''%ff.png",
  "attachment; filename*=x'y",
  'attachment; filename=".htaccess"',
  'attachment; filename="x.php"',
  'attachment; filename="x.svg"',
  'attachment; filename="x.html.png"',
  `attachment; filename="${'x'.repeat(3000)}.png"`,
  'attachment; filename=""',
  'attachment; filename',
  'filename=a.png',
  'attachment; filename="a.jpg"',
  'attachment; filename="a.gif"',
  'attachment; filename="a.mp3"',
  'attachment; filename="a.webp"',
  'attachment; filename="CON.png"',
  'attachment; filename="\u202egnp.png"',
];
const FILE_TYPES = [
  'image/png',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/svg+xml',
  'audio/mpeg',
  'application/pdf',
  'text/plain',
  'x/y',
  'image/webp',
  'application/octet-stream',
];

/** Files that are broken, named oddly, or something else than they say. */
function upload(dice: Dice, world: World): Draft {
  const caller = dice.pick(['author', 'editor', 'administrator', 'contributor', 'visitor']);
  const file = dice.weighted<() => Buffer>([
    [5, () => broken(dice, PIXEL)],
    [1, () => PIXEL],
    [2, () => dice.bytes(dice.below(200))],
    [
      1,
      () =>
        broken(
          dice,
          Buffer.from(
            'GIF89a\u0001\u0000\u0001\u0000\u0080\u0000\u0000\u0000\u0000\u0000\u00ff\u00ff\u00ff,\u0000',
            'latin1',
          ),
        ),
    ],
    [
      1,
      () =>
        broken(
          dice,
          Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]),
        ),
    ],
    [1, () => Buffer.from(`ID3\u0003\u0000\u0000\u0000\u0000\u000f\u007f${'x'.repeat(dice.below(200))}`, 'latin1')],
    [1, () => Buffer.from('RIFF\u00ff\u00ff\u00ff\u007fWEBPVP8 ', 'latin1')],
    [1, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x"/>')],
    [1, () => Buffer.alloc(0)],
    [0.05, () => Buffer.alloc(2 ** 20 + 5, 0x20)],
  ])();
  const md5 = dice.chance(0.1) ? [['Content-MD5', nastyHeader(dice)] as const] : [];
  const target = '/wp-json/wp/v2/media';
  const own: Fields = [...(world.callers[caller] ?? []), ...md5];
  if (dice.chance(0.3)) {
    const { type, body } = multipart(dice, { file: file.toString('latin1'), title: 'x', post: '1' });
    return { caller, method: 'POST', target, headers: [...own, ['Content-Type', type]], body };
  }
  const headers: Fields = [
    ...own,
    ['Content-Type', dice.pick(FILE_TYPES)],
    ...(dice.chance(0.95) ? [['Content-Disposition', dice.pick(DISPOSITIONS)] as const] : []),
  ];
  return { caller, method: 'POST', target, headers, body: file };
}

function nastyHeader(dice: Dice): string {
  return nastyText(dice)
    .replace(/[\r\n\0]/g, ' ')
    .slice(0, 1000);
}

function broken(dice: Dice, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes.subarray(0, dice.chance(0.5) ? bytes.length : dice.below(bytes.length)));
  if (copy.length > 0 && dice.chance(0.7)) copy[dice.below(copy.length)] = dice.below(256);
  return copy;
}
