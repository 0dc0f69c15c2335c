import { Readable } from 'node:stream';

import FeedParser from 'feedparser';
import type { FastifyInstance } from 'fastify';
import RssParser from 'rss-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { CommentStore } from '../../../content/models/comment.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { useDatabase, testService } from '../../services/database.ts';

import { openSite, SITE, visitorOf } from './site-world.ts';

useDatabase();

const RSS = 'application/rss+xml; charset=utf-8';
const ATOM = 'application/atom+xml; charset=utf-8';
const FIRST = '/2024/03/01/first/';
const SECOND = '/2024/03/02/second/';
const THIRD = '/2024/04/03/third-%e6%97%a5/';
const ALL = ['/2024/04/04/locked/', THIRD, SECOND, FIRST];
const COMMENTS = [1, 2].map((id) => `${FIRST}#comment-${id}`);

let app: FastifyInstance;
let ask: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  app = await openSite();
  ask = visitorOf(app);
});
afterAll(() => app.close());

async function parsed(path: string) {
  const { body } = await ask(path);
  const parser = new FeedParser({ addmeta: false, feedurl: SITE + path });
  const items: FeedParser.Item[] = [];
  for await (const item of Readable.from([body]).pipe(parser)) items.push(item);
  return { meta: parser.meta, items };
}
const linksIn = (items: readonly { link?: string }[]) => items.map(({ link = '' }) => link.slice(SITE.length));

/** Feeds that a page's head names, by their titles. */
async function feedsOf(path: string): Promise<Readonly<Record<string, string>>> {
  const { body } = await ask(path);
  const links = body.matchAll(
    /<link rel="alternate" type="application\/(?:rss|atom)\+xml" title="([^"]*)" href="([^"]*)">/g,
  );
  return Object.fromEntries([...links].map(([, title, href]) => [title, href?.replaceAll('&amp;', '&')]));
}

describe('a feed', () => {
  test.each([
    ['/feed/', ALL],
    ['/feed', ALL],
    ['/feed/rss2/', ALL],
    ['/rss2/', ALL],
    ['/feed/rdf/', ALL],
    ['/?feed=rss2', ALL],
    ['/index.php?feed=rss2', ALL],
    ['/category/news/feed/', ALL],
    ['/category/news/releases/feed/', [SECOND]],
    ['/category/empty/feed/', []],
    ['/?cat=2&feed=rss2', [SECOND]],
    ['/tag/c-more/feed/', [SECOND]],
    ['/author/mara/feed/', ALL],
    ['/2024/03/feed/', [SECOND, FIRST]],
    ['/?s=zebra&feed=rss2', [THIRD]],
    ['/feed/?s=zebra', [THIRD]],
    ['/search/zebra/feed/rss2/', [THIRD]],
    ['/feed/?paged=2', []],
    ['/comments/feed/', COMMENTS],
    ['/2024/03/01/first/feed/', COMMENTS],
    ['/?p=20&feed=rss2', COMMENTS],
    ['/2024/04/04/locked/feed/', []],
    ['/about/feed/', []],
  ])('at %s has what its page has', async (path, links) => {
    const { statusCode, headers } = await ask(path);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe(RSS);
    expect(linksIn((await parsed(path)).items).toSorted()).toEqual(links.toSorted());
  });

  test('of posts has them whole, the newest first', async () => {
    const { meta, items } = await parsed('/feed/');
    expect(linksIn(items)).toEqual(ALL);
    expect(meta).toMatchObject({
      ...{ '#type': 'rss', '#version': '2.0', title: 'Field notes', description: 'From the road' },
      ...{ link: `${SITE}/`, xmlurl: `${SITE}/feed/`, language: 'en-US' },
    });
    expect(items[3]).toMatchObject({
      ...{ link: `${SITE}/2024/03/01/first/`, author: 'Mara M', categories: ['News'] },
      ...{ description: '<p>Text of first.</p>', summary: 'Text of first.' },
      comments: `${SITE}/2024/03/01/first/#comments`,
      pubDate: new Date('2024-03-01T10:00:00Z'),
    });
    expect(items[3]?.['wfw:commentrss']?.['#']).toBe(`${SITE}/2024/03/01/first/feed/`);
    expect(items[3]?.['slash:comments']?.['#']).toBe('2');
    expect(new Set(items.map(({ guid }) => guid)).size).toBe(4);
  });

  test('says nothing that a password protects, nor what waits for approval', async () => {
    for (const path of ['/feed/', '/feed/atom/', '/comments/feed/', '/2024/04/04/locked/feed/', '/feed.xml']) {
      expect((await ask(path)).body, path).not.toMatch(/is secret|Insider|Waiting|secret\.example/);
    }
  });

  test('of comments tells who wrote what', async () => {
    const { meta, items } = await parsed('/2024/03/01/first/feed/');
    expect(meta).toMatchObject({ title: 'Comments on: First', link: `${SITE}/2024/03/01/first/` });
    const ann = items.find(({ author }) => author === 'Ann');
    expect(ann?.title).toBe('By: Ann');
    expect((await ask('/comments/feed/')).body).toContain('<title>Comment on First by Ann</title>');
    expect(ann?.description?.trim()).toBe('<p>Remark of Ann</p>');
    expect(ann?.link).toBe(`${SITE}/2024/03/01/first/#comment-1`);
  });

  test('of all comments has readable ones behind any number of others', async () => {
    const date = '2030-01-01T00:00:00';
    await CommentStore.insertMany(
      testService,
      Array.from({ length: 12 }, (_, at) => ({
        ...{
          id: 901 + at,
          post: 23,
          author: 0,
          author_name: 'Insider',
          content: 'Hidden',
          status: 'approved' as const,
        },
        ...{ date, date_gmt: date },
      })),
    );
    const { items } = await parsed('/comments/feed/');
    await CommentStore.deleteMany(testService, { id: { $gte: 901 } });
    expect(linksIn(items).toSorted()).toEqual(COMMENTS);
  });

  test('is read by rss-parser', async () => {
    const feed = await new RssParser().parseString((await ask('/category/news/feed/')).body);
    expect(feed).toMatchObject({ title: 'News – Field notes', feedUrl: `${SITE}/category/news/feed/` });
    expect(linksIn(feed.items)).toEqual(ALL);
    expect(feed.items.map(({ title }) => title?.trim())).toEqual([
      ...['Protected: Locked', 'Third 日', 'alert(1)“> <b> ]]>', 'First'],
    ]);
    expect(feed.items[1]).toMatchObject({
      ...{
        creator: 'Mara M',
        isoDate: '2024-04-03T10:00:00.000Z',
        'content:encodedSnippet': expect.stringContaining('Zebra'),
      },
    });
  });

  test.each([
    ['/feed/atom/', `${SITE}/feed.xml`],
    ['/feed.xml', `${SITE}/feed.xml`],
    ['/category/news/feed/atom/', `${SITE}/category/news/feed/atom/`],
    ['/?feed=atom', `${SITE}/feed.xml`],
  ])('at %s is in the Atom format', async (path, self) => {
    expect((await ask(path)).headers['content-type']).toBe(ATOM);
    const { meta, items } = await parsed(path);
    expect(meta).toMatchObject({ '#type': 'atom', xmlurl: self });
    expect(linksIn(items)).toEqual(ALL);
  });

  test('is not sent again to who has it, until there is something new', async () => {
    const { headers } = await ask('/comments/feed/');
    const again = () => ask('/comments/feed/', { headers: { 'if-none-match': String(headers.etag) } });
    expect((await again()).statusCode).toBe(304);
    await CommentStore.updateOne(testService, { id: 3 }, { status: 'approved' });
    expect((await again()).statusCode).toBe(200);
    await CommentStore.updateOne(testService, { id: 3 }, { status: 'hold' });
  });
});

