import { beforeAll, describe, expect, test } from 'vitest';

import { importContent } from '../../../content/transfer/import-content.ts';
import { SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const dates = (day: number) => {
  const date = `2024-03-0${day}T10:00:00`;
  return { date, date_gmt: date, modified: date, modified_gmt: date };
};

function text(id: number, title: string, more: Readonly<Record<string, unknown>> = {}) {
  const { content = '', excerpt = '', ...rest } = more;
  return {
    ...dates(id % 10),
    id,
    slug: `text-${id}`,
    status: 'publish',
    title: { raw: title },
    content: { raw: content },
    excerpt: { raw: excerpt },
    author: 2,
    ...rest,
  };
}

beforeAll(async () => {
  await importContent(
    testService,
    {
      posts: [
        text(101, 'Winter tyres', { sticky: true, author: 1 }),
        text(102, 'Summer tyres', { sticky: true, categories: [2] }),
        text(103, 'Brakes', { content: "winter tyres, and the driver's manual" }),
        text(104, 'The winter', { author: 3, excerpt: 'winter tyres' }),
      ],
      pages: [text(201, 'Top'), text(202, 'Below', { parent: 201 }), text(203, 'Deep', { parent: 202, menu_order: 7 })],
      categories: [
        { id: 1, name: 'Uncategorized', slug: 'uncategorized' },
        { id: 2, name: 'News', slug: 'news' },
      ],
      tags: [
        { id: 3, name: 'A', slug: 'a' },
        { id: 4, name: 'B', slug: 'b' },
      ],
    },
    { replace: false, siteUrl: SITE },
  );
});

async function idsOf(path: string): Promise<number[]> {
  const answer = await host.call('anonymous', 'GET', `/wp/v2/${path}`);
  expect(answer.statusCode).toBe(200);
  return answer.json<{ id: number }[]>().map(({ id }) => id);
}

test.each([
  ['posts?sticky=true&exclude=101', [102, 101], 'what is sticky counts as included, which comes before excluding'],
  ['posts?sticky=true&include=102,103', [102], 'what is included must be sticky, too'],
  ['posts?sticky=false&include=101,103', [103, 101], 'what is not sticky is excluded, and including comes first'],
  ['posts?sticky=false&exclude=103', [104], 'neither excluded nor sticky'],
  ['posts?include=-103', [103], 'signs of numbers make no difference'],
  ['posts?categories=-2', [102], 'nor those of terms'],
  ['posts?categories_exclude=-2', [104, 103, 101], 'nor those of terms that are left out'],
  ['pages?menu_order=-7', [203], 'nor that of a place among pages'],
  ['categories?include=-2', [2], 'nor those of terms that are listed'],
  ['categories?include=0&per_page=1&orderby=id', [1], 'the number 0 alone asks for no terms'],
  ['categories?include=0&exclude=1&orderby=id', [1, 2], 'but nothing is left out beside it'],
  ['categories?include=0,2', [2], 'beside others, the number 0 is that of no term'],
  ['categories?exclude=-2&orderby=id', [1], 'terms are left out whatever their sign'],
  ['categories?search=0&orderby=id', [1, 2], 'a search that PHP takes for false is none'],
  ['tags?offset=-1', [4], 'an offset counts from the start whatever its sign'],
  ['posts?author=1,3&author_exclude=1', [104, 103, 102], 'an author who is excluded silences those who are asked for'],
  ['pages?parent=201&parent_exclude=201', [202], 'a parent who is asked for silences those who are excluded'],
])('%s finds %j: %s', async (path, expected) => {
  expect(await idsOf(path)).toEqual(expected);
});

test.each([
  ['posts?offset=4', '0', '0'],
  ['posts?offset=-9', '0', '0'],
  ['posts?offset=9&page=9', '0', '0'],
  ['posts?offset=3&per_page=2', '4', '2'],
  ['pages?offset=9', '0', '0'],
])('%s past the end is a list of nothing, else it counts all: %s items on %s pages', async (path, total, pages) => {
  const { headers } = await host.call('anonymous', 'GET', `/wp/v2/${path}`);
  expect([headers['x-wp-total'], headers['x-wp-totalpages']].map(String)).toEqual([total, pages]);
});

test('a search that PHP takes for false gives no relevance', async () => {
  const answer = await host.call('anonymous', 'GET', '/wp/v2/posts?search=0&orderby=relevance');
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'rest_no_search_term_defined']);
});

test.each([
  ['winter+tyres', 'desc', [101, 104, 103]],
  ['winter+tyres', 'asc', [101, 104, 103]],
  ['winter', 'asc', [101, 104, 103]],
  ['winter', 'desc', [104, 101, 103]],
  ['winter+-brakes', 'desc', [104, 101]],
  ["'brakes'", 'desc', [103]],
  ['%22winter+tyres%22', 'desc', [101, 104, 103]],
])('a search for %s by relevance, dates %s, finds %j', async (search, order, expected) => {
  const found = await idsOf(`posts?search=${search}&orderby=relevance&order=${order}`);
  expect(found).toEqual(expected);
});

