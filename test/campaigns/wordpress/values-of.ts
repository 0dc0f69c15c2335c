import type { Random } from '../compare/random.ts';
import type { DescribedParameter } from './endpoint.ts';
import { idsOf, type SeededList, type SeededSite } from './seeded-site.ts';

/** Values that suit few parameters, and that programs tend to treat in different ways. */
const EDGES: readonly unknown[] = [
  0,
  -1,
  1,
  2,
  101,
  1.5,
  1e20,
  '',
  '0',
  '1',
  '-1',
  '01',
  ' 1 ',
  '1.5',
  '1e3',
  '1,2',
  '1,,2',
  ',',
  ' ',
  'abc',
  '12abc',
  '99999999999999999999',
  null,
  true,
  false,
  'true',
  'false',
  'TRUE',
  'no',
  [],
  [0],
  [1],
  [-1],
  [''],
  ['abc'],
  [null],
  [1, 1, 2],
  [[1]],
  {},
  { a: 1 },
  { raw: 'Raw <b>text</b>' },
  { raw: null },
  { rendered: 'x' },
  { raw: { deep: 1 } },
  [{ id: 1 }],
  '0000-00-00',
  '0000-00-00T00:00:00',
  '0000-00-00 00:00:00',
  '2024-02-30T10:00:00',
  '2024-05-05',
  'x'.repeat(201),
  'word '.repeat(60),
  'Üñïcödé 日本語 🚗',
  '<b>bold</b> <script>x</script>',
  `a"b'c\\d`,
  'a\\\\b\\n',
  'line\nbreak\ttab',
  'a & b &amp; c',
  '%20%2F',
  'a/b',
  '../x',
  '[gallery]',
  'null',
  'undefined',
  'NaN',
  '-0',
];

/** Good values of parameters that their type does not tell, by name. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  date: [
    '2024-05-05T05:05:05',
    '2024-05-05T05:05:05Z',
    '2024-05-05T05:05:05+02:00',
    '2035-05-05T05:05:05',
    '2024-05-05 05:05:05',
    null,
  ],
  search: [
    'zebra',
    'giraffe',
    'Release 1.0',
    '"Release 1.0"',
    'release -beta',
    'RELEASE',
    '日本',
    'a',
    '1',
    'nova',
    'author@example.com',
  ],
  slug: [
    'hello-fleet',
    'news',
    'alpha',
    'New Slug',
    'Ünïcode slug',
    'about',
    'hello-fleet,release-1-0',
    '-a--b-',
    '1',
    '2024',
    'feed',
    'wp-json',
    'category',
  ],
  title: ['A new title', 'It\'s "quoted" -- here...', { raw: 'Raw title' }, '<em>emphasis</em>'],
  content: [
    'Some content.\n\nMore of it.',
    '<p>Markup</p><script>alert(1)</script>',
    { raw: 'Raw content' },
    '<!--more-->',
    'http://example.com/',
    '[caption]x[/caption]',
  ],
  excerpt: ['A short one.', { raw: 'Raw excerpt' }],
  status: [
    'publish',
    'draft',
    'pending',
    'private',
    'future',
    'trash',
    'any',
    'inherit',
    'publish,draft',
    'auto-draft',
    'hold',
    'approve',
    'approved',
    'spam',
    'all',
    ['draft', 'private'],
  ],
  password: ['letmein', 'pagepass', 'other', 'new password', 'wrong'],
  name: ['A new name', 'News', 'alpha', 'C++ & Café', 'Name with <b>markup</b>'],
  username: ['newuser', 'new user', 'editor', 'a@b', 'Üser', 'new.user-1_2'],
  email: ['new@example.com', 'editor@example.com', 'not an address', 'a@b', 'new+tag@example.co.uk'],
  author_email: ['someone@example.org', 'not an address'],
  author_name: ['Someone', 'Some <b>one</b>'],
  url: ['https://example.com/x', 'example.com', 'javascript:alert(1)'],
  author_url: ['https://example.com/x', 'example.com'],
  author_ip: ['192.0.2.7', '::1', '300.1.1.1'],
  roles: [['author'], ['subscriber', 'editor'], 'editor', ['nobody'], 'administrator'],
  template: ['templates/wide.php', 'missing.php'],
  format: ['aside', 'gallery', 'standard', 'xml', 'json'],
  orderby: [
    'id',
    'title',
    'author',
    'parent',
    'name',
    'count',
    'relevance',
    'menu_order',
    'rand',
    'post',
    'type',
    'email',
  ],
  meta: [{ key: 'value' }],
  type: ['comment', 'pingback', 'post', 'page', 'attachment'],
  post: ['0', 11, [11, 12], 999],
  timezone: ['Europe/Berlin', 'UTC', 'UTC+2', '+02:00', 'Nowhere/City'],
  language: ['de_DE', 'en_US', ''],
  locale: ['', 'en_US', 'de_DE'],
  event: ['open', 'conversion', 'other'],
  pid: [11, 999],
  context: ['view', 'embed', 'edit'],
  mime_type: ['image/png', 'image', 'application/pdf', 'text/plain'],
  media_type: ['image', 'application', 'video', 'file'],
};

/** Lists whose ids a parameter takes. */
const ID_LISTS: Readonly<Record<string, SeededList>> = {
  author: 'users',
  author_exclude: 'users',
  reassign: 'users',
  post: 'posts',
  featured_media: 'media',
  categories: 'categories',
  categories_exclude: 'categories',
  tags: 'tags',
  tags_exclude: 'tags',
  default_category: 'categories',
};

/** Values for a parameter of a route: all that are worth trying, the good ones first. */
export function valuesOf(site: SeededSite, route: string, name: string, parameter: DescribedParameter): unknown[] {
  const listed = [...(parameter.enum ?? []), ...(parameter.items?.enum ?? [])];
  const named = /date|^(before|after)$/.test(name) ? BY_NAME.date : BY_NAME[name];
  const ids = idsFor(site, route, name);
  const all = [...listed, ...(named ?? []), ...ids, ids.slice(0, 3), ids.slice(0, 2).join(','), ...EDGES];
  return [...new Map(all.map((value) => [JSON.stringify(value), value])).values()];
}

/** A value that the parameter is likely to take. */
export function goodValue(
  random: Random,
  site: SeededSite,
  route: string,
  name: string,
  parameter: DescribedParameter,
): unknown {
  const count = valuesOf(site, route, name, parameter).length - EDGES.length;
  const [first = 1, ...others] = valuesOf(site, route, name, parameter).slice(0, Math.max(1, count));
  return random.one([first, ...others]);
}

function idsFor(site: SeededSite, route: string, name: string): number[] {
  const listed = ID_LISTS[name];
  if (listed !== undefined) return idsOf(site, listed);
  if (!/^(id|parent|include|exclude|parent_exclude)$/.test(name)) return [];
  const list = /^\/wp\/v2\/(\w+)/.exec(route)?.[1] ?? '';
  return isSeeded(site, list) ? idsOf(site, list) : [];
}

function isSeeded(site: SeededSite, list: string): list is SeededList {
  return list in site;
}
