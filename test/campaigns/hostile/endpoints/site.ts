import type { Dice } from '../dice.ts';
import type { Draft } from '../hostile-request.ts';
import { escapeText, nastyQuery, nastyText } from '../nasty-values.ts';
import type { Fields, World } from '../world.ts';

const FILES = [
  '/service-web-components.umd.js',
  '/site/site.css',
  '/site/relief.svg',
  '/favicon.ico',
  '/favicon.svg',
  '/robots.txt',
  '/docs/component',
  '/docs/trip-map',
  '/docs/api',
  '/docs/live.md',
  '/developer-docs/live',
  '/llms.txt',
  '/wp-content/uploads/pixel.png',
  '/wp-content/uploads/2026/11/pixel.png',
  '/demo/token',
];
const PREFIXES = [
  '/docs',
  '/developer-docs',
  '/blog',
  '/feed',
  '/comments/feed',
  '/category',
  '/tag',
  '/author',
  '/2026/11',
  '/page',
  '/wp-content/uploads',
  '/site',
  '/embed',
  '/oembed',
  '/s',
  '',
];
const PARAMETERS = [
  's',
  'p',
  'page_id',
  'paged',
  'page',
  'cat',
  'author',
  'm',
  'preview',
  'embed',
  'url',
  'attachment_id',
  'rest_route',
  'feed',
  'replytocom',
];

/** Requests for pages of the website and its files. */
export function siteRequest(dice: Dice, world: World): Draft {
  const path = dice.weighted<() => string>([
    [3, () => dice.pick(world.pages)],
    [3, () => dice.pick(FILES)],
    [4, () => `${dice.pick(PREFIXES)}/${escapeText(dice, nastyText(dice))}`],
    [1, () => `${dice.pick(world.pages)}page/${escapeText(dice, nastyText(dice))}/`],
    [1, () => `/${dice.below(10_000)}/${dice.below(40)}/${dice.below(40)}/x/`],
    [1, () => `${dice.pick(world.pages)}${'/'.repeat(dice.below(20))}${'../'.repeat(dice.below(5))}`],
    [0.2, () => `/${'a/'.repeat(3000)}`],
  ])();
  const method = dice.weighted([
    [8, 'GET'],
    [2, 'HEAD'],
    [1, 'POST'],
    [1, 'OPTIONS'],
  ]);
  const headers: Fields = dice.some(2, () => dice.pick(CONDITIONS));
  const target = path + (dice.chance(0.4) ? nastyQuery(dice, PARAMETERS) : '');
  const body = method === 'POST' ? { body: JSON.stringify({ vehicle_key: nastyText(dice) }) } : {};
  return { caller: 'visitor', method, target, headers, ...body };
}

const CONDITIONS = [
  ['If-None-Match', '*'],
  ['If-None-Match', '"'],
  ['If-None-Match', `${'"x", '.repeat(500)}"y"`],
  ['If-Match', '"x"'],
  ['If-Match', '*'],
  ['If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['If-Modified-Since', 'not a date'],
  ['If-Unmodified-Since', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ['If-Range', '"x"'],
  ['Range', 'bytes=0-0'],
  ['Range', 'bytes=-1'],
  ['Range', 'bytes=5-1'],
  ['Range', 'bytes=99999999999999999999-'],
  ['Range', 'bytes=0-0,1-1,2-2'],
  ['Range', `bytes=${'0-1,'.repeat(1000)}`],
  ['Range', 'lines=1-2'],
  ['Accept', '*/*;q=x'],
  ['Accept', 'text/html'],
  ['Accept-Encoding', 'br;q=0, gzip;q=nan, identity;q=0, *;q=0'],
  ['Accept-Encoding', `${'gzip,'.repeat(500)}`],
  ['Accept-Language', 'x'.repeat(3000)],
  ['Origin', 'null'],
  ['Origin', 'https://evil.example'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Cookie', `${'a=b; '.repeat(800)}`],
  ['Referer', 'javascript:x'],
  ['Content-Type', 'application/json'],
] as const;
