import { beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { CommentStore } from '../../../content/models/comment.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const dates = { date: '2024-03-01T10:00:00', date_gmt: '2024-03-01T10:00:00' };
const stamps = { ...dates, modified: dates.date, modified_gmt: dates.date };
const AUTHOR = 3;

function post(id: number, more: object) {
  return {
    ...stamps,
    id,
    status: 'publish',
    slug: `p${id}`,
    title: { raw: 'P' },
    author: AUTHOR,
    comment_status: 'open',
    ...more,
  };
}

beforeAll(async () => {
  const posts = [
    post(10, {}),
    post(11, { comment_status: 'closed' }),
    post(12, { status: 'draft' }),
    post(13, { password: 'sesame' }),
    post(14, { status: 'private', author: 2 }),
  ];
  await importContent(testService, { posts }, { replace: false, siteUrl: SITE });
});

beforeEach(async () => {
  await CommentStore.deleteMany(testService, {});
  const comment = (id: number, more: object) => ({ ...dates, id, post: 10, content: { raw: `No. ${id}` }, ...more });
  const comments = [
    comment(1, { author_name: 'Ann', author_email: 'ann@people.example' }),
    comment(2, { parent: 1 }),
    comment(3, { parent: 2, status: 'hold' }),
    comment(4, { post: 13 }),
    comment(5, { post: 14 }),
    comment(6, { status: 'spam', status_before: 'hold' }),
  ];
  await importContent(testService, { comments }, { replace: false, siteUrl: SITE });
});

async function json(asker: Asker, method: string, path: string, body?: unknown) {
  const answer = await host.call(asker, method, path, body === undefined ? {} : { json: body });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const idsOf = (comments: readonly { readonly id: number }[]) => comments.map(({ id }) => id).sort();

/** Names that every JavaScript object knows. */
const INHERITED = ['constructor', 'tostring', 'hasownproperty', 'valueof', '__proto__'];

describe.each(INHERITED)('a status or type named %s is any other unknown name', (name) => {
  test('in a list', async () => {
    const { status, body } = await json('administrator', 'GET', `/wp/v2/comments?status=${name}`);
    expect([status, body]).toEqual([200, []]);
    const ofType = await json('administrator', 'GET', `/wp/v2/comments?type=${name}`);
    expect([ofType.status, ofType.body]).toEqual([200, []]);
  });

  test('in a change', async () => {
    const { status, body } = await json('administrator', 'PUT', '/wp/v2/comments/1', { status: name });
    expect([status, body]).toMatchObject([200, { status: 'approved' }]);
  });
});

describe('a list of comments', () => {
  test('is paged before permissions are looked at', async () => {
    const { headers, body } = await json('anonymous', 'GET', '/wp/v2/comments');
    expect([headers['x-wp-total'], idsOf(body)]).toEqual(['4', [1, 2]]);
  });

  test('opens comments on a protected post with its password, where it is about that post alone', async () => {
    expect((await json('anonymous', 'GET', '/wp/v2/comments?post=13')).body.code).toBe('rest_cannot_read_post');
    expect(idsOf((await json('anonymous', 'GET', '/wp/v2/comments?post=13&password=sesame')).body)).toEqual([4]);
    expect((await json('anonymous', 'GET', '/wp/v2/comments?post=10,13&password=sesame')).status).toBe(401);
  });

  test('lets strangers ask for nobody', async () => {
    const { status, headers, body } = await json('anonymous', 'GET', '/wp/v2/comments?author_email=0');
    expect([status, headers.allow, body.code]).toEqual([400, 'GET', 'rest_invalid_param']);
  });

  test.each([
    ['author_email=ann@people.example', 'author_email'],
    ['status=hold', 'status'],
    ['type=all', 'type'],
    ['author=1&status=spam', 'author, status'],
  ])('refuses strangers ?%s', async (query, names) => {
    const { status, body } = await json('anonymous', 'GET', `/wp/v2/comments?${query}`);
    expect([status, body.message]).toEqual([401, `Query parameter not permitted: ${names}`]);
  });

  test('shows what waits for approval to whoever may edit the post', async () => {
    expect(idsOf((await json('author', 'GET', '/wp/v2/comments?status=hold')).body)).toEqual([3]);
    expect(idsOf((await json('contributor', 'GET', '/wp/v2/comments?status=hold')).body)).toEqual([]);
  });
});

describe('a new comment', () => {
  test('is in the name of whoever writes it, and is shown to its author without addresses', async () => {
    const { status, body } = await json('subscriber', 'POST', '/wp/v2/comments', { post: 10, content: 'Hello' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ author: 5, author_name: 'subscriber', status: 'approved', parent: 0 });
    expect(body).not.toHaveProperty('author_email');
  });

  test('answers another one', async () => {
    const { body } = await json('editor', 'POST', '/wp/v2/comments', { post: 10, parent: 1, content: 'Answer' });
    expect(body._links['in-reply-to'][0].href).toBe(`${SITE}/wp-json/wp/v2/comments/1`);
  });

  test('cannot be repeated, nor follow another immediately', async () => {
    await json('subscriber', 'POST', '/wp/v2/comments', { post: 10, content: 'Once' });
    const again = await json('subscriber', 'POST', '/wp/v2/comments', { post: 10, content: 'Once' });
    expect([again.status, again.body.code]).toEqual([409, 'comment_duplicate']);
    const next = await json('subscriber', 'POST', '/wp/v2/comments', { post: 10, content: 'Twice' });
    expect([next.status, next.body.code]).toEqual([400, 'comment_flood']);
    expect((await json('editor', 'POST', '/wp/v2/comments', { post: 10, content: 'One' })).status).toBe(201);
    expect((await json('editor', 'POST', '/wp/v2/comments', { post: 10, content: 'Two' })).status).toBe(201);
  });

  test('with two links waits for approval, but for the author of the post', async () => {
    const content = 'http://one.example http://two.example';
    expect((await json('subscriber', 'POST', '/wp/v2/comments', { post: 10, content })).body.status).toBe('hold');
    expect((await json('author', 'POST', '/wp/v2/comments', { post: 10, content })).body.status).toBe('approved');
  });

  test('is sanitised, unless its writer may publish any HTML', async () => {
    const content = '<b>Hi</b><script>x</script>';
    await json('author', 'POST', '/wp/v2/comments', { post: 10, content });
    await json('editor', 'POST', '/wp/v2/comments', { post: 10, content });
    const stored = await CommentStore.find(testService, { id: { $gt: 6 } }).sort({ id: 1 });
    expect(stored.map((comment) => comment.content)).toEqual(['<b>Hi</b>x', content]);
  });

  test.each([
    ['anonymous', { post: 10, content: 'x' }, 401, 'rest_comment_login_required'],
    ['subscriber', { content: 'x' }, 403, 'rest_comment_invalid_post_id'],
    ['subscriber', { post: 10 }, 400, 'rest_comment_content_invalid'],
    ['subscriber', { post: 11, content: 'x' }, 403, 'rest_comment_closed'],
    ['administrator', { post: 12, content: 'x' }, 403, 'rest_comment_draft_post'],
    ['subscriber', { post: 14, content: 'x' }, 403, 'rest_cannot_read_post'],
    ['subscriber', { post: 10, content: 'x', author: 1 }, 403, 'rest_comment_invalid_author'],
    ['subscriber', { post: 10, content: 'x', status: 'approve' }, 403, 'rest_comment_invalid_status'],
    ['editor', { post: 10, content: 'x', author: 99 }, 400, 'rest_comment_author_invalid'],
    ['editor', { post: 10, content: 'x', author_name: 'No address' }, 400, 'rest_comment_author_data_required'],
    ['editor', { post: 10, content: 'x', author_email: 'bad' }, 400, 'rest_invalid_param'],
    [
      'editor',
      { post: 10, content: 'x', author_name: 'n'.repeat(246), author_email: 'a@b.example' },
      400,
      'comment_author_column_length',
    ],
    ['editor', { post: 10, content: 'x', type: 'pingback' }, 400, 'rest_invalid_comment_type'],
    ['editor', { post: 10, content: 'x', type: ['comment'] }, 400, 'rest_invalid_comment_type'],
    [
      'editor',
      { post: 10, content: 'x', author_name: '0', author_email: 'a@b.example' },
      400,
      'rest_comment_author_data_required',
    ],
  ] as const)('by %s as %j is refused', async (asker, comment, status, code) => {
    expect(await json(asker, 'POST', '/wp/v2/comments', comment)).toMatchObject({ status, body: { code } });
  });
});

test.each([
  ['type', { type: '0' }, { type: 'comment' }],
  ['name of a writer', { author_name: '0' }, { author_name: 'editor' }],
  ['program', { author_user_agent: '0' }, { author_user_agent: 'lightMyRequest' }],
])('what PHP takes for false is no %s of a comment', async (_, change, expected) => {
  const { body } = await json('editor', 'POST', '/wp/v2/comments', { post: 10, content: 'Zero', ...change });
  expect(body).toMatchObject(expected);
});

test('a comment below a number that no comment has is below none', async () => {
  const comment = { post: 10, parent: -1, content: 'Negative' };
  expect((await json('editor', 'POST', '/wp/v2/comments', comment)).body.parent).toBe(0);
  expect((await json('editor', 'POST', '/wp/v2/comments/2', { parent: -1 })).body.parent).toBe(0);
});

test.each([
  ['a published post', 10, `${SITE}/2024/03/01/p10/#comment-2`],
  ['a draft', 12, `${SITE}/?p=12/#comment-2`],
  ['no post', 0, '/#comment-2'],
])('the address of a comment on %s ends in a slash before its number', async (_, post, link) => {
  await CommentStore.updateOne(testService, { id: 2 }, { $set: { post } });
  expect((await json('administrator', 'GET', '/wp/v2/comments/2')).body.link).toBe(link);
});

test('a comment of the year 0 is of the day before it', async () => {
  const path = '/wp/v2/comments/2';
  const { body } = await json('editor', 'POST', path, { date: '0000-00-00T00:00:00' });
  expect([body.date, body.date_gmt]).toEqual(['-0001-11-30T00:00:00', '-0001-11-30T00:00:00']);
  expect((await json('editor', 'POST', path, { content: 'Still there' })).body.date).toBe('-0001-11-30T00:00:00');
});

test.each([
  ['01', 'approved'],
  ['1.0', 'hold'],
  ['-0', 'hold'],
])('the status %s of a comment that waits makes it %s', async (status, becomes) => {
  const { body } = await json('administrator', 'PUT', '/wp/v2/comments/3', { status });
  expect(body.status).toBe(becomes);
});

test.each([
  ['without a post', { content: 'x' }, 'GET'],
  ['whose post is nothing', { content: 'x', post: null }, 'GET'],
  ['with a faulty address', { content: 'x', post: 10, author_email: {} }, 'GET, POST'],
])('of a comment %s, the list may still be read', async (_, body, allow) => {
  expect((await json('author', 'POST', '/wp/v2/comments', body)).headers.allow).toBe(allow);
});

test('a list of comments on nothing is one that may be read', async () => {
  const { status, headers } = await json('contributor', 'GET', '/wp/v2/comments?status=hold&post[]=');
  expect([status, headers.allow]).toEqual([400, 'GET']);
});

test('null takes the name of a comment away, and its post', async () => {
  const change = { author_name: null, author_url: null, author_email: null, post: null };
  const { body } = await json('administrator', 'PUT', '/wp/v2/comments/1', change);
  expect(body).toMatchObject({ author_name: '', author_url: '', author_email: '', post: 0 });
});

describe('a comment that is there', () => {
  test('is changed by moderators alone', async () => {
    const { body } = await json('editor', 'PUT', '/wp/v2/comments/1', { content: { raw: 'New' }, status: 'hold' });
    expect(body).toMatchObject({ content: { raw: 'New' }, status: 'hold', author_email: 'ann@people.example' });
    expect((await json('author', 'PUT', '/wp/v2/comments/1', { content: 'x' })).body.code).toBe('rest_cannot_edit');
  });

  test('becomes again what it was before it was put away', async () => {
    expect((await json('editor', 'PUT', '/wp/v2/comments/6', { status: 'unspam' })).body.status).toBe('hold');
    expect((await json('editor', 'DELETE', '/wp/v2/comments/1')).body.status).toBe('trash');
    expect((await json('editor', 'DELETE', '/wp/v2/comments/1')).body.code).toBe('rest_already_trashed');
    expect((await json('editor', 'PUT', '/wp/v2/comments/1', { status: 'untrash' })).body.status).toBe('approved');
  });

  test('leaves its answers to the one above it when it is deleted', async () => {
    const { body } = await json('editor', 'DELETE', '/wp/v2/comments/2?force=true');
    expect(body).toMatchObject({ deleted: true, previous: { id: 2 } });
    expect(await CommentStore.findOne(testService, { id: 3 })).toMatchObject({ parent: 1 });
  });
});
