import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { CommentStore } from '../../../content/models/comment.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { readStamp } from '../../../content/models/content-stamp.ts';
import { SignInAttemptStore } from '../../../models/sign-in/sign-in-attempt.ts';
import { useDatabase, testService } from '../../services/database.ts';

import { openSite, SITE, visitorOf } from './site-world.ts';

useDatabase();

const LOCKED = '/2024/04/04/locked/';
const FIRST = '/2024/03/01/first/';
const SECRET = 'The zebra is secret';

let app: FastifyInstance;
let ask: ReturnType<typeof visitorOf>;

beforeAll(async () => {
  app = await openSite();
  ask = visitorOf(app);
});
beforeEach(() => CommentStore.deleteMany(testService, { author_name: { $in: ['Ada', 'Eve'] } }));
afterAll(() => app.close());

const send = (path: string, fields: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
  ask(path, {
    method: 'POST',
    payload: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: SITE, ...headers },
  });

/** Address and hidden fields of the form on a page. */
function formIn(page: string): { readonly action: string; readonly fields: Record<string, string> } {
  const [form = '', action = ''] = /<form class="form[^>]*action="([^"]*)"[\s\S]*?<\/form>/.exec(page) ?? [];
  const hidden = [...form.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  return { action, fields: Object.fromEntries(hidden.map(([, name, value]) => [name, value])) };
}

const open = async (password: string, headers = {}) => {
  const { action, fields } = formIn((await ask(LOCKED)).body);
  return send(action, { ...fields, post_password: password }, headers);
};
const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['set-cookie']).split(';')[0] ?? '';

describe('a post with a password', () => {
  test('asks for it, and shows its text to the browser that gave it', async () => {
    const opened = await open('sesame');
    expect(opened.statusCode).toBe(303);
    expect(opened.headers.location).toBe(SITE + LOCKED);
    expect(opened.headers['set-cookie']).toMatch(
      /^__Host-waybridge_post_23=[\w-]{43}; Path=\/; Max-Age=864000; Secure; HttpOnly; SameSite=Lax$/,
    );
    const page = await ask(LOCKED, { headers: { cookie: cookieOf(opened) } });
    expect(page.body).toContain(SECRET);
    expect(page.body).toContain('Remark of Insider');
    expect((await ask(LOCKED)).body).not.toContain(SECRET);
  });

  test('is stored by nobody, open or not', async () => {
    const opened = await open('sesame');
    const answers = [opened, await open('wrong'), await ask(LOCKED)];
    answers.push(await ask(LOCKED, { headers: { cookie: cookieOf(opened) } }));
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store');
      expect(headers).not.toHaveProperty('etag');
    }
  });

  test('says that a password is wrong, without a cookie', async () => {
    const answer = await open('wrong');
    expect(answer.statusCode).toBe(403);
    expect(answer.body).toContain('This is not the password.');
    expect(answer.body).not.toContain(SECRET);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });

  test('takes ten wrong passwords from a network in ten minutes, from its form and the content interface together', async () => {
    const cookie = cookieOf(await open('sesame'));
    const guess = (path: string) => ask(`/wp-json/wp/v2/${path}password=guess`);
    for (let round = 0; round < 5; round++) {
      expect((await open('guess')).statusCode).toBe(403);
      expect((await guess('posts/23?')).statusCode).toBe(403);
    }
    const locked = [await open('sesame'), await guess('posts/23?'), await guess('comments?post=23&')];
    expect(locked.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429]);
    expect(locked[0]?.body).toMatch(/Too many wrong passwords\. Try again in \d+ seconds\./);
    expect((await ask(LOCKED, { headers: { cookie } })).body).toContain(SECRET);
    await SignInAttemptStore.deleteMany(testService);
  });

  test('is opened by no cookie of another post, and by none from before its password was changed', async () => {
    const cookie = cookieOf(await open('sesame'));
    const isOpen = async (given: string) => (await ask(LOCKED, { headers: { cookie: given } })).body.includes(SECRET);
    await ContentItemStore.updateOne(testService, { id: 20 }, { password: 'sesame' });
    const { headers } = await send('/site/password', { post: '20', post_password: 'sesame' });
    await ContentItemStore.updateOne(testService, { id: 20 }, { password: '' });
    expect(await isOpen(cookieOf({ headers }).replace('post_20', 'post_23'))).toBe(false);
    expect(await isOpen(`${cookie}x`)).toBe(false);
    await ContentItemStore.updateOne(testService, { id: 23 }, { password: 'other' });
    expect(await isOpen(cookie)).toBe(false);
    await ContentItemStore.updateOne(testService, { id: 23 }, { password: 'sesame' });
    expect(await isOpen(cookie)).toBe(true);
  });

  test.each([{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }])(
    'is not opened by a form of another site: %o',
    async (headers) => {
      const answer = await open('sesame', headers);
      expect(answer.statusCode).toBe(403);
      expect(answer.headers).not.toHaveProperty('set-cookie');
    },
  );

  test.each(['', '999', '24', '25', 'x'])('is the only kind of post that can be opened, not %s', async (post) => {
    const answer = await send('/site/password', { post, post_password: 'sesame' });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  });
});

