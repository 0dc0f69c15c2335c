import type { FastifyInstance, InjectOptions } from 'fastify';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { writeSettings } from '../../../content/models/site-settings.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import { sitemapFile, sitemapIndex, sitemapSections } from '../../../content/site/sitemap.ts';
import { contentSiteEndpoint } from '../../../pages/endpoints/content-site-endpoint.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';
import { queriesDuring } from '../../services/queries-during.ts';

import { websiteDocument } from './content-site-pages.ts';

useDatabase();

const SITE = 'https://www.example.com';
const CONFIG = {
  baseUrl: 'https://api.example.com/api/v2',
  authUrl: 'https://login.example.com',
  siteUrl: SITE,
  graphqlUrl: `${SITE}/graphql`,
  dataDir: './data',
  tlsCert: null,
  lan: null,
  mapboxAccessToken: null,
};
const API_LINK = `<${SITE}/wp-json/>; rel="https://api.w.org/"`;

let app: FastifyInstance;

beforeAll(async () => {
  await importContent(testService, websiteDocument(), { replace: true, siteUrl: SITE });
  const website = new ContentSite(testService, new URL(SITE));
  app = await openHost([
    await siteEndpoint(testService, CONFIG, new Map(), async () => null, website),
    contentSiteEndpoint(testService, CONFIG, website),
  ]);
});
afterAll(async () => app.close());

const get = (url: string, options: InjectOptions = {}) =>
  app.inject({ url, ...options, headers: { host: 'www.example.com', ...options.headers } });
const textOf = async (url: string) => (await get(url)).body;

describe('every address that the content interface prints leads to a page:', () => {
  test.each([
    ['a post', '/2024/03/01/first/', 'Text of first.', 20],
    ['a post whose name is not ASCII', '/2024/04/03/third-%e6%97%a5/', 'Zebra', 22],
    ['a page', '/about/', 'Text of about.', 10],
    ['a page below a page', '/about/team/', 'Text of team.', 11],
    ['an attachment', '/diagram/', 'wp-content/uploads/diagram.png', 9],
  ])('%s at %s', async (_, url, text, id) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain(text);
    expect(answer.body).toContain(`<link rel="canonical" href="${SITE}${url}">`);
    expect(answer.headers.link).toBe(`${API_LINK}, <${SITE}/?p=${id}>; rel=shortlink`);
  });

  test.each([
    ['a category, with the posts of those below it', '/category/news/page/2/', ['First', 'Text of second.']],
    ['a category below another', '/category/news/releases/', ['Releases', 'Text of second.']],
    ['a category without posts', '/category/empty/', ['Nothing has been published']],
    ['a tag', '/tag/c-more/', ['C++ &amp; more', 'Text of second.']],
    ['an author', '/author/mara/', ['Mara M', 'Third 日']],
    ['all posts', '/blog/', ['Third 日', 'Page 1 of 2']],
    ['their second page', '/blog/page/2/', ['First', 'Page 2 of 2']],
    ['a year', '/2024/', ['Posts of', '2024']],
    ['a month', '/2024/03/', ['March 2024', 'First']],
    ['a day', '/2024/03/02/', ['March 2, 2024', 'Text of second.']],
  ])('%s at %s', async (_, url, texts) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(200);
    for (const text of texts) expect(answer.body).toContain(text);
    expect(answer.headers.link).toBe(API_LINK);
  });

  test.each([
    ['/2024/03/01/first/', 'Text of first.'],
    ['/2024/04/04/locked/', 'Protected: Locked · Field notes. From the road'],
    ['/about/', 'Text of about.'],
    ['/diagram/', ''],
    ['/blog/', 'Blog · Field notes. From the road'],
    ['/category/news/', 'What is new'],
    ['/2024/03/', 'March 2024 · Field notes. From the road'],
  ])('%s has one canonical address, one language, and the description “%s”', async (url, description) => {
    const body = await textOf(url);
    expect([...body.matchAll(/<link rel="canonical" href="([^"]*)"/g)].map(([, href]) => href)).toEqual([SITE + url]);
    expect([...body.matchAll(/\slang="([^"]*)"/g)].map(([, language]) => language)).toEqual(['en-US']);
    const [, described = ''] = /<meta name="description" content="([^"]*)"/.exec(body) ?? [];
    expect(described).not.toBe('');
    expect(described).toContain(description);
  });

  test('a month shows its own posts alone', async () => {
    expect(await textOf('/2024/03/')).not.toContain('Third');
    expect(await textOf('/2024/04/')).not.toContain('Text of first.');
  });
});

