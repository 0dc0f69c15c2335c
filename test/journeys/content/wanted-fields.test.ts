import { beforeAll, expect, test } from 'vitest';

import { CommentStore } from '../../../content/models/comment.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { type Asker, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

type Shown = Readonly<Record<string, unknown>>;

const DATE = '2024-02-03T10:00:00';
const DATES = { date: DATE, date_gmt: DATE, modified: DATE, modified_gmt: DATE };

beforeAll(async () => {
  const send = async (path: string, json: object) => {
    const answer = await host.call('administrator', 'POST', `/wp/v2/${path}`, { json });
    expect(answer.statusCode).toBeLessThan(300);
    return answer.json().id as number;
  };
  const [news, tag] = [await send('categories', { name: 'News' }), await send('tags', { name: 'Beta' })];
  const text = { title: 'It\'s "one"', content: 'A --- text :-)', status: 'publish' };
  const post = await send('posts', { ...text, categories: [news], tags: [tag] });
  await send(`posts/${post}`, { content: 'Another\n\n[gallery]', excerpt: 'Short' });
  await send('posts', { ...text, password: 'secret' });
  await send('posts', { title: 'A draft without a date', content: text.content });
  const page = await send('pages', text);
  await send('pages', { ...text, title: 'Below', parent: page });
  await ContentItemStore.create(testService, {
    ...{ id: 900, type: 'attachment', status: 'inherit', ...DATES, parent: post, slug: 'photo', title: 'Photo' },
    ...{ content: 'About it', mime_type: 'image/png', file: '2024/02/photo.png', author: 1 },
    media_details: { width: 40, height: 30 },
  });
  await CommentStore.create(testService, {
    ...{ id: 900, post, date: DATE, date_gmt: DATE, status: 'approved', content: 'Well "said"', author_name: 'Reader' },
  });
});

/** The fields that are asked for by themselves, of each list as a caller sees it. */
test.each<[Asker, string]>([
  ['anonymous', 'posts'],
  ['anonymous', 'pages'],
  ['anonymous', 'media'],
  ['anonymous', 'categories'],
  ['anonymous', 'comments'],
  ['anonymous', 'users'],
  ['anonymous', 'posts?context=embed'],
  ['administrator', 'posts?context=edit&status=publish,draft'],
])('to %s, %s shows each wanted field as it shows all of them', async (asker, path) => {
  const get = async (query: string) => {
    const answer = await host.call(asker, 'GET', `/wp/v2/${path}${path.includes('?') ? '&' : '?'}${query}`);
    expect(answer.statusCode).toBe(200);
    return answer.json() as readonly Shown[];
  };
  const whole = await get('x');
  expect(whole.length).toBeGreaterThan(0);
  for (const name of Object.keys(whole[0] ?? {})) {
    expect([name, await get(`_fields=${name}`)]).toEqual([name, whole.map((item) => ({ [name]: item[name] }))]);
  }
  expect(await get('_fields=none')).toEqual(whole.map(() => []));
});

test('one object has its links, whatever is wanted of it', async () => {
  const [{ id, slug, _links } = {}] = (await host.call('anonymous', 'GET', '/wp/v2/posts')).json() as Shown[];
  const answer = await host.call('anonymous', 'GET', `/wp/v2/posts/${String(id)}?_fields=slug`);
  expect(answer.json()).toEqual({ slug, _links });
});
