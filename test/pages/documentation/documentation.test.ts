import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { writeSettings } from '../../../content/models/site-settings.ts';
import { setFrontPage } from '../../../content/settings/front-page.ts';
import { exportContent } from '../../../content/transfer/export-content.ts';
import { readPackageFile } from '../../../http/package-file.ts';
import { withAddresses } from '../../../pages/documentation/installation-addresses.ts';
import { renderDocument } from '../../../pages/documentation/render-document.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openSite, SITE, visitorOf } from '../../journeys/content-site/site-world.ts';
import { websiteDocument } from '../../journeys/content-site/content-site-pages.ts';

useDatabase();

const ADDRESSES = {
  BASE_URL: 'https://api.fleet.test/v2',
  AUTH_URL: 'https://login.fleet.test',
  GRAPHQL_URL: 'https://api.fleet.test/graphql',
};

let app: FastifyInstance;
let get: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  app = await openSite(SITE, websiteDocument(), ADDRESSES);
  get = visitorOf(app);
});
afterAll(async () => app.close());

/** The documents of the index, in its order. */
async function documentPaths(): Promise<readonly string[]> {
  const { body } = await get('/docs');
  const index = /<nav class="index"[\s\S]*?<\/nav>/.exec(body)?.[0] ?? '';
  return [...index.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path);
}