describe('what leads nowhere', () => {
  test.each([
    '/nope/',
    '/about/nope/',
    '/2023/',
    '/2024/13/',
    '/2024/02/30/',
    '/2024/03/05/first/',
    '/blog/page/3/',
    '/tag/nope/',
    '/author/silent/',
    '/?p=999',
    '/2024/04/05/sketch/',
    '/?p=24',
    '/2024/04/06/own/',
    '/?p=25',
    '/about/hidden/',
    '/wp-sitemap-posts-post-2.xml',
    '/wp-sitemap-nope-1.xml',
    '/?cat=999',
    '/?author=2',
    '/?m=2023',
    '/?s=zebra&paged=2',
    '/comments/',
    '/nope/feed/',
    '/feed/nope/',
    '/category/nope/feed/',
    '/2023/feed/',
    '/2024/04/06/own/feed/',
    '//evil.example/',
  ])('%s is a page that says so', async (url) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(404);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      link: API_LINK,
    });
    expect(answer.body).toContain('This page does not exist');
    expect(answer.body).not.toContain('ecret');
  });

  test.each(['/api/v2/nope', '/graphql/nope', '/oauth/nope', '/.well-known/nope'])(
    '%s belongs to a program, and has no page',
    async (url) => {
      expect(await get(url)).toMatchObject({ statusCode: 404, body: '' });
    },
  );

  test.each(['login.example.com', 'api.example.com'])('nothing of the website is at %s', async (host) => {
    for (const url of ['/about/', '/nope/', '/feed/', '/feed.xml', '/wp-sitemap.xml']) {
      expect(await get(url, { headers: { host } }), url).toMatchObject({ statusCode: 404, body: '' });
    }
  });
});

describe('one address for each page:', () => {
  test.each([
    ['/?p=20', '/2024/03/01/first/'],
    ['/?page_id=11', '/about/team/'],
    ['/?attachment_id=9', '/diagram/'],
    ['/about', '/about/'],
    ['/about?x=1', '/about/?x=1'],
    ['/About/Team/', '/about/team/'],
    ['//about//', '/about/'],
    ['/2024/03/01/first', '/2024/03/01/first/'],
    ['/2024/03/01/first/page/2/', '/2024/03/01/first/'],
    ['/category/releases/', '/category/news/releases/'],
    ['/tag/c-more', '/tag/c-more/'],
    ['/blog/page/1/', '/blog/'],
    ['/page/2/', '/blog/page/2/'],
    ['/?cat=2', '/category/news/releases/'],
    ['/?category_name=news/releases', '/category/news/releases/'],
    ['/?tag=c-more', '/tag/c-more/'],
    ['/?author=1', '/author/mara/'],
    ['/?author_name=mara', '/author/mara/'],
    ['/?m=202403', '/2024/03/'],
    ['/?m=20240302', '/2024/03/02/'],
    ['/?year=2024&monthnum=3&day=2', '/2024/03/02/'],
    ['/?pagename=about/team', '/about/team/'],
    ['/?paged=2', '/blog/page/2/'],
    ['/?p=20x', '/2024/03/01/first/'],
    ['/?cat=2&utm_source=mail', '/category/news/releases/?utm_source=mail'],
    ['/?p=20&cat=2', '/2024/03/01/first/'],
    ['/index.php', '/'],
    ['/index.php?p=20', '/2024/03/01/first/'],
    ['/index.php/about/', '/about/'],
    ['/sitemap.xml', '/wp-sitemap.xml'],
  ])('%s leads to %s for good', async (url, location) => {
    const answer = await get(url);
    expect(answer.statusCode).toBe(301);
    expect(answer.headers.location).toBe(SITE + location);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers).not.toHaveProperty('link');
  });
});

