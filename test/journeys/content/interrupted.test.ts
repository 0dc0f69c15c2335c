import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { CommentStore } from '../../../content/models/comment.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { StampStore } from '../../../content/models/content-stamp.ts';
import { PendingChangeStore } from '../../../content/models/pending-change.ts';
import { continueAfter, SequenceStore } from '../../../content/models/sequence.ts';
import { TermStore } from '../../../content/models/term.ts';
import { completeChanges, publishDueItems } from '../../../content/items/pending/pending-changes.ts';

import { dieAfter } from '../../processes/die-after.ts';
import { useContentHost } from '../../hosts/content-host.ts';
import { resetContent } from '../../services/reset-content.ts';
import { runSize } from '../../services/run-size.ts';
import { testService } from '../../services/database.ts';

/** A change is killed after one in so many writes. */
const ONE_IN = runSize(6, 1);

const host = useContentHost();

beforeEach(async () => {
  await resetContent();
  await Promise.all([CommentStore.deleteMany(testService, {}), PendingChangeStore.deleteMany(testService, {})]);
  await continueAfter(testService, 'terms', 3);
  host.app.log.level = 'silent';
});
afterEach(() => {
  vi.restoreAllMocks();
});

const MODELS = [CommentStore, ContentItemStore, StampStore, PendingChangeStore, SequenceStore, TermStore];
const WRITES = ['create', 'updateOne', 'updateMany', 'deleteOne', 'deleteMany', 'findOneAndUpdate'];

const send = (method: string, path: string, json?: unknown) =>
  host.call('administrator', method, `/wp/v2/${path}`, json === undefined ? {} : { json });
const list = async (path: string) => {
  const answer = await send('GET', path);
  const items = answer.json<{ id: number; content: { raw: string } }[]>();
  return { items, total: Number(answer.headers['x-wp-total']) };
};

/** A post of category 2 and tag 3 that has been changed once, with a comment, and another. */
async function site(): Promise<number> {
  const post = { title: 'One', content: 'first', status: 'publish', categories: [2], tags: [3] };
  const { id } = (await send('POST', 'posts', { ...post, content: 'zeroth' })).json<{ id: number }>();
  await send('PUT', `posts/${id}`, { content: 'first' });
  await send('POST', 'posts', { ...post, title: 'Other' });
  await send('POST', 'comments', { post: id, content: 'Well said' });
  await lists();
  return id;
}

const lists = () => Promise.all(['posts?categories=2', 'posts?tags=3', 'posts?context=edit'].map(list));

const publishDue = () => publishDueItems(testService);

test.each<[string, (id: number) => Promise<unknown>]>([
  ['a post is published', () => send('POST', 'posts', { title: 'New', status: 'publish', categories: [2], tags: [3] })],
  [
    'a post is changed and leaves its terms',
    (id) => send('PUT', `posts/${id}`, { content: 'second', categories: [1], tags: [] }),
  ],
  ['a post is thrown away', (id) => send('DELETE', `posts/${id}`)],
  ['a post is deleted', (id) => send('DELETE', `posts/${id}?force=true`)],
  ['a scheduled post is published', publishDue],
])('when %s, a kill after any write leaves counts, totals, comments and revisions right', async (name, change) => {
  for (let writes = 0; ; writes += ONE_IN) {
    await resetContent();
    await CommentStore.deleteMany(testService, {});
    const id = await site();
    if (change === publishDue) await schedule(id);
    await demandAnew();
    const { isDead } = dieAfter(writes, MODELS, WRITES);
    await change(id).catch(() => undefined);
    const wasKilled = isDead();
    vi.restoreAllMocks();
    await demandAnew();
    await completeChanges(testService, new Date(Date.now() + 120_000));

    for (const [taxonomy, filter] of [
      ['categories/1', 'posts?categories=1'],
      ['categories/2', 'posts?categories=2'],
      ['tags/3', 'posts?tags=3'],
    ] as const) {
      const { items, total } = await list(filter);
      const { count } = (await send('GET', taxonomy)).json<{ count: number }>();
      expect([writes, filter, total, count]).toEqual([writes, filter, items.length, items.length]);
    }
    const post = await send('GET', `posts/${id}?context=edit`);
    if (post.statusCode === 200) {
      const { status, content } = post.json<{ status: string; content: { raw: string } }>();
      const revisions = await list(`posts/${id}/revisions?context=edit`);
      // A deletion that was cut short has begun with the revisions, and is repeated by whoever asked for it.
      if (!name.endsWith('deleted')) {
        const texts = revisions.items.map((revision) => revision.content.raw);
        expect([writes, texts.includes(content.raw), new Set(texts).size]).toEqual([writes, true, texts.length]);
      }
      const comments = await CommentStore.find(testService, { post: id });
      expect([writes, comments.map((comment) => comment.status === 'post-trashed')]).toEqual([
        writes,
        status === 'trash' ? [true] : comments.map(() => false),
      ]);
    }
    expect([writes, await PendingChangeStore.countDocuments(testService, {})]).toEqual([writes, 0]);
    expect([writes, (await StampStore.findOne(testService, {}))?.writers]).toEqual([writes, []]);
    await demandAnew();
    if (!wasKilled) break;
    expect(writes).toBeLessThan(60);
  }
});

