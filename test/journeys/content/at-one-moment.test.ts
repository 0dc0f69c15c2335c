import sharp from 'sharp';
import { beforeEach, describe, expect, test } from 'vitest';

import { CommentStore, floodKeysOf } from '../../../content/models/comment.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { continueAfter } from '../../../content/models/sequence.ts';
import { TermStore } from '../../../content/models/term.ts';
import { UploadStore } from '../../../content/models/upload.ts';
import { filesOf } from '../../../content/media/files/take-upload.ts';

import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { resetContent } from '../../services/reset-content.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

beforeEach(async () => {
  await resetContent();
  await CommentStore.deleteMany(testService, {});
  await continueAfter(testService, 'terms', 3);
});

/** Fields of an answer that these tests look at. */
interface Answered {
  readonly id: number;
  readonly slug: string;
  readonly link: string;
  readonly status: string;
  readonly code?: string;
  readonly data?: { readonly term_id?: number };
}

const send = (path: string, json: unknown, asker: Asker = 'administrator') =>
  host.call(asker, 'POST', `/wp/v2/${path}`, { json });
const remove = (path: string) => host.call('administrator', 'DELETE', `/wp/v2/${path}`);
const made = async (path: string, json: unknown) => (await send(path, json)).json<Answered>();
const shown = async (path: string) =>
  (await host.call('administrator', 'GET', `/wp/v2/${path}`)).json<Record<string, unknown>>();

/** Sends so many requests at one moment; what they are answered, each as its status and code, sorted. */
async function atOnce(count: number, request: (at: number) => ReturnType<typeof send>): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, at) => request(at)));
  return answers.map((answer) => `${answer.statusCode} ${answer.json<Answered>().code ?? ''}`.trim()).toSorted();
}

/** One answer of the first kind, all others of the second. */
const oneOf = (count: number, first: string, others: string) => [first, ...Array(count - 1).fill(others)].toSorted();

describe('changes of a post by several people', () => {
  test('each change what they name, and nothing else', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await made('posts', { title: 'Old', content: 'Old', status: 'publish' });
      const answers = await atOnce(5, (at) =>
        at === 0
          ? send(`posts/${id}`, { content: 'New words' }, 'editor')
          : send(`posts/${id}`, [{ sticky: true }, { categories: [2] }, { title: 'New' }, { tags: [3] }][at - 1]),
      );
      expect(answers).toEqual(Array(5).fill('200'));
      expect(await shown(`posts/${id}?context=edit`)).toMatchObject({
        title: { raw: 'New' },
        content: { raw: 'New words' },
        sticky: true,
        categories: [2],
        tags: [3],
      });
    }
  });

  test('leave one revision for each change of its texts, the last one being what it is', async () => {
    const { id } = await made('posts', { title: 'First', content: 'First', status: 'publish' });
    await send(`posts/${id}`, { title: '1' });
    await atOnce(12, (at) =>
      send(
        `posts/${id}`,
        [{ title: `${at}!` }, { content: `${at}!` }, { comment_status: at % 2 ? 'open' : 'closed' }][at % 3],
      ),
    );
    const texts = (await ContentItemStore.find(testService, { type: 'revision', parent: id }).sort({ id: 1 })).map(
      ({ title, content }) => `${title}|${content}`,
    );
    const post = await ContentItemStore.findOne(testService, { id });
    // The first text, and one for each change.
    expect(texts).toHaveLength(2 + 8);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.at(-1)).toBe(`${post?.title}|${post?.content}`);
  });

  test('leave one revision where none of them changes its texts', async () => {
    const { id } = await made('posts', { title: 'Same', status: 'publish' });
    await atOnce(6, (at) => send(`posts/${id}`, [{ sticky: true }, { tags: [3] }][at % 2]));
    expect(await ContentItemStore.countDocuments(testService, { type: 'revision', parent: id })).toBe(1);
  });

  test('count in each of its terms, whatever comes and goes at one moment', async () => {
    const posts = await Promise.all(
      Array.from({ length: 8 }, (_, at) => made('posts', { title: `Post ${at}`, status: 'publish', tags: [3] })),
    );
    await atOnce(8, (at) => send(`posts/${posts[at]?.id}`, at % 2 ? { tags: [] } : { categories: [2] }));
    expect([await shown('tags/3'), await shown('categories/2'), await shown('categories/1')]).toMatchObject([
      { count: 4 },
      { count: 4 },
      { count: 4 },
    ]);
  });

  test('into the trash and out of it leave its comments where the post is', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { id } = await made('posts', { title: 'To and fro', status: 'publish' });
      await made('comments', { post: id, content: 'Fine' });
      await Promise.all([
        remove(`posts/${id}`),
        send(`posts/${id}`, { status: 'publish' }),
        send(`posts/${id}`, { status: 'draft' }),
        remove(`posts/${id}`),
      ]);
      const post = await ContentItemStore.findOne(testService, { id });
      const comment = await CommentStore.findOne(testService, { post: id });
      expect(comment?.status).toBe(post?.status === 'trash' ? 'post-trashed' : 'approved');
    }
  });
});