const LATER = 10_000;

/** Fills in the comment form of a page `wait` milliseconds after it was loaded. */
async function comment(fields: Record<string, string> = {}, { wait = LATER, url = FIRST, headers = {} } = {}) {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { action, fields: hidden } = formIn((await ask(url)).body);
  vi.setSystemTime(Date.now() + wait);
  const written = { author: 'Ada', email: 'ada@example.com', url: '', comment: 'A <b>fine</b> post', subject: '' };
  return send(action.replace(/#.*/, ''), { ...hidden, ...written, ...fields }, headers);
}
const stored = () => CommentStore.find(testService, { author_name: { $in: ['Ada', 'Eve'] } });

describe('a comment of a visitor', () => {
  test('waits for approval, and is shown from then on', async () => {
    const answer = await comment({ url: 'https://ada.example/' });
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${SITE}${FIRST}?comment=received#respond`);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect((await ask(`${FIRST}?comment=received`)).body).toContain('once it has been approved');
    const [found] = await stored();
    expect(found).toMatchObject({
      ...{ status: 'hold', post: 20, parent: 0, author: 0, author_email: 'ada@example.com' },
      ...{ author_url: 'https://ada.example/', author_ip: '127.0.0.1', content: 'A <b>fine</b> post' },
    });
    expect((await ask(FIRST)).body).not.toContain('fine');
    await CommentStore.updateOne(testService, { author_name: 'Ada' }, { status: 'approved' });
    expect((await ask(FIRST)).body).toContain('A <b>fine</b> post');
    expect((await ask(FIRST)).body).not.toContain('ada@example.com');
  });

  test('answers another one', async () => {
    const page = (await ask(`${FIRST}?replytocom=1`)).body;
    expect(page).toContain('Reply to Ann');
    await comment({}, { url: `${FIRST}?replytocom=1` });
    expect(await stored()).toMatchObject([{ parent: 1 }]);
  });

  test.each(['3', '4', '999', '-1'])('does not answer %s, which is not there for visitors', async (parent) => {
    await comment({ parent });
    expect(await stored()).toMatchObject([{ parent: 0 }]);
  });

  test.each([
    [{ author: '' }, 'Please give a name.'],
    [{ email: 'nobody' }, 'Please give an email address'],
    [{ url: 'javascript:alert(1)' }, 'begins with https://'],
    [{ comment: ' ' }, 'Please write a comment.'],
    [{ author: 'x'.repeat(300) }, 'This name is too long.'],
  ])('with %o is shown again with what is wrong, and nothing is lost', async (fields, fault) => {
    const answer = await comment({ comment: 'So </textarea> it is', ...fields });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(fault);
    expect(answer.body).toContain('aria-invalid="true"');
    if (!('comment' in fields)) expect(answer.body).toContain('So &lt;/textarea&gt; it is');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await stored()).toEqual([]);
  });

  test('is not taken twice, nor too soon after another', async () => {
    await comment();
    expect((await comment({}, { wait: 3_600_000 })).body).toContain('You have already said this.');
    expect((await comment({ comment: 'More' })).statusCode).toBe(303);
    expect((await comment({ comment: 'And more' }, { wait: 4000 })).body).toContain('too quickly');
    expect((await comment({ author: 'Eve', email: 'eve@example.com' }, { wait: 7000 })).body).toContain('too quickly');
    expect(await stored()).toHaveLength(2);
  });

  test('that repeats another one leaves what is kept', async () => {
    await comment();
    const before = await readStamp(testService);
    expect((await comment({}, { wait: 3_600_000 })).statusCode).toBe(409);
    expect(await readStamp(testService)).toEqual(before);
  });

  test.each([
    ['is back before a person can write', 100, 429, 'That was very quick.'],
    ['was loaded the day before', 25 * 3_600_000, 403, 'This form has expired.'],
  ])('is not taken from a form that %s', async (_, wait, status, message) => {
    const answer = await comment({}, { wait });
    expect(answer.statusCode).toBe(status);
    expect(answer.body).toContain(message);
    expect(answer.body).toContain('A &lt;b&gt;fine&lt;/b&gt; post');
    expect(await stored()).toEqual([]);
  });

  test('is not taken in a moment from a page that was made for somebody before', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    await ask(FIRST);
    vi.setSystemTime(Date.now() + LATER);
    expect((await comment({}, { wait: 100 })).statusCode).toBe(429);
  });

  test('is forgotten if the field that people do not see is filled in', async () => {
    expect((await comment({ subject: 'Cheap watches' })).statusCode).toBe(303);
    expect(await stored()).toEqual([]);
  });

  test.each([{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }])(
    'is not taken from another site: %o',
    async (headers) => {
      expect((await comment({}, { headers })).statusCode).toBe(403);
      expect(await stored()).toEqual([]);
    },
  );

  test.each([{ token: '' }, { token: 'x.y' }, { post: '21' }])('is not taken with %o', async (fields) => {
    expect((await comment(fields)).body).not.toContain('once it has been approved');
    expect(await stored()).toEqual([]);
  });

  test('is not taken where comments are closed, or a password is asked for', async () => {
    expect((await ask('/about/')).body).not.toContain('<textarea');
    expect((await ask(LOCKED)).body).not.toContain('<textarea');
    await ContentItemStore.updateOne(testService, { id: 20 }, { comment_status: 'open' });
    vi.useFakeTimers({ toFake: ['Date'] });
    const { fields } = formIn((await ask(FIRST)).body);
    await ContentItemStore.updateOne(testService, { id: 20 }, { comment_status: 'closed' });
    vi.setSystemTime(Date.now() + LATER);
    const late = await send('/site/comment', { ...fields, author: 'Ada', email: 'a@example.com', comment: 'Late' });
    await ContentItemStore.updateOne(testService, { id: 20 }, { comment_status: 'open' });
    expect(late.body).toContain('Comments are closed.');
    expect(await stored()).toEqual([]);
  });

  test('is taken on a protected post from the browser that opened it', async () => {
    const cookie = cookieOf(await open('sesame'));
    vi.useFakeTimers({ toFake: ['Date'] });
    const page = await ask(LOCKED, { headers: { cookie } });
    vi.setSystemTime(Date.now() + LATER);
    const written = { ...formIn(page.body).fields, author: 'Ada', email: 'ada@example.com', comment: 'Inside' };
    expect((await send('/site/comment', written)).statusCode).toBe(401);
    expect((await send('/site/comment', written, { cookie })).statusCode).toBe(303);
    expect(await stored()).toMatchObject([{ post: 23, status: 'hold' }]);
  });
});

test('a page with a comment form is stored by no cache, since each form is another', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const first = await ask(FIRST);
  vi.setSystemTime(Date.now() + 100);
  const second = await ask(FIRST);
  expect(second.body).not.toBe(first.body);
  for (const { headers } of [first, second]) {
    expect(headers['cache-control']).toBe('no-store');
    expect(headers.etag).toBeUndefined();
  }
});
