import { beforeEach, describe, expect, test } from 'vitest';

import { ContentItemStore, type StoredItem } from '../../../content/models/content-item.ts';
import { SequenceStore } from '../../../content/models/sequence.ts';
import { TermStore } from '../../../content/models/term.ts';
import { ensureDefaultCategory } from '../../../content/terms/default-category.ts';
import type { Taxonomy } from '../../../content/schema/kinds/term-kinds.ts';

import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const KINDS = [
  ['categories', 'category', 'category'],
  ['tags', 'post_tag', 'tag'],
] as const;

const MOMENT = '2026-01-01T00:00:00';

/** Stores a term, its slug made of its name. */
async function term(taxonomy: Taxonomy, id: number, name: string, more: { parent?: number; count?: number } = {}) {
  const slug = name.toLowerCase();
  await TermStore.create(testService, { id, taxonomy, name, name_folded: slug, slug, ...more });
}

async function post(id: number, more: Partial<StoredItem> = {}) {
  const dates = { date: MOMENT, date_gmt: MOMENT, modified: MOMENT, modified_gmt: MOMENT };
  await ContentItemStore.create(testService, { id, type: 'post', status: 'publish', ...dates, ...more });
}

const get = (path: string, asker: Asker = 'anonymous') => host.call(asker, 'GET', `/wp/v2/${path}`);
const send = (path: string, json: unknown, asker: Asker = 'editor') =>
  host.call(asker, 'POST', `/wp/v2/${path}`, { json });
const remove = (path: string, asker: Asker = 'editor') => host.call(asker, 'DELETE', `/wp/v2/${path}`);
const ids = async (path: string) => (await get(path)).json().map(({ id }: { id: number }) => id);

beforeEach(async () => {
  await Promise.all([
    TermStore.deleteMany(testService),
    ContentItemStore.deleteMany(testService),
    SequenceStore.deleteMany(testService),
  ]);
  await term('category', 1, 'Uncategorized');
  await SequenceStore.create(testService, { _id: 'terms', last: 100 });
});