describe('a page', () => {
  test('never runs what an author wrote: scripts need the nonce of their answer', async () => {
    const answer = await get('/2024/04/03/third-%e6%97%a5/');
    const policy = String(answer.headers['content-security-policy']);
    const nonce = /script-src 'nonce-([\w-]{22})';/.exec(policy)?.[1];
    expect(nonce).toBeDefined();
    expect(policy).not.toMatch(/unsafe|script-src[^;]*'self'/);
    expect(answer.body).not.toContain(String(nonce));
    expect((await get('/2024/04/03/third-%e6%97%a5/')).headers['content-security-policy']).not.toBe(policy);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers).toMatchObject({ 'x-frame-options': 'DENY', 'x-content-type-options': 'nosniff' });
  });

  test.each(['/2024/03/02/second/', '/blog/page/2/', '/tag/c-more/', '/2024/03/01/first/', '/'])(
    'at %s shows a hostile title as the text that is left of it',
    async (url) => {
      const body = await textOf(url);
      expect(body).not.toMatch(/<script>alert|onerror=|<img src=x/);
      expect(body).toContain('&lt;b&gt;');
    },
  );

  test('shows what a password protects to nobody, wherever it is listed', async () => {
    const body = await textOf('/2024/04/04/locked/');
    expect(body).toContain('Protected: Locked');
    expect(body).toContain('protected by a password');
    for (const url of ['/2024/04/04/locked/', '/blog/', '/', '/feed.xml', '/?s=zebra', '/2024/04/04/locked/embed/']) {
      expect(await textOf(url), url).not.toMatch(/is secret|Remark of Insider/);
    }
    expect(await textOf('/2024/04/04/locked/?password=sesame')).not.toContain('is secret');
  });

  test('shows approved comments below what they answer, and nobody’s address', async () => {
    const body = await textOf('/2024/03/01/first/');
    expect(body).toContain('2 comments');
    expect(body).toMatch(/Remark of Ann[\s\S]*<ol class="thread">[\s\S]*Remark of Ben/);
    expect(body).not.toMatch(/Waiting|secret\.example/);
  });

  test('leads to the posts beside it, its terms and its author', async () => {
    const body = await textOf('/2024/03/02/second/');
    expect(body).toMatch(/rel="prev"><span>Previous post<\/span>First</);
    expect(body).toMatch(/rel="next"><span>Next post<\/span>Third 日</);
    for (const link of ['/category/news/releases/', '/tag/c-more/', '/author/mara/']) {
      expect(body).toContain(`href="${SITE}${link}"`);
    }
    expect(body).toContain('alt="Two wires"');
  });

  test('leads to the pages above and below it, as far as they are public', async () => {
    const about = await textOf('/about/');
    expect(about).toMatch(
      /aria-label="Pages below">\s*<ul><li><a href="[^"]*\/about\/team\/">Team<\/a><\/li>\s*<\/ul>/,
    );
    const team = await textOf('/about/team/');
    expect(team).toMatch(/aria-label="Pages above"><ol><li><a href="[^"]*\/about\/">About<\/a>/);
    expect(about + team).not.toContain('Hidden');
  });

  test('tells programs what it is', async () => {
    const body = await textOf('/2024/03/01/first/');
    const link = encodeURIComponent(`${SITE}/2024/03/01/first/`);
    expect(body).toContain(
      `<link rel="alternate" type="application/json+oembed" href="${SITE}/wp-json/oembed/1.0/embed?url=${link}">`,
    );
    expect(body).toContain(`embed?url=${link}&amp;format=xml">`);
    expect(body).toContain(`<link rel="alternate" type="application/atom+xml" title="Field notes » Atom"`);
    expect(body).toContain(`<link rel="https://api.w.org/" href="${SITE}/wp-json/">`);
    expect(body).toContain('<meta property="og:title" content="First">');
    expect(body).toContain('<meta property="article:published_time" content="2024-03-01T10:00:00+00:00">');
    expect(body).toContain('<title>First · Field notes</title>');
    expect(body).toContain('<meta name="description" content="Text of first.">');
  });

  test('is answered to HEAD by its headers alone', async () => {
    const [whole, head] = [await get('/about/'), await get('/about/', { method: 'HEAD' })];
    expect(head).toMatchObject({ statusCode: 200, body: '' });
    expect(head.headers.etag).toBe(whole.headers.etag);
    expect(head.headers.link).toBe(whole.headers.link);
  });

  test('is not sent again to who has it, until it changes', async () => {
    const { headers } = await get('/about/');
    expect(headers['cache-control']).toBe('public, max-age=60');
    const again = () => get('/about/', { headers: { 'if-none-match': String(headers.etag) } });
    expect(await again()).toMatchObject({ statusCode: 304, body: '' });
    await ContentItemStore.updateOne(testService, { id: 10 }, { content: 'Other words' });
    expect(await again()).toMatchObject({ statusCode: 200 });
    await ContentItemStore.updateOne(testService, { id: 10 }, { content: 'Text of about.' });
  });

  test.each([
    ['/2024/03/02/second/', 20],
    ['/blog/', 12],
    ['/', 12],
    ['/nope/', 6],
    ['/feed.xml', 12],
  ])('at %s costs at most %i queries', async (url, max) => {
    const queries = await queriesDuring(async () => void (await get(url)));
    expect(queries.length).toBeLessThanOrEqual(max);
  });

  test('of a list costs the same for few posts and for many', async () => {
    const costs = [];
    for (const posts_per_page of [3, 4]) {
      await writeSettings(testService, { posts_per_page });
      costs.push((await queriesDuring(async () => void (await get('/blog/')))).length);
    }
    await writeSettings(testService, { posts_per_page: 2 });
    expect(costs[1]).toBe(costs[0]);
  });
});