describe('changes at one moment of', () => {
  test('a comment each change what they name', async () => {
    const { id: post } = await made('posts', { title: 'Talked of', status: 'publish' });
    const { id } = await made('comments', { post, content: 'Old' });
    await atOnce(3, (at) =>
      send(`comments/${id}`, [{ content: 'New' }, { author_name: 'Ada' }, { status: 'hold' }][at]),
    );
    expect(await shown(`comments/${id}?context=edit`)).toMatchObject({
      content: { raw: 'New' },
      author_name: 'Ada',
      status: 'hold',
    });
  });

  test('a category each change what they name', async () => {
    await atOnce(3, (at) =>
      send('categories/2', [{ name: 'Tidings' }, { description: 'What is new' }, { parent: 1 }][at]),
    );
    expect(await shown('categories/2')).toMatchObject({ name: 'Tidings', description: 'What is new', parent: 1 });
  });

  test('a user each change what they name', async () => {
    const { id } = await made('users', { username: 'ada', email: 'ada@example.com', password: 'secret words' });
    await atOnce(4, (at) =>
      send(
        `users/${id}`,
        [{ first_name: 'Ada' }, { url: 'https://ada.example' }, { description: 'Counts' }, { roles: ['author'] }][at],
      ),
    );
    expect(await shown(`users/${id}?context=edit`)).toMatchObject({
      first_name: 'Ada',
      url: 'https://ada.example',
      description: 'Counts',
      roles: ['author'],
    });
  });

  test('the settings each change what they name', async () => {
    await atOnce(3, (at) =>
      send('settings', [{ title: 'A site' }, { description: 'Of trips' }, { posts_per_page: 7 }][at]),
    );
    expect(await shown('settings')).toMatchObject({ title: 'A site', description: 'Of trips', posts_per_page: 7 });
  });
});

