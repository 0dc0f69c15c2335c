import type { FastifyInstance, InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { testService, useDatabase } from '../../services/database.ts';

import { openSite, SITE, visitorOf } from '../content-site/site-world.ts';

useDatabase();

let app: FastifyInstance;
const credentials = new Map<string, string>();

beforeAll(async () => {
  app = await openSite();
  for (const role of ['editor', 'author', 'subscriber']) {
    const { application_password } = await addWebsiteUser(testService, role, `${role}@example.com`, role);
    credentials.set(role, `Basic ${Buffer.from(`${role}:${application_password}`).toString('base64')}`);
  }
});
afterAll(async () => app.close());

const visit = (url: string) => visitorOf(app)(url);

function ask(role: string, method: string, path: string, payload?: object, headers: InjectOptions['headers'] = {}) {
  return visitorOf(app)(`/wp-json/wp/v2/${path}`, {
    method: method as 'GET',
    headers: { authorization: credentials.get(role) ?? 'none', ...headers },
    ...(payload && { payload }),
  });
}

const made = async (fields: object) => (await ask('editor', 'POST', 'posts', fields)).json().id as number;

test('a draft is shown by a link of its editor, for an hour, until it is saved again', async () => {
  const id = await made({ title: 'Draft to come', content: 'Not yet.', password: 'sesame' });
  const preview = async () => (await ask('editor', 'GET', `posts/${id}/preview`)).json();
  const { link, expires_gmt } = await preview();
  expect(link).toMatch(new RegExp(`^${SITE}/\\?p=${id}&preview=[\\w.-]+$`));
  expect(Math.abs(Date.parse(`${expires_gmt}Z`) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  const url = link.slice(SITE.length);
  const shown = await visit(url);
  expect(shown.statusCode).toBe(200);
  expect(shown.body).toContain('Not yet.');
  expect(shown.body).toContain('This is a preview');
  expect(shown.body).toContain('<meta name="robots" content="noindex, follow">');
  expect(shown.body).not.toContain('rel="canonical"');
  expect(shown.headers['cache-control']).toBe('private, no-store');
  expect((await visit(`/?p=${id}`)).statusCode).toBe(404);
  expect((await visit(url.replace(/.$/, (last: string) => (last === 'A' ? 'B' : 'A')))).statusCode).toBe(404);
  expect((await visit(url.replace(`p=${id}`, `p=${id + 1}`))).statusCode).toBe(404);
  vi.useFakeTimers({ now: Date.now() + 3_600_001, toFake: ['Date'] });
  expect((await visit(url)).statusCode).toBe(404);
  vi.useRealTimers();
  await ask('editor', 'POST', `posts/${id}`, { content: 'Now.' });
  expect((await visit(url)).statusCode).toBe(404);
  const next = (await preview()).link.slice(SITE.length);
  await ask('editor', 'POST', `posts/${id}`, { status: 'publish', password: '' });
  const { statusCode, headers } = await visit(next);
  expect([statusCode, headers.location]).toEqual([301, expect.stringMatching(/\/draft-to-come\/$/)]);
});

test.each([
  ['subscriber', 403],
  ['author', 403],
  ['nobody', 401],
])('a preview is for those who may edit the draft: for %s it is %i', async (role, status) => {
  const id = await made({ title: 'Of the editor' });
  expect((await ask(role, 'GET', `posts/${id}/preview`)).statusCode).toBe(status);
});

test('who edits a state that is no longer the current one is told, and nothing is changed', async () => {
  const id = await made({ title: 'Edited by two', content: 'First.' });
  const read = () => ask('editor', 'GET', `posts/${id}?context=edit`);
  const tag = String((await read()).headers.etag);
  expect(tag).toMatch(/^"[^"]+"$/);
  const change = (condition: string, content: string) =>
    ask('editor', 'POST', `posts/${id}`, { content }, { 'if-match': condition });
  const changed = await change(tag, 'Second.');
  expect([changed.statusCode, changed.headers.etag]).toEqual([200, (await read()).headers.etag]);
  const late = await change(tag, 'Third.');
  expect([late.statusCode, late.json().code]).toEqual([412, 'rest_precondition_failed']);
  const removed = await ask('editor', 'DELETE', `posts/${id}`, undefined, { 'if-match': tag });
  expect(removed.statusCode).toBe(412);
  expect((await ask('editor', 'DELETE', `posts/${id}?force=true`, undefined, { 'if-match': tag })).statusCode).toBe(
    412,
  );
  expect((await read()).json().content.raw).toBe('Second.');
  expect((await change(`W/${changed.headers.etag}`, 'Fourth.')).statusCode).toBe(200);
  expect((await change('*', 'Fifth.')).statusCode).toBe(200);
  expect((await ask('editor', 'GET', `posts/${id}`)).headers.etag).toBeUndefined();
});

test('of two changes of one state, one is made', async () => {
  const id = await made({ title: 'Raced', content: 'First.' });
  const tag = String((await ask('editor', 'GET', `posts/${id}?context=edit`)).headers.etag);
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((content) => ask('editor', 'PUT', `posts/${id}`, { content }, { 'if-match': tag })),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 412, 412]);
  expect((await ask('editor', 'GET', `posts/${id}/revisions`)).json()).toHaveLength(2);
});

test('the first text of a post is kept as a revision of its author, once', async () => {
  const id = (await ask('author', 'POST', 'posts', { title: 'One', content: 'First.' })).json().id;
  const revisions = async () =>
    (await ask('editor', 'GET', `posts/${id}/revisions?context=edit`))
      .json()
      .map(({ content }: { content: { raw: string } }) => content.raw);
  expect(await revisions()).toEqual([]);
  await ask('editor', 'POST', `posts/${id}`, { content: 'Second.' });
  await ask('editor', 'POST', `posts/${id}`, { content: 'Third.' });
  expect(await revisions()).toEqual(['Third.', 'Second.', 'First.']);
  const [, , first] = (await ask('editor', 'GET', `posts/${id}/revisions`)).json();
  const me = (await ask('author', 'GET', 'users/me')).json().id;
  expect(first.author).toBe(me);
});

test.each(['editor', 'author'])('the marks of blocks that an %s sends are stored, and not shown', async (role) => {
  const raw =
    '<!-- wp:paragraph {"align":"center"} -->\n<p class="centred">Hello "you"</p>\n<!-- /wp:paragraph -->\n\n' +
    '<!-- wp:list -->\n<ul><li>a</li></ul>\n<!-- /wp:list -->\n\n<!-- wp:my/thing /-->\n\nloose text\n<!-- kept -->';
  const { content } = (await ask(role, 'POST', 'posts', { title: 'Blocks', content: raw })).json();
  expect(content.raw).toBe(raw);
  expect(content.rendered).toBe(
    '\n<p class="centred">Hello &#8220;you&#8221;</p>\n\n\n\n<ul><li>a</li></ul>\n\n\n\n\nloose text\n<!-- kept -->',
  );
});