describe.each(KINDS)('%s', (many, taxonomy, base) => {
  test('are shown with their address, their links and their number of posts', async () => {
    await term(taxonomy, 2, 'News', { count: 3 });
    expect((await get(`${many}/2`)).json()).toMatchObject({
      id: 2,
      count: 3,
      name: 'News',
      slug: 'news',
      taxonomy,
      link: `${SITE}/${base}/news/`,
      meta: [],
      _links: {
        about: [{ href: `${SITE}/wp-json/wp/v2/taxonomies/${taxonomy}` }],
        'wp:post_type': [{ href: `${SITE}/wp-json/wp/v2/posts?${many}=2` }],
      },
    });
  });

  test.each([0, 999, 1_000_000])('are not found by id %i', async (id) => {
    const answer = await get(`${many}/${id}`);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ code: 'rest_term_invalid', message: 'Term does not exist.' });
  });

  test('of the other taxonomy are not found', async () => {
    await term(taxonomy === 'category' ? 'post_tag' : 'category', 9, 'Other');
    expect((await get(`${many}/9`)).statusCode).toBe(404);
  });

  test('are made with a name cleaned of markup and a slug of ASCII', async () => {
    const answer = await send(many, { name: 'Fresh <i>&</i> Größe', description: '<b>x</b><script>y</script>' });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.location).toBe(`${SITE}/wp-json/wp/v2/${many}/101`);
    expect(answer.json()).toMatchObject({
      id: 101,
      name: 'Fresh &amp; Größe',
      slug: 'fresh-grose',
      description: '<b>x</b>y',
      count: 0,
    });
  });

  test.each(['', '   ', '<b></b>'])('need a name, which "%s" is not', async (name) => {
    const answer = await send(many, { name });
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ code: 'empty_term_name', data: null });
  });

  test.each(['News', 'NEWS', 'news'])('named "%s" exist already beside News', async (name) => {
    await term(taxonomy, 2, 'News');
    const answer = await send(many, { name });
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({ code: 'term_exists', data: { status: 409, term_id: 2 } });
  });

  test.each([
    [{ name: 'News', slug: 'other' }, 'other'],
    [{ name: 'Different', slug: 'news' }, 'news-2'],
    [{ name: 'Slugged', slug: 'With Spaces & Ü' }, 'with-spaces-u'],
    [{ name: '日本' }, '%e6%97%a5%e6%9c%ac'],
    [{ name: '!!!' }, '101'],
    [{ name: 'Zero', slug: '0' }, 'zero'],
  ])('asked for as %j get the slug %s', async (requested, slug) => {
    await term(taxonomy, 2, 'News');
    const answer = await send(many, requested);
    expect(answer.statusCode).toBe(201);
    expect(answer.json().slug).toBe(slug);
  });

  test('change in what is given and keep the rest', async () => {
    await term(taxonomy, 2, 'News');
    expect((await send(`${many}/2`, { description: 'Fresh' })).json()).toMatchObject({
      name: 'News',
      slug: 'news',
      description: 'Fresh',
    });
    expect((await send(`${many}/2`, { name: 'Olds', slug: '' })).json()).toMatchObject({ name: 'Olds', slug: 'olds' });
  });

  test('do not take the slug of another', async () => {
    await term(taxonomy, 2, 'News');
    await term(taxonomy, 3, 'Other');
    const answer = await send(`${many}/3`, { slug: 'news' });
    expect(answer.statusCode).toBe(500);
    const message = 'The slug &#8220;news&#8221; is already in use by another term.';
    expect(answer.json()).toEqual({ code: 'duplicate_term_slug', message, data: null });
  });

  test.each([
    ['a name of 201 letters', { name: 'n'.repeat(201) }],
    ['a name that is longer as HTML', { name: '&'.repeat(41) }],
    ['a slug whose number makes it too long', { name: 'Other', slug: 's'.repeat(200) }],
  ])('are not made with %s, and use up no number', async (_, json) => {
    await term(taxonomy, 2, 's'.repeat(200));
    const answer = await send(many, json);
    expect([answer.statusCode, answer.json()]).toEqual([
      500,
      { code: 'db_insert_error', message: 'Could not insert term into the database', data: null },
    ]);
    expect((await send(many, { name: 'n'.repeat(200) })).json().id).toBe(101);
  });

  test('keep name and slug where the new name is too long, and change in everything else', async () => {
    await term(taxonomy, 2, 'News');
    const json = { name: 'n'.repeat(201), slug: 'new', description: 'Fresh' };
    expect((await send(`${many}/2`, json)).json()).toMatchObject({ name: 'News', slug: 'news', description: 'Fresh' });
  });

  test('are deleted by force only', async () => {
    await term(taxonomy, 2, 'News');
    const refused = await remove(`${many}/2`);
    expect(refused.statusCode).toBe(501);
    expect(refused.json()).toMatchObject({ code: 'rest_trash_not_supported' });
    expect((await remove(`${many}/2?force=true`)).json()).toMatchObject({ deleted: true, previous: { id: 2 } });
    expect((await get(`${many}/2`)).statusCode).toBe(404);
  });

  test.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['author', 403],
    ['editor', 200],
    ['administrator', 200],
  ] as [Asker, number][])('are changed and deleted by %s: %i', async (asker, status) => {
    await term(taxonomy, 2, 'News');
    expect((await send(`${many}/2`, { name: 'New' }, asker)).statusCode).toBe(status);
    expect((await get(`${many}?context=edit`, asker)).statusCode).toBe(status);
    expect((await get(`${many}/2?context=edit`, asker)).statusCode).toBe(status);
    expect((await remove(`${many}/2?force=true`, asker)).statusCode).toBe(status);
  });

  test.each([
    ['', ['alpha', 'Beta', 'gamma']],
    ['?order=desc', ['gamma', 'Beta', 'alpha']],
    ['?orderby=id', ['gamma', 'alpha', 'Beta']],
    ['?orderby=count', ['alpha', 'Beta', 'gamma']],
    ['?orderby=count&order=desc', ['gamma', 'alpha', 'Beta']],
    ['?orderby=term_group&order=desc', ['gamma', 'alpha', 'Beta']],
    ['?include=13,11&orderby=include', ['Beta', 'gamma']],
    ['?orderby=include_slugs&slug=gamma,alpha', ['gamma', 'alpha']],
    ['?exclude=12', ['Beta', 'gamma']],
    ['?include=12&exclude=12', ['alpha']],
    ['?slug=Beta', ['Beta']],
    ['?search=ETA', ['Beta']],
    ['?search=(', []],
    ['?hide_empty=true', ['gamma']],
    ['?post=50', ['alpha', 'gamma']],
    ['?per_page=1&page=2', ['Beta']],
    ['?page=9', []],
  ])('are listed by %s', async (query, names) => {
    await TermStore.deleteMany(testService);
    await term(taxonomy, 11, 'gamma', { count: 2 });
    await term(taxonomy, 12, 'alpha');
    await term(taxonomy, 13, 'Beta');
    await post(50, { [many]: [11, 12] });
    const answer = await get(many + query);
    expect(answer.json().map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test('of a post are shown to those who may read it', async () => {
    await post(50, { status: 'draft', [many]: [1] });
    await post(51, { type: 'page' });
    expect((await get(`${many}?post=50`)).json()).toMatchObject({ code: 'rest_forbidden_context' });
    expect((await get(`${many}?post=50`, 'editor')).statusCode).toBe(200);
    expect((await get(`${many}?post=51`, 'editor')).statusCode).toBe(403);
    expect((await get(`${many}?post=52`)).json()).toMatchObject({
      code: 'rest_post_invalid_id',
      data: { status: 400 },
    });
  });
});

describe('categories', () => {
  beforeEach(async () => {
    await term('category', 2, 'News');
    await term('category', 3, 'Releases', { parent: 2 });
    await term('category', 4, 'Betas', { parent: 3, count: 1 });
  });

  test('lie below each other', async () => {
    expect((await get('categories/4')).json()).toMatchObject({
      link: `${SITE}/category/news/releases/betas/`,
      parent: 3,
      _links: { up: [{ embeddable: true, href: `${SITE}/wp-json/wp/v2/categories/3` }] },
    });
    expect(await ids('categories?parent=2')).toEqual([3]);
    expect(await ids('categories?parent=0')).toEqual([2, 1]);
  });

  test('that are empty stay in a list without empty ones if some below them are not', async () => {
    expect(await ids('categories?hide_empty=true')).toEqual([4, 2, 3]);
  });

  test('take the slugs of those above them where theirs is taken', async () => {
    const slugOf = async (json: unknown) => (await send('categories', json)).json().slug;
    expect(await slugOf({ name: 'X', slug: 'news', parent: 3 })).toBe('news-releases');
    expect(await slugOf({ name: 'Y', slug: 'news', parent: 3 })).toBe('news-releases-news');
  });

  test('may have one name below different parents', async () => {
    const answer = await send('categories', { name: 'News', parent: 3 });
    expect(answer.statusCode).toBe(201);
    expect(answer.json().slug).toBe('news-releases');
  });

  test('come to lie below themselves by no change', async () => {
    expect((await send('categories/2', { parent: 4 })).json().parent).toBe(0);
    expect((await send('categories/2', { parent: 2 })).json().parent).toBe(0);
  });

  test.each([999, -1])('have no parent %i', async (parent) => {
    const answer = await send('categories', { name: 'X', parent });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'rest_term_invalid', message: 'Parent term does not exist.' });
  });

  test('leave their posts to the default category and what lies below them to the one above', async () => {
    await post(50, { categories: [3] });
    await post(51, { categories: [3, 4] });
    await remove('categories/3?force=true');
    const left = await ContentItemStore.find(testService).sort({ id: 1 });
    expect(left.map(({ categories }) => categories)).toEqual([[1], [4]]);
    expect((await get('categories/4')).json().parent).toBe(2);
    expect((await get('categories/1')).json().count).toBe(1);
  });

  test('always have the default one', async () => {
    const answer = await remove('categories/1?force=true', 'administrator');
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'rest_cannot_delete' });
  });

  test.each([
    ['anonymous', 401],
    ['contributor', 403],
    ['author', 403],
    ['editor', 201],
  ] as [Asker, number][])('are made by %s: %i', async (asker, status) => {
    expect((await send('categories', { name: 'N' }, asker)).statusCode).toBe(status);
  });

  test('are listed by page, whatever offset is given', async () => {
    expect(await ids('categories?offset=2&per_page=2')).toEqual([4, 2]);
  });
});