describe('the search', () => {
  test('finds posts and pages, and keeps itself out of search engines', async () => {
    const body = await textOf('/?s=Text+of+');
    expect(body).toContain('4 results');
    expect(body).toContain('Text of about.');
    expect(body).toContain('value="Text of"');
    expect(body).toContain('<meta name="robots" content="noindex, follow">');
  });

  test('goes on over pages', async () => {
    const body = await textOf('/?s=Zebra');
    expect(body).toContain('One result');
    expect(await textOf('/?s=e')).toContain(`href="/page/2/?s=e"`);
    expect((await get('/page/2/?s=e')).statusCode).toBe(200);
  });

  test('shows what was searched for as text', async () => {
    const body = await textOf(`/?s=${encodeURIComponent('"><script>alert(9)</script>')}`);
    expect(body).toContain('Nothing was found');
    expect(body).not.toContain('<script>alert');
  });

  test.each(['/?s=', '/search/', '/?feed=rss2&s='])('%s cuts long words between characters', async (address) => {
    const answer = await get(`${address}${'a'.repeat(199)}${encodeURIComponent('😀')}`);
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('a'.repeat(199));
  });

  test('asks for words where there are none', async () => {
    const answer = await get('/?s=');
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('role="search"');
    expect(answer.body).not.toContain('Nothing');
  });
});

test('HSTS is for the host that is asked, whichever was asked before', async () => {
  const hstsAt = async (path: string, host: string) => {
    const { statusCode, headers } = await app.inject({ url: path, headers: { host } });
    expect(statusCode).toBe(200);
    return headers['strict-transport-security'];
  };
  const [local, website] = ['127.0.0.1', new URL(SITE).host];
  for (const path of ['/blog/?hosts', '/feed.xml?hosts']) {
    const hosts = path.startsWith('/blog') ? [local, website, local] : [website, local, website];
    for (const host of hosts) expect(Boolean(await hstsAt(path, host)), `${host} ${path}`).toBe(host === website);
  }
});

describe('the front page', () => {
  test('shows the newest posts and leads to the pages', async () => {
    const { body, headers } = await get('/');
    expect(headers.link).toBe(API_LINK);
    expect(body).toContain('Field notes');
    expect(body).toContain('Third 日');
    expect(body).not.toContain('>First<');
    expect(body).toContain(`href="${SITE}/about/"`);
    expect(body).toContain('href="/blog/"');
  });

  test.each(['/?p=x', '/?utm_source=mail', '/?page_id=', '/?cat=', '/?cat=2,3', '/?author=x', '/?p=0'])(
    'is at %s, too',
    async (url) => {
      expect((await get(url)).body).toContain('id="news"');
    },
  );
});

interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Parses XML strictly, names with their namespaces. */
function parseXml(document: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ uri, local, attributes }) => {
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value]);
    const element = { name: `${uri} ${local}`, attributes: Object.fromEntries(values), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(document).close();
  const [element] = root.children;
  if (!element) throw new Error('There is no element');
  return element;
}

const ATOM = 'http://www.w3.org/2005/Atom';
const childrenOf = ({ children }: XmlElement, name: string) => children.filter((child) => child.name === name);
const textIn = (element: XmlElement, name: string) => childrenOf(element, name).map(({ text }) => text);

