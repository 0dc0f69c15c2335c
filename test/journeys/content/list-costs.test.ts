import { beforeAll, describe, expect, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import type { ContentContext } from '../../../content/access/content-context.ts';
import { type ListArguments, listFilter, listQuery } from '../../../content/items/list-items.ts';
import { itemSearch } from '../../../content/items/search.ts';
import { PAGE, POST } from '../../../content/schema/kinds/content-kinds.ts';
import { DEFAULT_SETTINGS } from '../../../content/models/site-settings.ts';
import { queriesDuring } from '../../services/queries-during.ts';
import { needsQueryPlanner, explained } from '../../services/query-planner.ts';

import { SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();
const POSTS = 400;
const DAY = 86_400_000;

beforeAll(async () => {
  const dateOf = (number: number) => new Date(Date.UTC(2024, 0, 1) + number * DAY).toISOString().slice(0, 19);
  await ContentItemStore.insertMany(
    testService,
    Array.from({ length: POSTS }, (_, at) => ({
      id: 1000 + at,
      type: at % 10 === 0 ? 'page' : 'post',
      status: 'publish',
      date: dateOf(at),
      date_gmt: dateOf(at),
      modified: dateOf(at),
      modified_gmt: dateOf(at),
      slug: `item-${at}`,
      title: `Item ${at}`,
      title_folded: `item ${at}`,
      content: 'Text.',
      author: at % 7,
      parent: at % 10 === 0 ? at % 3 : 0,
      menu_order: at % 5,
      categories: [at % 11],
      tags: [100 + (at % 13)],
      sticky: at % 50 === 1,
    })),
  );
});

const LISTS: readonly (readonly [what: string, args: Partial<ListArguments>])[] = [
  ['the default', {}],
  ['a page far down', { page: 20 }],
  ['some ids', { include: [1001, 1002] }],
  ['all but some ids', { exclude: [1001] }],
  ['an author', { author: [3] }],
  ['all but an author', { author_exclude: [3] }],
  ['a time', { after: '2024-02-01T00:00:00', before: '2024-03-01T00:00:00' }],
  ['a slug', { slug: ['item-7'] }],
  ['a category', { categories: [2] }],
  ['all but a category', { categories_exclude: [2] }],
  ['a tag', { tags: [105] }],
  ['all but a tag', { tags_exclude: [105] }],
  ['what is sticky', { sticky: true }],
  ['a search', { search: 'item 7' }],
  ['a parent', { parent: [1] }],
  ['a place in the menu', { menu_order: 2 }],
  ...(['author', 'date', 'id', 'modified', 'parent', 'slug', 'title', 'menu_order'] as const).map(
    (orderby) => [`ordered by ${orderby}`, { orderby }] as const,
  ),
];

describe.each([POST, PAGE])('a list of $many', (kind) => {
  needsQueryPlanner();
  test.each(LISTS)('of %s reads an index', async (_what, args) => {
    const context = { caller: { kind: 'visitor' }, site: SITE, settings: async () => DEFAULT_SETTINGS };
    const defaults = { page: 1, per_page: 10, order: 'desc', orderby: 'date', status: ['publish'] } as const;
    const requested = { ...defaults, ...args };
    const search = args.search === undefined ? undefined : await itemSearch(testService, args.search);
    const filter = listFilter(kind, requested, context as unknown as ContentContext, search);
    const plan = JSON.stringify(await explained(listQuery(testService, { $and: filter }, requested)));
    expect(plan).toContain('IXSCAN');
    expect(plan).not.toContain('COLLSCAN');
  });
});

test.each(['/wp/v2/posts?per_page=10', '/wp/v2/posts?per_page=100', '/wp/v2/pages?per_page=40'])(
  '%s costs no more queries than ten objects do',
  async (path) => {
    const queries = await queriesDuring(async () => {
      expect((await host.call('anonymous', 'GET', path)).statusCode).toBe(200);
    });
    expect(
      queries.length,
      queries.map(({ collection, method }) => `${collection}.${method}`).join(),
    ).toBeLessThanOrEqual(8);
  },
);

/** Queries of a request whose answer nobody has asked for before, but whose total is known. */
test.each([
  [2, 'posts?_fields=id,slug'],
  [2, 'posts?_fields=id,title,link'],
  [3, 'posts?_fields=id,excerpt'],
  [3, 'posts?_fields=id,categories'],
  [5, 'posts?page=2'],
  [8, 'posts?_embed'],
  [5, 'posts/1001?'],
  [8, 'posts?_embed&per_page=100'],
  [5, 'posts?search=nowhere+text'],
])('takes %d queries: %s', async (count, path) => {
  const ask = async (anew: number) => {
    expect((await host.call('anonymous', 'GET', `/wp/v2/${path}&anew=${anew}`)).statusCode).toBe(200);
  };
  await ask(1);
  const queries = await queriesDuring(() => ask(2));
  expect(queries.map(({ collection, method }) => `${collection}.${method}`)).toHaveLength(count);
});
