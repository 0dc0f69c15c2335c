import { beforeAll, expect, test } from 'vitest';

import { CommentStore } from '../../../content/models/comment.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { TermStore } from '../../../content/models/term.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { type Asker, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();
const POSTS = 24;
const TERMS = 12;

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const dateOf = (number: number) => new Date(Date.UTC(2024, 0, number)).toISOString().slice(0, 19);

function itemOf(id: number, type: 'post' | 'page' | 'attachment') {
  const date = dateOf(id % 200);
  const dates = { date, date_gmt: date, modified: date, modified_gmt: date };
  const title = `Item ${id}`;
  return { id, type, status: 'publish', ...dates, slug: `item-${id}`, title, title_folded: title.toLowerCase() };
}

beforeAll(async () => {
  await TermStore.insertMany(
    testService,
    numbers(TERMS).flatMap((id) => [
      { id, taxonomy: 'category', name: `C${99 - id}`, name_folded: `c${99 - id}`, slug: `c${id}`, parent: id % 3 },
      { id: 100 + id, taxonomy: 'post_tag', name: `T${id}`, name_folded: `t${id}`, slug: `t${id}` },
    ]),
  );
  const posts = numbers(POSTS).map((id) => ({
    ...itemOf(id, 'post'),
    content: 'Text.',
    status: id % 7 === 0 ? 'private' : 'publish',
    password: id % 5 === 0 ? 'secret' : '',
    // The users of the roles, one who is gone, and nobody.
    author: id % 8,
    // Some are gone, some hang on what visitors may not read.
    featured_media: id % 4 === 0 ? 0 : 300 + (id % 4),
    categories: id === 3 ? numbers(TERMS) : [id % TERMS, 2, 999].filter((term) => term > 0),
    tags: id % 2 === 0 ? [] : [101 + (id % TERMS)],
  }));
  const pages = numbers(6).map((at) => ({
    ...itemOf(200 + at, 'page'),
    parent: at > 2 ? 200 + (at % 3) : 0,
    author: at,
  }));
  const media = [301, 302].map((id) => ({
    ...{ ...itemOf(id, 'attachment'), status: 'inherit', parent: id === 301 ? 7 : 1 },
    ...{ mime_type: 'image/png', file: `2024/01/${id}.png`, author: 1 },
  }));
  await ContentItemStore.insertMany(testService, [...posts, ...pages, ...media]);
  const ofPost = (post: number, count: number) => numbers(count).map((at) => ({ post, at }));
  const comments = [...ofPost(1, 1), ...ofPost(3, 14), ...ofPost(5, 2), ...ofPost(7, 2), ...ofPost(201, 3)];
  await CommentStore.insertMany(
    testService,
    comments.map(({ post, at }, index) => ({
      ...{ id: index + 1, post, date: dateOf(at), date_gmt: dateOf(at), content: `Comment ${at}` },
      ...{ author_name: 'Reader', author: at % 3, parent: at === 2 ? index : 0 },
      status: at === 3 ? ('hold' as const) : ('approved' as const),
    })),
  );
});

type Item = { readonly id: number; readonly _embedded: unknown };

test.each<[Asker, string, string]>([
  ['anonymous', 'posts?per_page=100', 'posts'],
  ['subscriber', 'posts?per_page=100', 'posts'],
  ['author', 'posts?per_page=100&status=publish,private', 'posts'],
  ['administrator', 'posts?per_page=100&status=publish,private', 'posts'],
  ['administrator', 'posts?per_page=100&context=edit', 'posts'],
  ['anonymous', 'pages?per_page=100', 'pages'],
  ['anonymous', 'comments?per_page=100', 'comments'],
  ['anonymous', 'categories?per_page=100', 'categories'],
  ['anonymous', 'posts?per_page=100&_fields=id,_links', 'posts'],
])('%s sees embedded in %s what is embedded in each object alone', async (asker, list, path) => {
  const answer = await host.call(asker, 'GET', `/wp/v2/${list}&_embed`);
  expect(answer.statusCode, answer.body).toBe(200);
  const items = answer.json<Item[]>();
  expect(items.length).toBeGreaterThan(1);
  for (const { id, _embedded } of items) {
    const context = list.includes('context=edit') ? 'context=edit&' : '';
    const alone = await host.call(asker, 'GET', `/wp/v2/${path}/${id}?${context}_embed`);
    expect([id, _embedded]).toEqual([id, alone.json<Item>()._embedded]);
  }
});

test('comments of a user embed no comment on a post that the user may not open, several or one', async () => {
  const me = (await host.call('subscriber', 'GET', '/wp/v2/users/me')).json<Item>().id;
  const own = [
    { id: 901, parent: 0 },
    { id: 902, parent: 901 },
    { id: 903, parent: 901 },
  ];
  const date = dateOf(9);
  await CommentStore.insertMany(
    testService,
    own.map((comment) => ({
      ...{ ...comment, post: 5, author: me, author_name: 'Reader', status: 'approved' as const },
      ...{ date, date_gmt: date, content: `Comment ${comment.id}` },
    })),
  );
  const embedded = async (include: string) =>
    (await host.call('subscriber', 'GET', `/wp/v2/comments?include=${include}&_embed`)).json<Item[]>();
  const several = await embedded('902,903');
  expect(several).toHaveLength(2);
  for (const one of several) expect([one]).toEqual(await embedded(String(one.id)));
  await CommentStore.deleteMany(testService, { id: { $gte: 901 } });
});

test('embedding in a list costs queries for each kind of objects, and for each object that is not found', async () => {
  const costOf = async (path: string) => {
    const queries = await queriesDuring(async () => {
      expect((await host.call('anonymous', 'GET', path)).statusCode).toBe(200);
    });
    return queries.length;
  };
  const few = await costOf('/wp/v2/posts?include=1,2,4&_embed');
  expect(await costOf('/wp/v2/posts?include=1,2,4,8,11,12,13,16,17,18,19,22&per_page=12&_embed')).toBeLessThan(
    few + 20,
  );
});

test.each([
  ['author,wp:term', ['author', 'wp:term']],
  ['wp:term', ['wp:term']],
  ['nothing', undefined],
  ['1', expect.arrayContaining(['author', 'replies', 'wp:term'])],
  ['', expect.arrayContaining(['author', 'replies', 'wp:term'])],
])('_embed=%s embeds %j, in a list as in one object', async (relations, expected) => {
  const list = await host.call('editor', 'GET', `/wp/v2/posts?include=3&_embed=${relations}`);
  const one = await host.call('editor', 'GET', `/wp/v2/posts/3?_embed=${relations}`);
  for (const { _embedded } of [list.json()[0], one.json()]) {
    expect(_embedded === undefined ? undefined : Object.keys(_embedded)).toEqual(expected);
  }
});

test('relations that are not embedded cost nothing', async () => {
  const costs = async (query: string) =>
    (await queriesDuring(async () => void (await host.call('editor', 'GET', `/wp/v2/posts?per_page=20${query}`))))
      .length;
  expect(await costs('&_embed=author')).toBeLessThan(await costs('&_embed'));
});
