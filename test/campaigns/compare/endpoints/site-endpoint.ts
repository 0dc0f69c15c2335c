import type { Comparison } from '../comparison.ts';

const PATHS = [
  '/',
  '/docs',
  '/docs/component',
  '/docs/trip-map',
  '/docs/api',
  '/docs/element.md',
  '/developer-docs/trip-map',
  '/llms.txt',
  '/blog/',
  '/blog',
  '/blog/page/2/',
  '/blog/page/99/',
  '/compared-page/',
  '/compared-page/compared-team/',
  '/compared-page',
  '/2026/02/01/compared-steps/',
  '/category/compared-guides/',
  '/category/compared-guides/compared-devices/',
  '/tag/compared-news/',
  '/author/author/',
  '/author/nobody/',
  '/2026/',
  '/2026/02/',
  '/2026/02/01/',
  '/2026/13/',
  '/1999/',
  '/?s=begin',
  '/?s=',
  '/?s=%3Cscript%3E',
  '/?p={{post}}',
  '/?p=999999',
  '/?page_id={{page}}',
  '/?attachment_id={{media}}',
  '/?cat={{category}}',
  '/?author=2',
  '/?m=202602',
  '/feed.xml',
  '/feed/',
  '/feed/atom/',
  '/comments/feed/',
  '/category/compared-guides/feed/',
  '/2026/02/01/compared-steps/feed/',
  '/index.php?rest_route=/wp/v2/posts',
  '/sitemap.xml',
  '/wp-sitemap.xml',
  '/wp-sitemap-posts-page-1.xml',
  '/wp-sitemap-posts-page-2.xml',
  '/robots.txt',
  '/nothing-here/',
  '/demo/token',
  '/wp-login.php',
  '/wp-admin/',
  '/{{media_path}}',
  '/site/nothing.css',
] as const;

/** Times that addresses found on pages are followed. */
const ROUNDS = 2;

/** The developer website: its pages, what they lead to, their files, and the ways in which browsers ask for them. */
export async function siteEndpoint(comparison: Comparison, size: number): Promise<void> {
  const found = new Set<string>();
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await comparison.ask({ path, headers: { accept: 'text/html', ...headers } });
    for (const [, address = ''] of (answer.get('body') ?? '').matchAll(/(?:href|src|<loc>|<link>)="?([^"<> ]+)/g)) {
      const local = address.replace('https://localhost:8443', '').replaceAll('&amp;', '&').split('#')[0] ?? '';
      if (local.startsWith('/') && !local.startsWith('//')) found.add(local);
    }
  };
  for (const path of PATHS) await read(path);
  for (const path of [
    '/',
    '/blog/',
    '/compared-page/',
    '/feed.xml',
    '/feed/',
    '/wp-sitemap.xml',
    '/docs/component',
    '/service-web-components.umd.js',
  ]) {
    for (const headers of [
      { 'accept-encoding': 'gzip' },
      { 'if-none-match': '*' },
      { 'if-modified-since': 'Tue, 01 Jan 2999 00:00:00 GMT' },
      { host: 'elsewhere.example' },
      { origin: 'https://www.example.com' },
    ]) {
      await read(path, headers);
    }
    for (const method of ['HEAD', 'POST', 'OPTIONS']) await comparison.ask({ method, path });
  }
  for (const body of [{}, { vehicle_key: '{{van}}' }, { vehicle_key: '{{demo_vehicle}}' }, { vehicle_key: 7 }]) {
    await comparison.ask({ method: 'POST', path: '/demo/token', json: body });
    await comparison.ask({
      method: 'POST',
      path: '/demo/token',
      json: body,
      headers: { origin: 'https://localhost:8443', 'sec-fetch-site': 'same-origin' },
    });
  }
  const visited = new Set<string>(PATHS);
  for (let round = 0; round < ROUNDS; round++) {
    const next = [...found].filter((path) => !visited.has(path));
    for (const path of comparison.random.sample(next, Math.floor(size / ROUNDS))) {
      visited.add(path);
      await read(path);
    }
  }
}
