import { beforeAll, describe, expect, test } from 'vitest';

import { isPassword } from '../../../auth/secrets/passwords.ts';
import { ContentItemStore } from '../../../content/models/content-item.ts';
import { WebsiteUserStore } from '../../../content/models/website-user.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const stamps = {
  date: '2024-03-01T10:00:00',
  date_gmt: '2024-03-01T10:00:00',
  modified: '2024-03-01T10:00:00',
  modified_gmt: '2024-03-01T10:00:00',
};

beforeAll(async () => {
  const posts = [{ ...stamps, id: 50, status: 'publish', slug: 'hi', title: { raw: 'Hi' }, author: 3 }];
  await importContent(testService, { posts }, { replace: false, siteUrl: SITE });
});

async function json(asker: Asker, method: string, path: string, body?: unknown) {
  const answer = await host.call(asker, method, path, body === undefined ? {} : { json: body });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const idsOf = (users: readonly { readonly id: number }[]) => users.map(({ id }) => id);

describe('a list of users', () => {
  test('shows authors of something published to strangers, everybody to administrators', async () => {
    expect(idsOf((await json('anonymous', 'GET', '/wp/v2/users')).body)).toEqual([3]);
    expect(idsOf((await json('editor', 'GET', '/wp/v2/users')).body)).toEqual([3]);
    expect((await json('administrator', 'GET', '/wp/v2/users?per_page=100')).body.length).toBeGreaterThanOrEqual(5);
  });

  test('finds the number with which a search of a stranger begins', async () => {
    expect(idsOf((await json('anonymous', 'GET', '/wp/v2/users?search=3,4')).body)).toEqual([3]);
    expect(idsOf((await json('administrator', 'GET', '/wp/v2/users?search=3,4')).body)).toEqual([]);
  });

  test.each([
    ['anonymous', 'roles=author', 401, 'rest_user_cannot_view'],
    ['author', 'context=edit', 403, 'rest_forbidden_context'],
    ['editor', 'orderby=registered_date', 403, 'rest_forbidden_orderby'],
    ['subscriber', 'who=authors', 403, 'rest_forbidden_who'],
  ] as const)('refuses %s ?%s', async (asker, query, status, code) => {
    expect(await json(asker, 'GET', `/wp/v2/users?${query}`)).toMatchObject({ status, body: { code } });
  });

  test('leaves out subscribers where authors are asked for', async () => {
    const { body } = await json('contributor', 'GET', '/wp/v2/users?who=authors&orderby=id');
    expect(idsOf(body).slice(0, 4)).toEqual([1, 2, 3, 4]);
    const ofOneRole = await json('administrator', 'GET', '/wp/v2/users?who=authors&orderby=id&roles=editor');
    expect(idsOf(ofOneRole.body)).toEqual(idsOf(body));
  });

  test('names the page that an offset lies on', async () => {
    const { headers } = await json('administrator', 'GET', '/wp/v2/users?offset=2&per_page=2');
    expect(String(headers.link)).toContain('offset=2&per_page=2&page=1>; rel="prev"');
  });

  test.each([
    ['include=-3', [3], 'signs of numbers make no difference'],
    ['exclude=-1,-2', [3, 4, 5], 'nor do they where users are left out'],
    ['slug=EDITOR,Author', [2, 3], 'slugs may be written as names'],
    ['search=%C3%89ditor', [2], 'a search takes no notice of accents'],
    ['search=%2B3', [3], 'a search for a number is one for that of a user, too'],
    ['orderby=include&order=desc&include=3,1,2', [2, 1, 3], 'a list in the order of its numbers runs both ways'],
    ['search=0', [1, 2, 3, 4, 5], 'a search that PHP takes for false is none'],
    ['offset=-1', [], 'there is nothing before the start'],
  ])('?%s has %j: %s', async (query, expected) => {
    const { body } = await json(
      'administrator',
      'GET',
      `/wp/v2/users?${query.includes('orderby') ? '' : 'orderby=id&'}${query}`,
    );
    expect(idsOf(body).filter((id) => id <= 5)).toEqual(expected);
  });
});

describe('one user', () => {
  test('is shown with an address by whoever may change it alone', async () => {
    expect((await json('author', 'GET', '/wp/v2/users/3?context=edit')).body).toMatchObject({
      email: 'author@example.com',
      roles: ['author'],
      extra_capabilities: { author: true },
    });
    expect((await json('editor', 'GET', '/wp/v2/users/3?context=edit')).status).toBe(403);
    expect((await json('anonymous', 'GET', '/wp/v2/users/3')).body).not.toHaveProperty('email');
  });

  test('who has published nothing is hidden from strangers', async () => {
    const { status, body } = await json('anonymous', 'GET', '/wp/v2/users/5');
    expect([status, body.code]).toEqual([401, 'rest_user_cannot_view']);
    expect((await json('subscriber', 'GET', '/wp/v2/users/5')).status).toBe(200);
  });
});

describe('a new user', () => {
  const mara = {
    username: 'mara',
    email: 'mara@example.com',
    password: 'S3cret!',
    first_name: 'Mara',
    roles: ['author'],
  };

  test('is stored with a hash of the password, which opens nothing here', async () => {
    const { status, headers, body } = await json('administrator', 'POST', '/wp/v2/users', mara);
    expect(status).toBe(201);
    expect(headers.location).toBe(`${SITE}/wp-json/wp/v2/users/${body.id}`);
    expect(body).toMatchObject({ name: 'Mara', slug: 'mara', nickname: 'mara', roles: ['author'] });
    expect(body).not.toHaveProperty('password');
    const stored = await WebsiteUserStore.findOne(testService, { id: body.id });
    expect(await isPassword('S3cret!', stored?.password_hash ?? null)).toBe(true);
    const authorization = `Basic ${Buffer.from('mara:S3cret!').toString('base64')}`;
    const me = await host.call('anonymous', 'GET', '/wp/v2/users/me', { headers: { authorization } });
    expect(me.statusCode).toBe(401);
  });

  test.each([
    ['a taken login', { username: 'AUTHOR' }, 500, 'existing_user_login'],
    ['a taken address', { email: 'Author@example.com' }, 500, 'existing_user_email'],
    ['an unknown role', { roles: ['boss'] }, 400, 'rest_user_invalid_role'],
    ['an id', { id: 3 }, 400, 'rest_user_exists'],
    ['a login with signs', { username: 'a<b' }, 400, 'rest_invalid_param'],
    ['a password with a backslash', { password: 'a\\b' }, 400, 'rest_invalid_param'],
  ])('with %s is refused', async (_, change, status, code) => {
    const user = { username: 'other', email: 'other@example.com', password: 'x', ...change };
    expect(await json('administrator', 'POST', '/wp/v2/users', user)).toMatchObject({ status, body: { code } });
  });

  test('needs an administrator', async () => {
    expect((await json('editor', 'POST', '/wp/v2/users', { ...mara, username: 'm2' })).status).toBe(403);
  });
});

describe('a change', () => {
  test('to no roles takes all of them away, and with them what they allowed', async () => {
    const user = { username: 'demoted', email: 'demoted@example.com', password: 'x', roles: ['editor', 'author'] };
    const { body: made } = await json('administrator', 'POST', '/wp/v2/users', user);
    const { status, body } = await json('administrator', 'POST', `/wp/v2/users/${made.id}`, { roles: [] });
    expect([status, body.roles, body.capabilities]).toEqual([200, [], {}]);
    expect((await WebsiteUserStore.findOne(testService, { id: made.id as number }))?.roles).toEqual([]);
  });

  test('to no roles of one’s own is everybody’s', async () => {
    const roles = (change: object) => json('contributor', 'POST', '/wp/v2/users/me', change);
    expect((await roles({ roles: [] })).body).toMatchObject({ roles: [], capabilities: {} });
    expect((await roles({ roles: ['contributor'] })).status).toBe(403);
    const restored = await json('administrator', 'POST', '/wp/v2/users/4', { roles: ['contributor'] });
    expect(restored.body.roles).toEqual(['contributor']);
  });

  test.each([
    ['a name', { name: '0' }, { name: 'zero' }],
    ['a nickname', { nickname: '0' }, { nickname: 'zero' }],
    ['first and last name', { first_name: '0', last_name: '0' }, { first_name: '', last_name: '', name: 'zero' }],
    ['a description', { description: '0' }, { description: '' }],
    ['a slug', { slug: '0' }, { slug: 'zero' }],
    ['a slug of signs', { slug: '!!' }, { slug: 'zero' }],
    ['nothing for a slug', { slug: '' }, { slug: 'zero' }],
  ])('of %s to what PHP takes for false is one to none', async (_, change, expected) => {
    const user = { username: 'zero', email: 'zero@example.com', password: 'x', slug: 'other' };
    const { body } = await json('administrator', 'POST', '/wp/v2/users', { ...user, ...change });
    try {
      expect(body).toMatchObject(expected);
      const path = `/wp/v2/users/${body.id}`;
      await json('administrator', 'POST', path, { name: 'N', nickname: 'n', slug: 'other', description: 'd' });
      expect((await json('administrator', 'POST', path, { name: '', ...change })).body).toMatchObject(expected);
    } finally {
      await WebsiteUserStore.deleteOne(testService, { id: body.id });
    }
  });

  test.each([
    ['example.com', 'http://example.com'],
    ['  spaced out ', 'http://spaced%20out%20'],
    ['<b>bold</b>', 'http://bbold/b'],
    ['/path', '/path'],
    ['javascript:alert(1)', ''],
  ])('of the address to "%s" is one to "%s"', async (url, stored) => {
    expect((await json('administrator', 'POST', '/wp/v2/users/3', { url })).body.url).toBe(stored);
  });

  test('of the slug to letters that no slug has is one to that of the login', async () => {
    expect((await json('administrator', 'POST', '/wp/v2/users/3', { slug: 'ﬁ' })).body.slug).toBe('author');
  });

  test('of the own profile is everybody’s', async () => {
    const { status, body } = await json('subscriber', 'PUT', '/wp/v2/users/me', {
      description: 'I <b>read</b>',
      name: 'Sam',
    });
    expect([status, body.name, body.description]).toEqual([200, 'Sam', 'I <b>read</b>']);
  });

  test.each([
    ['subscriber', 'me', { roles: ['administrator'] }, 403, 'rest_cannot_edit_roles'],
    ['author', '2', { name: 'x' }, 403, 'rest_cannot_edit'],
    ['administrator', 'me', { roles: ['editor'] }, 403, 'rest_user_invalid_role'],
    ['subscriber', 'me', { roles: [''] }, 403, 'rest_cannot_edit_roles'],
    ['administrator', '3', { username: 'renamed' }, 400, 'rest_user_invalid_argument'],
    ['administrator', '3', { email: 'editor@example.com' }, 400, 'rest_user_invalid_email'],
    ['administrator', '3', { slug: 'editor' }, 400, 'rest_user_invalid_slug'],
    ['administrator', '3', { url: `http://x.example/${'a'.repeat(100)}` }, 500, 'user_url_too_long'],
    ['anonymous', 'me', { name: 'x' }, 404, 'rest_user_invalid_id'],
  ] as const)('by %s of %s to %j is refused', async (asker, id, change, status, code) => {
    expect(await json(asker, 'PATCH', `/wp/v2/users/${id}`, change)).toMatchObject({ status, body: { code } });
  });
});

describe('a deletion', () => {
  test.each([
    ['without heir', '?force=true', 400, 'rest_missing_callback_param'],
    ['without force', '?reassign=1', 501, 'rest_trash_not_supported'],
    ['to nobody', '?force=true&reassign=999', 400, 'rest_user_invalid_reassign'],
    ['to oneself', '?force=true&reassign=4', 400, 'rest_user_invalid_reassign'],
    ['to nobody, whose number is written otherwise', '?force=true&reassign=1e3', 400, 'rest_user_invalid_reassign'],
  ])('%s is refused', async (_, query, status, code) => {
    expect(await json('administrator', 'DELETE', `/wp/v2/users/4${query}`)).toMatchObject({ status, body: { code } });
  });

  test('without heir puts what was written into the trash', async () => {
    const user = { username: 'gone', email: 'gone@example.com', password: 'x', roles: ['author'] };
    const { body } = await json('administrator', 'POST', '/wp/v2/users', user);
    const posts = [{ ...stamps, id: 60, status: 'publish', slug: 'bye', title: { raw: 'Bye' }, author: body.id }];
    await importContent(testService, { posts }, { replace: false, siteUrl: SITE });
    const gone = await json('administrator', 'DELETE', `/wp/v2/users/${body.id}?force=true&reassign=false`);
    expect(gone.body.deleted).toBe(true);
    const trashed = { status: 'trash', status_before_trash: 'publish', slug: 'bye__trashed' };
    expect(await ContentItemStore.findOne(testService, { id: 60 })).toMatchObject(trashed);
  });

  test('gives what was written to the heir', async () => {
    const user = { username: 'left', email: 'left@example.com', password: 'x', roles: ['author'] };
    const { id } = (await json('administrator', 'POST', '/wp/v2/users', user)).body;
    const posts = [{ ...stamps, id: 61, status: 'publish', slug: 'kept', title: { raw: 'Kept' }, author: id }];
    await importContent(testService, { posts }, { replace: false, siteUrl: SITE });
    const { body } = await json('administrator', 'DELETE', `/wp/v2/users/${id}?force=true&reassign=3`);
    expect(body).toMatchObject({ deleted: true, previous: { id } });
    expect(await ContentItemStore.findOne(testService, { id: 61 })).toMatchObject({ author: 3 });
    expect((await json('administrator', 'GET', `/wp/v2/users/${id}`)).status).toBe(404);
  });
});

describe('an application password', () => {
  const path = (user: number | 'me', uuid = '') => `/wp/v2/users/${user}/application-passwords${uuid && `/${uuid}`}`;
  const made = async (username: string) => {
    const json = { username, email: `${username}@example.com`, password: 'as long as one likes', roles: ['author'] };
    return (await host.call('administrator', 'POST', '/wp/v2/users', { json })).json().id as number;
  };
  const whoIs = async (login: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    return (await host.call('anonymous', 'GET', '/wp/v2/users/me', { headers: { authorization } })).json();
  };

  test('lets a person in whom an administrator has added, until it is revoked', async () => {
    const id = await made('newcomer');
    const answer = await host.call('administrator', 'POST', path(id), { json: { name: 'Phone' } });
    const { uuid, password, ...shown } = answer.json();
    expect(answer.statusCode).toBe(201);
    expect(answer.headers.location).toBe(`${SITE}/wp-json${path(id, uuid)}`);
    expect(password).toMatch(/^(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    const created = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    const _links = { self: [{ href: answer.headers.location }] };
    expect(shown).toEqual({ app_id: '', name: 'Phone', created, _links });
    expect(await whoIs('newcomer@example.com', password)).toMatchObject({ id });
    expect((await host.call('administrator', 'GET', path(id))).json()).toEqual([{ uuid, ...shown }]);
    const revoked = await host.call('administrator', 'DELETE', path(id, uuid));
    expect(revoked.json()).toMatchObject({ deleted: true, previous: { uuid, name: 'Phone' } });
    expect(await whoIs('newcomer', password)).toMatchObject({ code: 'rest_not_logged_in' });
    expect((await host.call('administrator', 'GET', path(id, uuid))).json().code).toBe(
      'rest_application_password_not_found',
    );
  });

  test('has a name that no other of the user has, and can be renamed', async () => {
    const id = await made('renamer');
    const make = (name: string) => host.call('administrator', 'POST', path(id), { json: { name } });
    const { uuid } = (await make('One')).json();
    await make('Two');
    expect([(await make('Two')).statusCode, (await make('Two')).json().code]).toEqual([
      409,
      'application_password_duplicate_name',
    ]);
    const rename = (name: string) => host.call('administrator', 'PUT', path(id, uuid), { json: { name } });
    expect((await rename('Two')).statusCode).toBe(409);
    expect((await rename('Three')).json()).toMatchObject({ uuid, name: 'Three' });
    const named = (await host.call('administrator', 'GET', path(id))).json().map(({ name }: { name: string }) => name);
    expect(named).toEqual(['Three', 'Two']);
    expect((await host.call('administrator', 'DELETE', path(id))).json()).toEqual({ deleted: true, count: 2 });
    expect((await host.call('administrator', 'GET', path(id))).json()).toEqual([]);
  });

  test.each([
    ['anonymous', 'GET', 401, 'rest_cannot_list_application_passwords'],
    ['editor', 'GET', 403, 'rest_cannot_list_application_passwords'],
    ['editor', 'POST', 403, 'rest_cannot_create_application_passwords'],
    ['editor', 'DELETE', 403, 'rest_cannot_delete_application_passwords'],
  ] as const)('of somebody else is not for %s: %s is %i', async (asker, method, status, code) => {
    const answer = await host.call(asker, method, path(1), method === 'POST' ? { json: { name: 'x' } } : {});
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  test.each([
    ['no name', {}, 'rest_missing_callback_param', ['name']],
    ['a blank name', { name: ' ' }, 'rest_invalid_param', { name: 'name must be at least 1 character long.' }],
    ['an id that is none', { name: 'x', app_id: 'y' }, 'rest_invalid_param', { app_id: 'app_id is not a valid UUID.' }],
  ])('with %s is refused', async (_what, json, code, params) => {
    const answer = await host.call('author', 'POST', path('me'), { json });
    expect([answer.statusCode, answer.json().code, answer.json().data.params]).toEqual([400, code, params]);
  });

  test('is one’s own to make, and a visitor has none', async () => {
    expect((await host.call('subscriber', 'POST', path('me'), { json: { name: 'Mine' } })).statusCode).toBe(201);
    expect((await host.call('anonymous', 'GET', path('me'))).json().code).toBe('rest_not_logged_in');
    expect((await host.call('administrator', 'GET', path(999))).json().code).toBe('rest_user_invalid_id');
    const { routes, authentication } = (await host.call('anonymous', 'GET', '/')).json();
    expect(authentication).toEqual([]);
    expect(Object.keys(routes)).toContain('/wp/v2/users/(?P<user_id>(?:[\\d]+|me))/application-passwords');
  });
});

test('avatars of a site served by https are served by https', async () => {
  const { avatar_urls } = (await host.call('author', 'GET', '/wp/v2/users/me')).json();
  expect(avatar_urls['96']).toMatch(/^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?s=96&d=mm&r=g$/);
});
