import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { importContent } from '../../../content/transfer/import-content.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import { contentSiteEndpoint } from '../../../pages/endpoints/content-site-endpoint.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { openHost } from '../../hosts/open-host.ts';

import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { runSize } from '../../services/run-size.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

/** Texts that only moderators and authors may read; each stands in one place of the content. */
const SECRETS = {
  draft: 'zqdraft',
  pending: 'zqpending',
  future: 'zqfuture',
  private: 'zqprivate',
  trash: 'zqtrash',
  page: 'zqpagedraft',
  attachment: 'zqattachment',
  revision: 'zqrevision',
  password: 'zqpassword',
  protected: 'zqprotected',
  hold: 'zqheld',
  spam: 'zqspam',
  binned: 'zqbinned',
  comment_email: 'zqmail@people.example',
  comment_ip: '192.0.2.199',
  user_email: 'zquser@people.example',
} as const;

const EDITOR = 2;
const dates = { date: '2024-03-01T10:00:00', date_gmt: '2024-03-01T10:00:00' };
const stamps = { ...dates, modified: dates.date, modified_gmt: dates.date };

function post(id: number, status: string, secret: string) {
  const text = { raw: `${secret} stands here` };
  const title = { raw: `About ${secret}` };
  return {
    ...stamps,
    id,
    status,
    slug: secret,
    title,
    content: text,
    excerpt: text,
    author: EDITOR,
    comment_status: 'open',
  };
}

beforeAll(async () => {
  const open = { ...post(101, 'publish', 'open'), tags: [7], categories: [6] };
  await importContent(
    testService,
    {
      users: [
        { id: 90, username: 'zquser', slug: 'quiet', name: 'Quiet', email: SECRETS.user_email, roles: ['author'] },
      ],
      categories: [{ id: 6, name: 'News', slug: 'news' }],
      tags: [{ id: 7, name: 'alpha', slug: 'alpha' }],
      posts: [
        open,
        ...(['draft', 'pending', 'future', 'private', 'trash'] as const).map((status, at) => ({
          ...post(110 + at, status, SECRETS[status]),
          categories: [6],
          tags: [7],
        })),
        {
          ...post(120, 'publish', 'locked'),
          content: { raw: SECRETS.protected },
          excerpt: { raw: SECRETS.protected },
          password: SECRETS.password,
        },
      ],
      pages: [post(130, 'draft', SECRETS.page)],
      media: [
        {
          ...post(140, 'inherit', SECRETS.attachment),
          post: 110,
          mime_type: 'image/png',
          source_url: `${SITE}/wp-content/uploads/a.png`,
        },
      ],
      revisions: [{ ...post(150, 'inherit', SECRETS.revision), parent: 101 }],
      comments: [
        {
          ...dates,
          id: 201,
          post: 101,
          status: 'approved',
          content: { raw: 'Fine' },
          author_name: 'Ann',
          author_email: SECRETS.comment_email,
          author_ip: SECRETS.comment_ip,
        },
        { ...dates, id: 202, post: 101, status: 'hold', content: { raw: SECRETS.hold } },
        { ...dates, id: 203, post: 101, status: 'spam', content: { raw: SECRETS.spam } },
        { ...dates, id: 204, post: 101, status: 'trash', content: { raw: SECRETS.binned } },
        { ...dates, id: 205, post: 113, status: 'approved', content: { raw: SECRETS.private } },
      ],
    },
    { replace: false, siteUrl: SITE },
  );
});

const secrets = Object.values(SECRETS);
const ids = [101, 110, 111, 112, 113, 114, 120, 130, 140, 150, 201, 202, 203, 204, 205, 1, 2, 90];
const strangers: readonly Asker[] = ['anonymous', 'subscriber', 'contributor', 'author'];

const path = fc.oneof(
  fc.constantFrom('posts', 'pages', 'media', 'comments', 'users', 'categories', 'tags').map((list) => `/wp/v2/${list}`),
  fc
    .tuple(fc.constantFrom('posts', 'pages', 'media', 'comments', 'users'), fc.constantFrom(...ids))
    .map(([list, id]) => `/wp/v2/${list}/${id}`),
  fc
    .tuple(fc.constantFrom('posts', 'pages'), fc.constantFrom(101, 110, 113, 130))
    .map(([list, id]) => `/wp/v2/${list}/${id}/revisions`),
  fc.constantFrom('/wp/v2/posts/101/revisions/150', '/wp/v2/posts/150', '/wp/v2/users/me'),
  fc
    .constantFrom(...secrets.slice(0, 6), 'locked', 'open')
    .map((slug) => `/oembed/1.0/embed?url=${encodeURIComponent(`${SITE}/2024/03/01/${slug}/`)}`),
);

