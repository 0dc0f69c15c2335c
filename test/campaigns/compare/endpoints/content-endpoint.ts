import { jsonOf } from '../answer.ts';
import type { Draft, Comparison } from '../comparison.ts';
import { dot } from '../picture.ts';
import { ROLES } from '../seed.ts';
import { BAD_BODIES, BAD_TEXTS } from './bad-values.ts';

const BASE = '/wp-json';
const CALLERS = ['visitor', ...ROLES] as const;

/** As much of the index as requests are made from. */
interface Index {
  readonly routes: Readonly<Record<string, { readonly endpoints: readonly Endpoint[] }>>;
}

interface Endpoint {
  readonly methods: readonly string[];
  readonly args: Readonly<Record<string, { readonly enum?: readonly unknown[]; readonly type?: string }>>;
}

/** A path of the index that stands for all that its pattern matches, with what one of its methods takes. */
interface Route {
  readonly pattern: string;
  readonly path: string;
  readonly method: string;
  readonly args: Endpoint['args'];
}

/** Bodies of a POST to each list. */
const MADE: Readonly<Record<string, unknown>> = {
  posts: { title: 'Made', content: '<p>by <script>x()</script>a comparison</p>', status: 'publish' },
  pages: { title: 'Made', content: 'a page', status: 'publish' },
  categories: { name: 'Made' },
  tags: { name: 'made' },
  comments: { post: '{{post}}', content: 'Made', author_name: 'Reader', author_email: 'reader@example.com' },
  users: { username: 'made', email: 'made@example.com', password: 'a password of somebody', roles: ['author'] },
  media: { title: 'Made' },
  settings: { description: 'Compared' },
};

/** Values of query parameters that WordPress's clients send. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  page: ['1', '2', '1000'],
  per_page: ['1', '3', '100', '101'],
  search: ['begin', 'nothing+at+all'],
  after: ['2026-01-01T00:00:00'],
  before: ['2026-02-15T00:00:00'],
  author: ['1', '2', '3,4'],
  include: ['{{post}}', '1,2,3'],
  exclude: ['{{post}}'],
  offset: ['1'],
  slug: ['compared-steps', 'compared-page', 'none'],
  status: ['draft', 'publish,draft', 'any'],
  categories: ['{{category}}'],
  tags: ['{{tag}}'],
  parent: ['0', '{{page}}', '{{category}}'],
  post: ['{{post}}'],
  password: ['sesame', 'wrong'],
  url: ['https://localhost:8443/2026/02/01/compared-steps/', 'https://localhost:8443/compared-page/'],
  pid: ['{{post}}'],
  event: ['open'],
  force: ['true', 'false'],
  reassign: ['1', 'false'],
};

/** Parameters that every route takes. */
const EVERYWHERE = [
  '_fields=id',
  '_fields=id,title.rendered,_links',
  '_embed',
  '_embed=author',
  '_envelope',
  '_envelope=1',
  '_jsonp=call',
  '_jsonp=bad-name',
  '_method=DELETE',
  '_locale=user',
  'rest_route=/',
];

/** The content interface: every route of its index × method × role × context, and every parameter. */
export async function contentEndpoint(comparison: Comparison, size: number): Promise<void> {
  const index = jsonOf(await comparison.ask({ path: `${BASE}/`, isNeeded: true })) as Index;
  const routes = routesOf(index);
  const reads = routes.filter(({ method }) => method === 'GET');
  const writes = routes.filter(({ method }) => method !== 'GET');
  for (const path of [
    BASE,
    `${BASE}/nothing`,
    `${BASE}/wp/v2/nothing`,
    `${BASE}/wp`,
    '/?rest_route=/wp/v2/posts',
    '/?rest_route=/',
  ]) {
    await comparison.ask({ path });
  }
  for (const route of reads) await comparison.ask({ path: route.path, as: 'administrator' });
  const read = reads.flatMap((route) => [...contexts(route), ...parameters(route)]);
  for (const draft of comparison.random.sample(read, Math.floor(size / 2))) await comparison.ask(draft);
  const write = writes.flatMap((route) => [...roles(route), ...bodies(route)]);
  for (const draft of comparison.random.sample(write, Math.floor(size / 3))) await comparison.ask(draft);
  await uploads(comparison);
  for (const route of reads) await comparison.ask({ path: `${route.path}?context=edit`, as: 'administrator' });
  const options = routes.map(({ path }): Draft => ({ method: 'OPTIONS', path, as: 'editor' }));
  for (const draft of comparison.random.sample(options, Math.floor(size / 12))) await comparison.ask(draft);
}

function routesOf({ routes }: Index): Route[] {
  return Object.entries(routes).flatMap(([pattern, { endpoints }]) =>
    endpoints.flatMap(({ methods, args }) =>
      methods.map((method) => ({ pattern, method, args, path: BASE + pathOf(pattern) })),
    ),
  );
}

/** A path that a pattern of the index matches, of something that is there. */
function pathOf(pattern: string): string {
  const list = /\/v2\/(\w+)/.exec(pattern)?.[1] ?? '';
  const ids: Readonly<Record<string, string>> = {
    posts: '{{post}}',
    pages: '{{page}}',
    media: '{{media}}',
    categories: '{{category}}',
    tags: '{{tag}}',
    comments: '1',
    users: '2',
    types: 'post',
    statuses: 'publish',
    taxonomies: 'category',
  };
  let isFirst = true;
  return pattern.replaceAll(/\(\?P<\w+>(?:[^()]|\([^()]*\))*\)/g, () => {
    const value = isFirst ? (ids[list] ?? '1') : '1';
    isFirst = false;
    return value;
  });
}