describe('the pages of the documentation', () => {
  test('are all documents, the reference and the page of the component, each with its title', async () => {
    const paths = await documentPaths();
    expect(paths).toEqual(expect.arrayContaining(['/docs/trip-map', '/docs/element', '/docs/api', '/docs/component']));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths) {
      const { statusCode, body } = await get(path);
      expect(statusCode, path).toBe(200);
      expect(body.match(/<h1/g), path).toHaveLength(1);
      if (!path.endsWith('/component')) expect(body).toContain(`<link rel="canonical" href="${SITE}${path}">`);
    }
  });

  test('link only to pages and headings that exist', async () => {
    const bodies = new Map<string, string>();
    const bodyAt = async (path: string) => {
      const known = bodies.get(path);
      if (known !== undefined) return known;
      const { statusCode, body } = await get(path);
      const text = statusCode === 200 ? body : '';
      bodies.set(path, text);
      return text;
    };
    const dead: string[] = [];
    for (const path of await documentPaths()) {
      const article = /<article class="document">[\s\S]*<\/article>/.exec(await bodyAt(path))?.[0] ?? '';
      for (const [, href = ''] of article.matchAll(/ href="([^"]+)"/g)) {
        const target = new URL(href, SITE + path);
        if (target.origin !== SITE) continue;
        const body = await bodyAt(target.pathname);
        if (body === '' || (target.hash && !body.includes(`id="${target.hash.slice(1)}"`)))
          dead.push(`${path}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test('follow each other in the order of the index', async () => {
    const paths = await documentPaths();
    const read: string[] = [];
    for (let path = paths[0]; path !== undefined && read.length < paths.length; ) {
      read.push(path);
      const next: string | undefined = /<a class="next" href="([^"]+)"/.exec((await get(path)).body)?.[1];
      path = next && `/docs/${next}`;
    }
    expect(read).toEqual(paths);
  });

  test('have the addresses of the installation in their examples', async () => {
    const { body } = await get('/docs/trip-map.md');
    expect(body).toContain('https://login.fleet.test/api/special-purpose/v1/token');
    expect(body).toContain(`\`${SITE}/service-web-components.maplibre.umd.js\``);
    for (const path of await documentPaths()) {
      const page = (await get(path)).body;
      expect(page.match(/https:\/\/(?:localhost:8443|fleet\.example)|\{base_url\}|--cacert/g), path).toBeNull();
    }
    const api = (await get('/docs/api')).body;
    expect(api).toContain('https://api.fleet.test/v2/openapi.json');
    expect(api).toContain('&quot;https://api.fleet.test/v2/vehicles&quot;');
  });

  test('name in the reference what each operation returns, and the members of each object', async () => {
    const { body } = await get('/docs/api');
    expect(body).toContain('Returns 201 with <a href="#object-Vehicle">Vehicle</a>');
    const [, vehicle = ''] = /id="object-Vehicle">([\s\S]*?)<\/table>/.exec(body) ?? [];
    expect(vehicle).toContain(
      '<tr><td><code>device_keys</code></td><td>list of string</td><td>Keys of the devices in the vehicle.</td></tr>',
    );
    expect(vehicle).toContain('<td><a href="#object-Driver">Driver</a> or null</td>');
    expect(body).toMatch(/<code>status<\/code><\/td><td><code>moving<\/code>|<code>\w+<\/code>, <code>/);
  });

  test('are small, and are read without scripts', async () => {
    for (const path of await documentPaths()) {
      if (path.endsWith('/component')) continue;
      const headers = { 'accept-encoding': 'br' };
      const { body, rawPayload } = await get(path, { headers });
      expect(body.length).toBeGreaterThan(0);
      const page = (await get(path)).body;
      const files = [...page.matchAll(/(?:stylesheet" href|src)="([^"]+)"/g)].map(([, file = '']) => file);
      const sizes = await Promise.all(files.map(async (file) => (await get(file, { headers })).rawPayload.length));
      expect(files.length).toBeGreaterThan(5);
      expect(rawPayload.length + sizes.reduce((sum, size) => sum + size, 0), path).toBeLessThan(60_000);
    }
  });

  test('are cached until content changes, and each answer has a new nonce', async () => {
    const { headers } = await get('/docs/trip-map');
    expect(headers['cache-control']).toBe('public, max-age=60');
    const known = await get('/docs/trip-map', { headers: { 'if-none-match': String(headers.etag) } });
    expect(known.statusCode).toBe(304);
    const nonce = /nonce-([^']+)/.exec(String(headers['content-security-policy']))?.[1];
    const again = await get('/docs/trip-map');
    expect(again.headers['content-security-policy']).not.toContain(nonce);
    expect(again.body).not.toContain(nonce);
  });
});

describe('for tools', () => {
  test('the source of each document is served as Markdown, and llms.txt lists it', async () => {
    const list = await get('/llms.txt');
    expect(list.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(list.body).toMatch(/^# Field notes\n\n> From the road\n/);
    const sources = [...list.body.matchAll(/\]\((\S+\.md)\): /g)].map(([, url = '']) => new URL(url).pathname);
    const written = (await documentPaths()).filter((path) => !/\/(?:api|component)$/.test(path));
    expect(sources).toEqual(written.map((path) => `${path}.md`));
    for (const path of sources) {
      const { statusCode, headers, body } = await get(path);
      expect([statusCode, headers['content-type']], path).toEqual([200, 'text/markdown; charset=utf-8']);
      const file = path === '/docs/element.md' ? 'element/README.md' : path.slice(1);
      const settings = {
        baseUrl: ADDRESSES.BASE_URL,
        authUrl: ADDRESSES.AUTH_URL,
        siteUrl: SITE,
        graphqlUrl: ADDRESSES.GRAPHQL_URL,
      };
      expect(body).toBe(withAddresses(String(await readPackageFile(file)), { ...settings, tlsCert: null }));
    }
    const sitemap = (await get('/wp-sitemap-docs-1.xml')).body;
    expect([...sitemap.matchAll(/<loc>([^<]+)/g)].map(([, url]) => url)).toEqual(
      ['/docs', ...(await documentPaths())].map((path) => SITE + path),
    );
    expect((await get('/wp-sitemap.xml')).body).toContain(`${SITE}/wp-sitemap-docs-1.xml`);
    expect((await get('/docs/schema.graphql')).body).toContain('type Query');
  });

  test.each(['/docs/api.md', '/docs/nope.md', '/docs/nope', '/docs/README.md'])('%s does not exist', async (path) => {
    expect((await get(path)).statusCode).toBe(404);
  });
});

describe('the search', () => {
  const titlesFor = async (words: string) => {
    const { body } = await get(`/?s=${encodeURIComponent(words)}`);
    return [...body.matchAll(/<h2><a href="([^"]+)">([\s\S]*?)<\/a><\/h2>/g)].map(([, href = '', title = '']) => [
      href,
      title,
    ]);
  };

  test.each([
    ['how do I get a token for the map', '/docs/trip-map#get-a-token-for-the-map'],
    ['webhooks', '/docs/live#webhooks'],
    ['privacy zone', '/docs/privacy#privacy-zones'],
    ['createWebhook', '/docs/api#createWebhook'],
    ['upgrade', '/docs/deploy#upgrades'],
  ])('for "%s" finds %s first', async (words, path) => {
    expect((await titlesFor(words))[0]?.[0]).toBe(path);
  });

  test('puts what has all words in its title first, be it a post or a part of a document', async () => {
    await ContentItemStore.updateOne(testService, { id: 20 }, { $set: { title: 'Devices of the first' } });
    const titles = await titlesFor('first devices');
    expect(titles[0]).toEqual([`${SITE}/2024/03/01/first/`, 'Devices of the first']);
    await ContentItemStore.updateOne(testService, { id: 20 }, { $set: { title: 'First' } });
    const found = await titlesFor('Text of');
    expect(found.map(([href = '']) => href)).toEqual(expect.arrayContaining([`${SITE}/2024/03/01/first/`]));
  });

  test('finds nothing for a word that is nowhere', async () => {
    expect(await titlesFor('giraffe')).toEqual([]);
  });
});

describe('a page of the customer', () => {
  test('named docs wins; the documentation is then at developer-docs, and former links lead there', async () => {
    expect((await get('/developer-docs/trip-map')).headers.location).toBe('/docs/trip-map');
    const site = websiteDocument();
    const own = { ...site.pages[0], id: 50, slug: 'docs', title: { raw: 'Our own manual' } };
    const below = { ...own, id: 51, slug: 'live', parent: 50, title: { raw: 'Our own live page' } };
    const other = await openSite(SITE, { ...site, pages: [...site.pages, own, below] });
    const visit = visitorOf(other);
    expect((await visit('/docs/')).body).toContain('Our own manual');
    expect((await visit('/docs/live/')).body).toContain('Our own live page');
    expect((await visit('/developer-docs/trip-map')).body).toContain('href="/developer-docs/graphql"');
    expect((await visit('/developer-docs')).body).toContain('<h1>Documentation</h1>');
    expect((await visit('/developer-docs/component')).statusCode).toBe(200);
    for (const path of ['trip-map', 'trip-map.md']) {
      const { statusCode, headers } = await visit(`/docs/${path}`);
      expect([statusCode, headers.location]).toEqual([302, `/developer-docs/${path}`]);
    }
    expect((await visit('/blog/')).body).toContain('<a href="/developer-docs">Docs</a>');
    await other.close();
  });

  test('chosen in the settings is the front page, and its own address leads there', async () => {
    expect((await get('/')).body).toContain('From an API key to a map');
    await setFrontPage(testService, 10);
    const front = await get('/');
    expect(front.body).toContain('Text of about.');
    expect(front.body).toContain(`<link rel="canonical" href="${SITE}/">`);
    expect(front.body).not.toContain('#interfaces');
    expect((await get('/about/')).headers.location).toBe(`${SITE}/`);
    expect((await get('/about/team/')).statusCode).toBe(200);
    expect((await get('/?s=about')).body).toContain('Text of about.');
    await writeSettings(testService, { page_on_front: 12 });
    expect((await get('/')).body, 'a draft').toContain('From an API key to a map');
    await expect(setFrontPage(testService, 12)).rejects.toThrow('page_id must be the id of a published page, or 0');
    await setFrontPage(testService, 0);
    expect((await get('/')).body).toContain('From an API key to a map');
    expect((await get('/about/')).statusCode).toBe(200);
  });
});

test('a front page is exported and imported, with the names of WordPress', async () => {
  const document = websiteDocument();
  const settings = { ...document.settings, show_on_front: 'page', page_on_front: 10 };
  const other = await openSite(SITE, { ...document, settings });
  expect((await visitorOf(other)('/')).body).toContain('Text of about.');
  await other.close();
  let exported = '';
  for await (const piece of exportContent(testService, SITE)) exported += piece;
  expect(JSON.parse(exported).settings).toMatchObject({ show_on_front: 'page', page_on_front: 10 });
});

test('a website below a path has its documentation there', async () => {
  const site = `${SITE}/dev`;
  const other = await openSite(site, websiteDocument(), ADDRESSES);
  const visit = visitorOf(other);
  expect((await visit('/dev/docs/trip-map')).body).toContain(`<link rel="canonical" href="${site}/docs/trip-map">`);
  expect((await visit('/dev/?s=webhooks')).body).toContain('<a href="/dev/docs/live#webhooks">');
  expect((await visit('/dev/llms.txt')).body).toContain(`](${site}/docs/trip-map.md)`);
  expect((await visit('/docs/trip-map')).statusCode).toBe(404);
  await other.close();
});

test('docs of the account API leads to its reference, or is the documentation if the API has the path of the site', async () => {
  expect((await get('/v2/docs')).headers.location).toBe(`${SITE}/docs/api`);
  const other = await openSite(SITE, websiteDocument(), { ...ADDRESSES, BASE_URL: 'https://api.fleet.test' });
  const visit = visitorOf(other);
  expect((await visit('/docs')).body).toContain('<h1>Documentation</h1>');
  expect((await visit('/docs/trip-map')).statusCode).toBe(200);
  await other.close();
});

describe('Markdown', () => {
  const bodyOf = (source: string) => renderDocument(`# Title\n\n${source}`, (name) => name === 'live').body.text;

  test.each([
    ['a link to a document', '[a](live.md#changes)', '<a href="live#changes">a</a>'],
    ['a link to a file that has no page', '[a `b`](../server/README.md)', '<p>a <code>b</code></p>'],
    ['a link elsewhere', '<https://example.com/>', '<a href="https://example.com/">'],
    [
      'a heading',
      '## What is *not* `believed`?',
      '<h2 id="what-is-not-believed"><a class="anchor" href="#what-is-not-believed">',
    ],
    ['the second heading of the same text', '## A\n\n## A', '<h2 id="a-1">'],
    [
      'a table without a head',
      '| | |\n|---|--:|\n| a | b |',
      '<table>\n<tbody>\n<tr><td>a</td><td class="right">b</td></tr>',
    ],
    ['a head with an empty cell', '| | a |\n|---|---|\n| b | c |', '<thead><tr><td></td><th>a</th></tr>'],
    ['code', '```sh\necho "a<b"\n```', '<span class="hljs-string">&quot;a&lt;b&quot;</span>'],
  ])('has %s', (_, source, expected) => {
    expect(bodyOf(source)).toContain(expected);
  });

  test('in blocks of several languages that follow each other is one example with a tab for each', () => {
    const blocks = (...languages: string[]) => languages.map((name) => `\`\`\`${name} run\ncode\n\`\`\``).join('\n\n');
    const tabs = (source: string) =>
      [...bodyOf(source).matchAll(/<label for="[^"]+">(\w+)/g)].map(([, label]) => label);
    expect(tabs(blocks('sh', 'graphql', 'ts', 'python'))).toEqual(['Shell', 'GraphQL', 'TypeScript', 'Python']);
    expect(tabs(blocks('sh', 'sh'))).toEqual([]);
    expect(tabs(blocks('text', 'ts'))).toEqual([]);
    expect(tabs('```sh\na\n```\n\nText\n\n```ts\nb\n```')).toEqual([]);
  });
});