describe('feed.xml', () => {
  test('is an Atom feed with what RFC 4287 demands, whatever the titles are', async () => {
    const answer = await get('/feed.xml');
    expect(answer.headers['content-type']).toBe('application/atom+xml; charset=utf-8');
    const feed = parseXml(answer.body);
    expect(feed.name).toBe(`${ATOM} feed`);
    for (const name of ['id', 'title', 'updated']) expect(textIn(feed, `${ATOM} ${name}`)).toHaveLength(1);
    expect(childrenOf(feed, `${ATOM} link`).map(({ attributes }) => attributes)).toContainEqual({
      rel: 'self',
      type: 'application/atom+xml',
      href: `${SITE}/feed.xml`,
    });
    const entries = childrenOf(feed, `${ATOM} entry`);
    expect(entries.flatMap((entry) => textIn(entry, `${ATOM} id`))).toEqual(
      ['04/04/locked', '04/03/third-%e6%97%a5', '03/02/second', '03/01/first'].map((path) => `${SITE}/2024/${path}/`),
    );
    for (const entry of entries) {
      for (const name of ['title', 'updated', 'published', 'author', 'content']) {
        expect(childrenOf(entry, `${ATOM} ${name}`), name).toHaveLength(1);
      }
      expect(textIn(entry, `${ATOM} updated`)[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }
    expect(textIn(feed, `${ATOM} updated`)).toEqual(['2024-04-04T11:00:00Z']);
    const terms = entries.flatMap((entry) =>
      childrenOf(entry, `${ATOM} category`).map(({ attributes }) => attributes.term),
    );
    expect(terms).toEqual(['News', 'News', 'Releases', 'C++ & more', 'News']);
  });

  test('is not sent again to who has it, by tag or by date', async () => {
    const { headers } = await get('/feed.xml');
    expect(headers['last-modified']).toBe('Thu, 04 Apr 2024 11:00:00 GMT');
    for (const condition of [
      { 'if-none-match': String(headers.etag) },
      { 'if-modified-since': String(headers['last-modified']) },
    ]) {
      expect((await get('/feed.xml', { headers: condition })).statusCode).toBe(304);
    }
  });
});

describe('wp-sitemap.xml', () => {
  const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  const locations = (document: string) =>
    parseXml(document).children.flatMap((entry) => textIn(entry, `${NAMESPACE} loc`));

  test('lists files that name every public address once, and each of them leads to a page', async () => {
    const { headers, body } = await get('/wp-sitemap.xml');
    expect(headers['content-type']).toBe('application/xml; charset=utf-8');
    expect(parseXml(body).name).toBe(`${NAMESPACE} sitemapindex`);
    expect(locations(body)).toEqual(
      ['posts-post', 'posts-page', 'taxonomies-category', 'taxonomies-post_tag', 'users'].map(
        (name) => `${SITE}/wp-sitemap-${name}-1.xml`,
      ),
    );
    const files = await Promise.all(locations(body).map((file) => textOf(file.slice(SITE.length))));
    const addresses = files.flatMap(locations);
    expect(addresses).toHaveLength(12);
    expect(new Set(addresses).size).toBe(12);
    for (const address of addresses) {
      expect((await get(address.slice(SITE.length))).statusCode, address).toBe(200);
    }
  });

  test('is where robots.txt says, and where /sitemap.xml leads', async () => {
    const { headers, body } = await get('/robots.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toContain(`Sitemap: ${SITE}/wp-sitemap.xml\n`);
    expect((await get('/sitemap.xml')).headers.location).toBe(`${SITE}/wp-sitemap.xml`);
  });

  test('lists several files where there are more addresses than one file has', async () => {
    const all = Array.from({ length: 5 }, (_, index) => ({ link: `${SITE}/${index}/`, modified: null }));
    const read = async (skip: number, limit: number) => all.slice(skip, skip + limit);
    const section = { name: 'posts-post', total: 5, read };
    expect(locations(sitemapIndex([section], SITE, 2))).toEqual(
      [1, 2, 3].map((number) => `${SITE}/wp-sitemap-posts-post-${number}.xml`),
    );
    const files = await Promise.all([1, 2, 3].map((number) => sitemapFile(section, number, 2)));
    expect(files.flatMap((file) => locations(String(file)))).toEqual(all.map(({ link }) => link));
    expect(await sitemapFile(section, 4, 2)).toBeNull();
  });

  test('has the same pages when they are read one at a time', async () => {
    const context = { service: testService, site: SITE } as never;
    const [, pages] = await sitemapSections(context);
    const whole = locations(await textOf('/wp-sitemap-posts-page-1.xml'));
    const single = await Promise.all(whole.map(async (_, at) => pages?.read(at, 1)));
    expect(single.flat().map((entry) => entry?.link)).toEqual(whole);
  });
});

describe('the embedded form of an article', () => {
  test('may be framed by every site, and runs the one script that tells how high it is', async () => {
    const answer = await get('/2024/03/01/first/embed/');
    expect(answer.statusCode).toBe(200);
    const policy = String(answer.headers['content-security-policy']);
    expect(policy).toContain('frame-ancestors *');
    expect(answer.headers).not.toHaveProperty('x-frame-options');
    const nonce = /script-src 'nonce-([\w-]+)';/.exec(policy)?.[1];
    expect(answer.body.match(/<script[^>]*>/g)).toEqual([
      `<script nonce="${nonce}" src="/site/browser/embed.js" defer>`,
    ]);
    expect(answer.body).toContain('Text of first.');
  });
});