function contexts({ path }: Route): Draft[] {
  return CALLERS.flatMap((as) =>
    ['', '?context=view', '?context=embed', '?context=edit'].map((query) => ({ path: path + query, as })),
  );
}

function parameters({ path, args, pattern }: Route): Draft[] {
  const named = Object.entries(args).flatMap(([name, described]) => [
    ...(described.enum ?? []).map((value) => `${name}=${encodeURIComponent(String(value))}`),
    ...(GOOD[name] ?? []).map((value) => `${name}=${value}`),
    ...BAD_TEXTS.map((value) => `${name}=${encodeURIComponent(value)}`),
    `${name}[]=1&${name}[]=2`,
    `${name}[a]=b`,
    `${name}`,
  ]);
  const wrongIds = pattern.includes('(?P<')
    ? ['0', '999999', 'x', '-1', '1.5'].map((id): Draft => ({ path: path.replace(/[^/]+$/, id) }))
    : [];
  const odd: Draft[] = [
    { method: 'HEAD', path },
    { path: `${path}/` },
    { path, headers: { origin: 'https://www.example.com' } },
    { path, headers: { authorization: 'Basic b3duZXI6eA==' } },
    { path, as: 'owner' },
    { path, headers: { 'accept-encoding': 'gzip' } },
  ];
  return [
    ...[...named, ...EVERYWHERE].flatMap((query) =>
      ['visitor', 'editor'].map((as) => ({ path: `${path}?${query}`, as })),
    ),
    ...wrongIds,
    ...odd,
  ];
}

/** A write as each role, by each way in which WordPress takes it. */
function roles({ method, path }: Route): Draft[] {
  const body = bodyFor(path);
  return CALLERS.flatMap((as): Draft[] => {
    if (method === 'DELETE') {
      return [
        { method, path, as },
        { method, path: `${path}?force=true`, as },
        { method: 'POST', path: `${path}?_method=DELETE`, as },
      ];
    }
    return [
      { method, path, as, json: body },
      { method, path, as, form: { title: 'By a form', name: 'By a form' } },
      { method, path: `${path}?title=By+query`, as },
    ];
  });
}

function bodies({ method, path, args }: Route): Draft[] {
  if (method === 'DELETE') return [];
  const body = bodyFor(path) as Readonly<Record<string, unknown>>;
  return [
    ...BAD_BODIES.map((bad): Draft => ({ method, path, as: 'administrator', ...bad })),
    ...Object.entries(args).flatMap(([name, described]) =>
      [...(described.enum ?? []), null, true, -1, '', 'x', ['x'], { raw: 'x' }, '<b>&', '2026-02-30'].map(
        (value): Draft => ({ method, path, as: 'administrator', json: { ...body, [name]: value } }),
      ),
    ),
  ];
}

function bodyFor(path: string): unknown {
  const list = /\/v2\/(\w+)/.exec(path)?.[1] ?? '';
  return MADE[list] ?? { title: 'Made' };
}

/** Uploads in the forms that clients use, what becomes of them, and their bytes. */
async function uploads(comparison: Comparison): Promise<void> {
  const path = `${BASE}/wp/v2/media`;
  const send = (name: string, type: string, body: Uint8Array | string, as = 'author'): Draft => ({
    method: 'POST',
    path,
    as,
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
    body,
  });
  const boundary = 'a-boundary-between-parts';
  const multipart = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\nnote\r\n--${boundary}\r\nContent-Disposition: form-data; name="title"\r\n\r\nA note\r\n--${boundary}--\r\n`;
  const wide = await picture();
  for (const draft of [
    send('dot.png', 'image/png', dot()),
    send('dot.png', 'image/png', dot()),
    send('wide.png', 'image/png', wide),
    send('dot.exe', 'application/octet-stream', 'MZ'),
    send('note.txt', 'text/plain', 'note'),
    send('page.html', 'text/html', '<script>'),
    send('image.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'),
    send('fake.png', 'image/png', 'no picture'),
    send('', 'image/png', dot()),
    send('dot.png', 'image/png', ''),
    ...CALLERS.map((as) => send('dot.png', 'image/png', dot(), as)),
    {
      method: 'POST',
      path,
      as: 'author',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: multipart,
    },
    { method: 'POST', path, as: 'author', headers: { 'content-type': 'multipart/form-data' }, body: multipart },
  ]) {
    await comparison.ask(draft);
  }
  const file = '{{media_path}}';
  for (const headers of [
    {},
    { range: 'bytes=0-9' },
    { range: 'bytes=-5' },
    { range: 'bytes=999999-' },
    { range: 'bytes=0-1,3-4' },
    { 'if-none-match': '*' },
    { 'if-modified-since': 'Tue, 01 Jan 2999 00:00:00 GMT' },
    { 'if-match': '"x"' },
    { 'if-unmodified-since': 'Tue, 01 Jan 2019 00:00:00 GMT' },
  ]) {
    await comparison.ask({ path: file, headers });
    await comparison.ask({ method: 'HEAD', path: file, headers });
  }
  await comparison.ask({ path: `${file}x` });
  await comparison.ask({ method: 'POST', path: file });
}

async function picture(): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const background = { r: 40, g: 90, b: 160 };
  return sharp({ create: { width: 1200, height: 800, channels: 3, background } })
    .png({ palette: true })
    .toBuffer();
}