test.each([
  ['posts', 4],
  ['pages', 3],
  ['users', 0],
  ['tags', 0],
  ['comments', 0],
])('a search that is longer than any text is none among %s, and finds %i', async (list, found) => {
  const json = { search: 'a'.repeat(500_000) };
  const answer = await host.call('administrator', 'POST', `/wp/v2/${list}?_method=GET`, { json });
  expect([answer.statusCode, answer.json<unknown[]>().length]).toEqual([200, found]);
});

test('what lies within more than 64 names is not read', async () => {
  const answer = await host.call('anonymous', 'POST', '/wp/v2/posts?_method=GET', {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    bytes: Buffer.from(`include=103&a${'[b]'.repeat(150_000)}=1`),
  });
  expect(answer.json<{ id: number }[]>().map(({ id }) => id)).toEqual([103]);
});

test.each([
  ['after=2024-03-02T12:00:00', [104, 103]],
  ['after=2024-03-03T10:00:00', [104]],
  ['after=2024-03-03T14:59:59Z', [104, 103]],
  ['after=2024-03-03T15:00:00Z', [104]],
  ['before=2024-03-02T17:00:00%2B02:00', [101]],
  ['before=2024-03-02T17:00:01%2B02:00', [102, 101]],
  ['modified_after=2024-03-03T10:00:00', [104]],
  ['modified_after=2030-01-01T00:00:00', []],
  ['modified_before=2024-03-02T15:00:00Z', [101]],
])('posts?%s finds %j on a site in New York', async (bounds, expected) => {
  const zone = (timezone: string) => host.call('administrator', 'POST', '/wp/v2/settings', { json: { timezone } });
  expect((await zone('America/New_York')).statusCode).toBe(200);
  try {
    expect(await idsOf(`posts?${bounds}`)).toEqual(expected);
  } finally {
    await zone('');
  }
});

test('a bound by modification that is no date is rejected, and named', async () => {
  const answer = await host.call('anonymous', 'GET', '/wp/v2/posts?modified_after=soon');
  expect([answer.statusCode, answer.json().data.params]).toEqual([400, { modified_after: 'Invalid date.' }]);
});

test.each([
  ['post_title', [104, 101]],
  ['post_content', [103]],
  ['post_excerpt', [104]],
  ['post_excerpt,post_content', [104, 103]],
  ['', [104, 103, 101]],
])('a search in the columns %j finds %j', async (columns, expected) => {
  expect(await idsOf(`posts?search=winter&search_columns=${columns}`.replace(/&search_columns=$/, ''))).toEqual(
    expected,
  );
});

test('a search in a column that cannot be searched is rejected', async () => {
  const answer = await host.call('anonymous', 'GET', '/wp/v2/posts?search=winter&search_columns=post_password');
  expect([answer.statusCode, Object.keys(answer.json().data.params)]).toEqual([400, ['search_columns']]);
});

describe('/wp/v2/search', () => {
  const search = async (query: string) => host.call('anonymous', 'GET', `/wp/v2/search?${query}`);

  test.each([
    ['search=winter', [104, 101, 103]],
    ['search=winter+tyres', [101, 104, 103]],
    ['search=winter&subtype=page', []],
    ['search=deep&subtype=page,post', [203]],
    ['search=winter&exclude=101&per_page=1', [104]],
    ['include=203,102', [203, 102]],
    ['type=term&search=news', [2]],
    ['type=term&subtype=post_tag', [3, 4]],
  ])('?%s finds %j', async (query, expected) => {
    const answer = await search(query);
    expect(answer.json().map(({ id }: { id: number }) => id)).toEqual(expected);
  });

  test('shows what it has found with its address, and links to it', async () => {
    const answer = await search('search=deep&_embed');
    expect([answer.headers['x-wp-total'], answer.headers['x-wp-totalpages']]).toEqual(['1', '1']);
    expect(answer.json()).toMatchObject([
      {
        ...{ id: 203, title: 'Deep', url: `${SITE}/text-201/text-202/text-203/`, type: 'post', subtype: 'page' },
        _links: {
          self: [{ embeddable: true, href: `${SITE}/wp-json/wp/v2/pages/203` }],
          about: [{ href: `${SITE}/wp-json/wp/v2/types/page` }],
          collection: [{ href: `${SITE}/wp-json/wp/v2/search` }],
        },
        _embedded: { self: [{ id: 203, slug: 'text-203' }] },
      },
    ]);
    expect((await search('type=term&search=news')).json()).toMatchObject([
      {
        title: 'News',
        url: `${SITE}/category/news/`,
        type: 'category',
        _links: { self: [{ href: `${SITE}/wp-json/wp/v2/categories/2` }] },
      },
    ]);
  });

  test.each([
    ['type=user', 'type'],
    ['subtype=attachment', 'subtype'],
    ['context=edit', 'context'],
  ])('?%s is rejected', async (query, name) => {
    const answer = await search(query);
    expect([answer.statusCode, Object.keys(answer.json().data.params)]).toEqual([400, [name]]);
  });
});