/** Demands that visitors are answered as if nothing were kept; whoever sends a cookie is answered again. */
async function demandAnew(): Promise<void> {
  for (const path of ['posts', 'posts?categories=2', 'categories?hide_empty=true', 'tags', 'comments']) {
    const kept = await host.call('anonymous', 'GET', `/wp/v2/${path}`);
    const anew = await host.call('anonymous', 'GET', `/wp/v2/${path}`, { headers: { cookie: 'a=b' } });
    expect([path, kept.json()]).toEqual([path, anew.json()]);
  }
}

/** Has a post be due, and lists be as they were before. */
async function schedule(id: number): Promise<void> {
  await ContentItemStore.updateOne(
    testService,
    { id },
    { $set: { status: 'future', date_gmt: '2020-01-01T00:00:00' } },
  );
  await TermStore.driver(testService).updateMany({ id: { $in: [2, 3] } }, { $set: { count: 1 } });
  await lists();
}

test('a change that follows one whose process was killed keeps the revision of both', async () => {
  const id = await site();
  const real = ContentItemStore.create.bind(ContentItemStore);
  vi.spyOn(ContentItemStore, 'create').mockImplementationOnce(() => {
    throw new Error('killed');
  });
  expect((await send('PUT', `posts/${id}`, { content: 'second' })).statusCode).toBe(500);
  vi.spyOn(ContentItemStore, 'create').mockImplementation(real as never);
  expect((await send('PUT', `posts/${id}`, { content: 'third' })).statusCode).toBe(200);
  const { items } = await list(`posts/${id}/revisions?context=edit`);
  expect(items.map(({ content }) => content.raw)).toEqual(['third', 'second', 'first', 'zeroth']);
});

test('a write whose process was killed before the stamp was moved is seen by visitors right after', async () => {
  const id = await site();
  await demandAnew();
  const real = StampStore.updateOne.bind(StampStore);
  let stamps = 0;
  vi.spyOn(StampStore, 'updateOne').mockImplementation(((...args: Parameters<typeof real>) => {
    if (++stamps > 1) throw new Error('killed');
    return real(...args);
  }) as never);
  const note = PendingChangeStore.create.bind(PendingChangeStore);
  vi.spyOn(PendingChangeStore, 'create').mockImplementation((async (...args: Parameters<typeof note>) => {
    // A visitor asks just before the write.
    await demandAnew();
    return note(...args);
  }) as never);
  expect((await send('PUT', `posts/${id}`, { title: 'Written by the killed' })).statusCode).toBe(500);
  vi.restoreAllMocks();
  const seen = await host.call('anonymous', 'GET', '/wp/v2/posts');
  expect(seen.body).toContain('Written by the killed');
  await demandAnew();
  await completeChanges(testService, new Date(Date.now() + 120_000));
  expect((await StampStore.findOne(testService, {}))?.writers).toEqual([]);
  await demandAnew();
});

test('what others have under way is left to them', async () => {
  const id = await site();
  await PendingChangeStore.create(testService, {
    item: id,
    terms: [2],
    revision: null,
    by: 'elsewhere|1|a|b',
    started: new Date(),
  });
  await completeChanges(testService);
  expect(await PendingChangeStore.countDocuments(testService, {})).toBe(1);
});
