import { beforeAll, expect, test } from 'vitest';

import { importContent } from '../../../content/transfer/import-content.ts';
import { SITE, useContentHost } from '../../services/content-host.ts';

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
    {
      posts: [
        text(101, 'Winter tyres', { sticky: true, author: 1 }),
        text(102, 'Summer tyres', { sticky: true }),
        text(103, 'Brakes', { content: "winter tyres, and the driver's manual" }),
        text(104, 'The winter', { author: 3, excerpt: 'winter tyres' }),
      ],
      pages: [text(201, 'Top'), text(202, 'Below', { parent: 201 }), text(203, 'Deep', { parent: 202 })],
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
  ['posts?author=1,3&author_exclude=1', [104, 103, 102], 'an author who is excluded silences those who are asked for'],
  ['pages?parent=201&parent_exclude=201', [202], 'a parent who is asked for silences those who are excluded'],
])('%s finds %j: %s', async (path, expected) => {
  expect(await idsOf(path)).toEqual(expected);
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
  ['after=2024-03-02T12:00:00', [104, 103]],
  ['after=2024-03-02T12:00:00Z', [104, 103]],
  ['after=2024-03-03T14:00:00%2B05:00', [104, 103]],
  ['before=2024-03-02T10:00:00Z', [101]],
])('by a site in New York, %s is compared with its dates in GMT', async (query, expected) => {
  const zone = (timezone: string) => host.call('administrator', 'POST', '/wp/v2/settings', { json: { timezone } });
  expect((await zone('America/New_York')).statusCode).toBe(200);
  try {
    expect(await idsOf(`posts?${query}`)).toEqual(expected);
  } finally {
    await zone('');
  }
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