describe('of things made at one moment', () => {
  const slugsOf = (count: number, base: string) =>
    Array.from({ length: count }, (_, at) => (at === 0 ? base : `${base}-${at + 1}`)).toSorted();

  test('30 posts of one title have 30 permalinks', async () => {
    const posts = await Promise.all(
      Array.from({ length: 30 }, () => made('posts', { title: 'Same', status: 'publish' })),
    );
    expect(posts.map(({ slug }) => slug).toSorted()).toEqual(slugsOf(30, 'same'));
    expect(new Set(posts.map(({ link }) => link)).size).toBe(30);
  });

  test('10 drafts of one slug share it until they are published', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 10 }, () => made('posts', { title: 'Draft', slug: 'draft' })),
    );
    expect(new Set(drafts.map(({ slug }) => slug))).toEqual(new Set(['draft']));
    const posts = await Promise.all(drafts.map(({ id }) => made(`posts/${id}`, { status: 'publish' })));
    expect(new Set(posts.map(({ slug }) => slug)).size).toBe(10);
  });

  test('pages share a slug below different pages, and not below the same one', async () => {
    const parents = [
      await made('pages', { title: 'One', status: 'publish' }),
      await made('pages', { title: 'Two', status: 'publish' }),
    ];
    const pages = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        made('pages', { title: 'Team', status: 'publish', parent: parents[at % 2]?.id }),
      ),
    );
    for (const half of [0, 1]) {
      const slugs = pages.filter((_, at) => at % 2 === half).map(({ slug }) => slug);
      expect(slugs.toSorted()).toEqual(slugsOf(5, 'team'));
    }
  });

  test('pages that move up from below a deleted one get slugs that are free there', async () => {
    const { id: top } = await made('pages', { title: 'Top', status: 'publish' });
    const below = await made('pages', { title: 'Team', status: 'publish', parent: top });
    const beside = await made('pages', { title: 'Team', status: 'publish' });
    expect([below.slug, beside.slug]).toEqual(['team', 'team']);
    expect((await remove(`pages/${top}?force=true`)).statusCode).toBe(200);
    expect(await shown(`pages/${below.id}`)).toMatchObject({ parent: 0, slug: 'team-2', link: `${SITE}/team-2/` });
  });

  test('attachments and a page of one name have each their own', async () => {
    const upload = () =>
      host.call('administrator', 'POST', '/wp/v2/media', {
        headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="notes.txt"' },
        bytes: Buffer.from('Notes'),
      });
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, upload),
      send('pages', { title: 'Notes', status: 'publish' }),
    ]);
    const slugs = answers.map((answer) => answer.json<Answered>().slug);
    expect(new Set(slugs).size).toBe(6);
    const files = (await ContentItemStore.find(testService, { type: 'attachment' })).map(({ file }) => file);
    expect(new Set(files).size).toBe(5);
  });

  test('images whose copies would have the names of other files have different names', async () => {
    const background = { r: 40, g: 90, b: 160 };
    const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background } })
      .png()
      .toBuffer();
    const names = ['photo.png', 'photo-300x225.png', 'photo.png', 'photo-300x225.png'];
    await Promise.all(
      names.map((name) =>
        host.call('administrator', 'POST', '/wp/v2/media', {
          headers: { 'content-type': 'image/png', 'content-disposition': `attachment; filename="${name}"` },
          bytes: photo,
        }),
      ),
    );
    const media = await ContentItemStore.find(testService, { type: 'attachment' });
    const files = media.flatMap(({ file, media_details }) => filesOf(file, media_details));
    expect(media).toHaveLength(4);
    expect(new Set(files).size).toBe(files.length);
    const stored = (await UploadStore.find(testService, { path: /\/photo/ })).map(({ path }) => path);
    expect(stored.toSorted()).toEqual(files.toSorted());
  });

  test('20 equal tags are one, and the other requests are answered with it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('tags', { name: 'Alpha' })));
    const [first, ...others] = answers.toSorted((one, other) => one.statusCode - other.statusCode);
    expect(first?.statusCode).toBe(201);
    const id = first?.json<Answered>().id;
    for (const other of others) {
      expect(other.json()).toMatchObject({ code: 'term_exists', data: { status: 409, term_id: id } });
    }
    expect(await TermStore.countDocuments(testService, { name: 'Alpha' })).toBe(1);
  });

  test('categories of one name are one below each category', async () => {
    const answers = await atOnce(12, (at) => send('categories', { name: 'Trips', parent: (at % 2) + 1 }));
    expect(answers).toEqual([...Array(2).fill('201'), ...Array(10).fill('409 term_exists')]);
  });

  test('a name that a tag had may be given again', async () => {
    const { id } = await made('tags', { name: 'Alpha' });
    await send(`tags/${id}`, { name: 'Beta of old' });
    expect((await send('tags', { name: 'Alpha' })).statusCode).toBe(201);
    const { id: last } = await made('tags', { name: 'Gamma' });
    await remove(`tags/${last}?force=true`);
    expect((await send('tags', { name: 'Gamma' })).statusCode).toBe(201);
  });

  test('10 different comments of somebody who does not moderate are one, and those of a moderator ten', async () => {
    const { id: post } = await made('posts', { title: 'Flooded', status: 'publish' });
    for (let round = 0; round < 3; round += 1) {
      await CommentStore.deleteMany(testService, {});
      const say = (asker: Asker) => (at: number) => send('comments', { post, content: `${round} ${at}` }, asker);
      expect(await atOnce(10, say('subscriber'))).toEqual(oneOf(10, '201', '400 comment_flood'));
      await CommentStore.deleteMany(testService, {});
      expect(await atOnce(10, say('editor'))).toEqual(Array(10).fill('201'));
    }
  });

  test('comments share a key where less than 7.5 seconds lie between them, and none where 15 do', () => {
    const keys = (second: number) => {
      const date_gmt = new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString().slice(0, 19);
      return floodKeysOf('user 5', { author_email: 'a@example.com', date_gmt });
    };
    for (let first = 0; first < 60; first += 1) {
      const shared = (distance: number) => keys(first).filter((key) => keys(first + distance).includes(key)).length;
      for (let distance = 0; distance < 8; distance += 1) expect(shared(distance)).toBeGreaterThan(0);
      for (let distance = 15; distance < 40; distance += 1) expect(shared(distance)).toBe(0);
    }
  });

  test('10 equal comments are one', async () => {
    const { id: post } = await made('posts', { title: 'Talked of', status: 'publish' });
    const answers = await atOnce(10, () => send('comments', { post, content: 'I say <b>this</b>' }));
    expect(answers).toEqual(oneOf(10, '201', '409 comment_duplicate'));
    expect(await CommentStore.countDocuments(testService, { post })).toBe(1);
  });

  test('what was said may be said again once it is in the trash, deleted or changed', async () => {
    const { id: post } = await made('posts', { title: 'Talked of', status: 'publish' });
    for (const undo of [
      (id: number) => remove(`comments/${id}`),
      (id: number) => remove(`comments/${id}?force=true`),
      (id: number) => send(`comments/${id}`, { content: `Changed ${id}` }),
    ]) {
      const { id } = await made('comments', { post, content: 'Again' });
      expect((await send('comments', { post, content: 'Again' })).json()).toMatchObject({ code: 'comment_duplicate' });
      await undo(id);
    }
    expect((await send('comments', { post, content: 'Again' })).statusCode).toBe(201);
  });

  test('6 users of one name or one address are one, and 6 of one slug have each their own', async () => {
    const user = (username: string, email: string, more = {}) =>
      send('users', { username, email, password: 'secret words', ...more });
    expect(await atOnce(6, (at) => user('grace', `grace${at}@example.com`))).toEqual(
      oneOf(6, '201', '500 existing_user_login'),
    );
    expect(await atOnce(6, (at) => user(`hopper${at}`, 'hopper@example.com'))).toEqual(
      oneOf(6, '201', '500 existing_user_email'),
    );
    expect(await atOnce(6, (at) => user(`ann${at}`, `ann${at}@example.com`, { slug: 'ann' }))).toEqual(
      Array(6).fill('201'),
    );
  });
});