describe('a page names its feeds:', () => {
  const OF_SITE = {
    'Field notes » Feed': `${SITE}/feed/`,
    'Field notes » Comments': `${SITE}/comments/feed/`,
    'Field notes » Atom': `${SITE}/feed.xml`,
  };

  test.each([
    ['/', {}],
    ['/docs/component', {}],
    ['/blog/', {}],
    ['/nope/', {}],
    ['/about/', {}],
    ['/2024/04/04/locked/', {}],
    ['/category/news/', { 'Field notes » News Category': `${SITE}/category/news/feed/` }],
    ['/tag/c-more/', { 'Field notes » C++ &amp; more Tag': `${SITE}/tag/c-more/feed/` }],
    ['/author/mara/', { 'Field notes » Mara M Author': `${SITE}/author/mara/feed/` }],
    ['/2024/03/01/first/', { 'Field notes » First Comments': `${SITE}/2024/03/01/first/feed/` }],
    ['/?s=zebra', { 'Field notes » Search for “zebra”': `${SITE}/?s=zebra&feed=rss2` }],
  ])('%s', async (path, further) => {
    const feeds = await feedsOf(path);
    expect(feeds).toEqual({ ...OF_SITE, ...further });
    for (const feed of Object.values(feeds)) {
      expect((await ask(feed.slice(SITE.length))).statusCode, feed).toBe(200);
    }
  });
});

describe('the content interface is where clients look for it', () => {
  test.each(['/?rest_route=/wp/v2/posts', '/index.php?rest_route=/wp/v2/posts', '/index.php/wp-json/wp/v2/posts'])(
    '%s',
    async (path) => {
      const answer = await ask(path);
      expect(answer.headers['content-type']).toContain('application/json');
      expect(answer.json()).toHaveLength(4);
    },
  );
});

describe('a picture in a text', () => {
  test('is offered in all its sizes', async () => {
    const sizes = { medium: { file: 'wide-300x225.png', width: 300, height: 225, mime_type: 'image/png' } };
    const details = { width: 1200, height: 900, file: 'wide.png', sizes };
    await ContentItemStore.updateOne(testService, { id: 9 }, { file: 'wide.png', media_details: details });
    const image = `<img class="wp-image-9" src="${SITE}/wp-content/uploads/wide-300x225.png" alt="" width="300" height="225" />`;
    await ContentItemStore.updateOne(testService, { id: 20 }, { content: image });
    const { body } = await ask('/2024/03/01/first/');
    const uploads = `${SITE}/wp-content/uploads`;
    expect(body).toContain(
      `srcset="${uploads}/wide-300x225.png 300w, ${uploads}/wide.png 1200w" sizes="(max-width: 300px) 100vw, 300px"`,
    );
    expect((await ask('/2024/03/02/second/')).body).toContain('sizes="(min-width: 48rem) 44rem, 94vw"');
    expect((await ask('/blog/page/2/')).body).toMatch(/<img [^>]*loading="lazy"[^>]* 9\.5rem, 94vw"/);
    await ContentItemStore.updateOne(testService, { id: 20 }, { content: 'Text of first.' });
  });
});