describe('tags', () => {
  test('have no parent', async () => {
    const answer = await send('tags', { name: 'x', parent: 1 });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'rest_taxonomy_not_hierarchical' });
  });

  test.each([
    ['anonymous', 401],
    ['subscriber', 403],
    ['contributor', 201],
    ['author', 201],
  ] as [Asker, number][])('are made by whoever writes posts; by %s: %i', async (asker, status) => {
    expect((await send('tags', { name: 'N' }, asker)).statusCode).toBe(status);
  });

  test('are listed from an offset, which overrides the page', async () => {
    for (const [id, name] of ['a', 'b', 'c', 'd'].entries()) await term('post_tag', 10 + id, name);
    expect(await ids('tags?offset=2&per_page=1&page=1')).toEqual([12]);
    expect(await ids('tags?offset=9')).toEqual([]);
  });
});

test('requests at the same moment make no two terms of one slug', async () => {
  const answers = await Promise.all([1, 2, 3].map((each) => send('tags', { name: `T${each}`, slug: 'same' })));
  expect(answers.map((answer) => answer.json().slug).sort()).toEqual(['same', 'same-2', 'same-3']);
});

describe('a site', () => {
  const setting = (default_category: number) => send('settings', { default_category }, 'administrator');
  const published = async (title: string) => (await send('posts', { title, status: 'publish' })).json();

  test('that is new has “Uncategorized” from its first start, and posts without a category are in it', async () => {
    await Promise.all([TermStore.deleteMany(testService), SequenceStore.deleteMany(testService)]);
    for (let starts = 0; starts < 2; starts += 1) await ensureDefaultCategory(testService);
    expect((await published('Loose')).categories).toEqual([1]);
    expect((await get('categories')).json()).toMatchObject([
      { id: 1, name: 'Uncategorized', slug: 'uncategorized', count: 1 },
    ]);
    expect((await send('categories', { name: 'First' })).json()).toMatchObject({ id: 2, count: 0 });
    expect((await remove('categories/1?force=true')).statusCode).toBe(403);
    expect((await remove('categories/2?force=true')).statusCode).toBe(200);
  });

  test('of an older version, where nothing has that place, gets it with the posts that name it', async () => {
    await Promise.all([TermStore.deleteMany(testService), SequenceStore.deleteMany(testService)]);
    await post(11, { categories: [1] });
    await ensureDefaultCategory(testService);
    expect((await get('categories')).json()).toMatchObject([{ id: 1, name: 'Uncategorized', count: 1 }]);
  });

  test('whose place is taken, or that has another default, keeps what it has', async () => {
    await TermStore.deleteMany(testService);
    await term('post_tag', 1, 'Taken');
    await ensureDefaultCategory(testService);
    expect(await ids('categories')).toEqual([]);
    expect((await published('Beside a tag')).categories).toEqual([]);
    await TermStore.deleteMany(testService);
    await setting(7);
    try {
      await ensureDefaultCategory(testService);
      expect(await ids('categories')).toEqual([]);
      expect((await published('Of an unknown default')).categories).toEqual([]);
      expect((await send('categories', { name: 'Next' })).json()).toMatchObject({ count: 0 });
    } finally {
      await setting(1);
    }
  });
});