describe('of 10 requests at one moment, one', () => {
  test('deletes a post', async () => {
    const { id } = await made('posts', { title: 'Gone', status: 'publish' });
    expect(await atOnce(10, () => remove(`posts/${id}?force=true`))).toEqual(
      oneOf(10, '200', '404 rest_post_invalid_id'),
    );
  });

  test('throws a post away', async () => {
    const { id } = await made('posts', { title: 'Away', status: 'publish' });
    expect(await atOnce(10, () => remove(`posts/${id}`))).toEqual(oneOf(10, '200', '410 rest_already_trashed'));
    expect(await shown(`posts/${id}?context=edit`)).toMatchObject({ status: 'trash', slug: 'away__trashed' });
    expect((await made(`posts/${id}`, { status: 'publish' })).slug).toBe('away');
  });

  test('deletes a term', async () => {
    expect(await atOnce(10, () => remove('tags/3?force=true'))).toEqual(oneOf(10, '200', '404 rest_term_invalid'));
  });

  test('deletes a comment, or puts it into the trash', async () => {
    const { id: post } = await made('posts', { title: 'Talked of', status: 'publish' });
    const { id } = await made('comments', { post, content: 'Gone' });
    expect(await atOnce(10, () => remove(`comments/${id}`))).toEqual(oneOf(10, '200', '410 rest_already_trashed'));
    expect(await atOnce(10, () => remove(`comments/${id}?force=true`))).toEqual(
      oneOf(10, '200', '404 rest_comment_invalid_id'),
    );
  });

  test('deletes a revision', async () => {
    const { id } = await made('posts', { title: 'One', status: 'publish' });
    await send(`posts/${id}`, { title: 'Two' });
    const [revision] = await ContentItemStore.find(testService, { type: 'revision', parent: id });
    expect(await atOnce(10, () => remove(`posts/${id}/revisions/${revision?.id}?force=true`))).toEqual(
      oneOf(10, '200', '404 rest_post_invalid_id'),
    );
    await send(`posts/${id}`, { sticky: true });
    expect(await ContentItemStore.countDocuments(testService, { type: 'revision', parent: id })).toBe(1);
  });

  test('deletes a user, and what the user wrote goes to the trash once', async () => {
    const { id } = await made('users', { username: 'leaver', email: 'leaver@example.com', password: 'secret words' });
    const { id: post } = await made('posts', { title: 'Left', status: 'publish', author: id });
    expect(await atOnce(10, () => remove(`users/${id}?force=true&reassign=false`))).toEqual(
      oneOf(10, '200', '404 rest_user_invalid_id'),
    );
    expect(await shown(`posts/${post}?context=edit`)).toMatchObject({ status: 'trash' });
  });
});