const parameter = fc.oneof(
  fc.constantFrom(...secrets).map((secret) => ['search', secret.replace(/@.*/, '')] as const),
  fc.constantFrom(...secrets).map((secret) => ['slug', secret] as const),
  fc.constantFrom('view', 'embed', 'edit').map((context) => ['context', context] as const),
  fc.subarray(ids, { minLength: 1 }).map((some) => ['include', some.join(',')] as const),
  fc
    .constantFrom('draft', 'pending', 'future', 'private', 'trash', 'any', 'inherit', 'hold', 'spam', 'all')
    .map((status) => ['status', status] as const),
  fc.constantFrom(...ids).map((id) => ['post', String(id)] as const),
  fc.constantFrom(...ids).map((id) => ['parent', String(id)] as const),
  fc.constantFrom('2', '90').map((author) => ['author', author] as const),
  fc.constantFrom(['categories', '6'] as const, ['tags', '7'] as const),
  fc.constantFrom('wrong', '').map((password) => ['password', password] as const),
  fc.constantFrom('email', 'registered_date', 'name', 'id', 'slug').map((by) => ['orderby', by] as const),
  fc.constantFrom('_embed', '_envelope').map((flag) => [flag, '1'] as const),
  fc.constantFrom(
    ['author_email', SECRETS.comment_email] as const,
    ['roles', 'author'] as const,
    ['who', 'authors'] as const,
  ),
  fc.constantFrom('HEAD', 'OPTIONS', 'GET').map((method) => ['_method', method] as const),
);

test('strangers learn no secret by any path, filter, search, embed, envelope or count', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...strangers),
      path,
      fc.array(parameter, { maxLength: 3 }),
      async (asker, path, parameters) => {
        const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString();
        const answer = await host.call(asker, 'GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
        expect(answer.statusCode).toBeLessThan(500);
        // What the request itself says may come back in the links to other pages.
        const said = `${JSON.stringify(answer.headers)}${answer.body}`.replaceAll(/<[^>]*>; rel|"Link":"[^"]*"/g, '');
        expect(secrets.filter((secret) => said.includes(secret))).toEqual([]);
      },
    ),
    { numRuns: runSize(40, 300) },
  );
});

test.each(strangers)('%s finds nothing by searching for a secret', async (asker) => {
  const lists = ['posts', 'pages', 'media', 'comments', 'users'];
  const found: string[] = [];
  for (const list of lists) {
    for (const secret of secrets) {
      const { headers } = await host.call(asker, 'GET', `/wp/v2/${list}?search=${encodeURIComponent(secret)}`);
      if (headers['x-wp-total'] !== '0') found.push(`${list}: ${secret}`);
    }
  }
  expect(found).toEqual([]);
});

test('no page, feed, list or search of the website tells a secret', async () => {
  const settings = readConfig({ SITE_URL: SITE });
  const website = new ContentSite(testService, new URL(SITE));
  const app = await openHost([
    await siteEndpoint(testService, settings, new Map(), async () => null, website),
    contentSiteEndpoint(testService, settings, website),
  ]);
  const slugs = [...secrets.slice(0, 8), 'locked', 'open'];
  const urls = [
    ...['/', '/blog/', '/feed/', '/feed.xml', '/comments/feed/', '/wp-sitemap.xml', '/category/news/feed/'],
    ...['posts-post', 'posts-page', 'taxonomies-category', 'users'].map((name) => `/wp-sitemap-${name}-1.xml`),
    ...['/category/news/', '/tag/alpha/', '/2024/', '/2024/03/'],
    ...['/author/quiet/', '/author/editor/', '/?s=About', '/?s=stands', '/?s=zq'],
    ...ids.flatMap((id) => [`/?p=${id}`, `/?page_id=${id}`, `/?attachment_id=${id}`, `/?p=${id}&feed=rss2`]),
    ...slugs.flatMap((slug) => [
      `/${slug}/`,
      `/2024/03/01/${slug}/`,
      `/2024/03/01/${slug}/embed/`,
      `/2024/03/01/${slug}/feed/`,
    ]),
  ];
  const leaked: string[] = [];
  for (const url of urls) {
    const { body, headers } = await app.inject({ url });
    const said = JSON.stringify(headers) + body;
    leaked.push(
      ...secrets.filter((secret) => !url.includes(secret) && said.includes(secret)).map((s) => `${url}: ${s}`),
    );
  }
  const shown = await app.inject({ url: '/2024/03/01/open/' });
  const found = await app.inject({ url: `/?s=${SECRETS.protected}` });
  await app.close();
  expect(leaked).toEqual([]);
  expect(shown.statusCode).toBe(200);
  expect(found.body).not.toContain('/locked/');
});

test('an editor sees them all, so that they are there to be seen', async () => {
  const answers = await Promise.all(
    [
      '/wp/v2/posts?context=edit&per_page=100&status=publish,draft,pending,future,private,trash',
      '/wp/v2/pages?context=edit&status=draft',
      '/wp/v2/media?context=edit',
      '/wp/v2/posts/101/revisions?context=edit',
      '/wp/v2/comments?context=edit&status=any',
    ].map((path) => host.call('administrator', 'GET', path)),
  );
  const users = await host.call('administrator', 'GET', '/wp/v2/users?context=edit');
  const said = [...answers, users].map(({ body }) => body).join('');
  expect(secrets.filter((secret) => !said.includes(secret))).toEqual([]);
});
