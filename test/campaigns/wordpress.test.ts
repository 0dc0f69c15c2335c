import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { Random } from './compare/random.ts';
import { Campaign } from './wordpress/campaign.ts';
import { compareAnswers } from './wordpress/compare-answers.ts';
import { documentationPath, formatDocumentation } from './wordpress/documentation.ts';
import type { Endpoint } from './wordpress/endpoint.ts';
import { EXPLAINED, type Explanation } from './wordpress/explained.ts';
import { curlOf, type GeneratedRequest } from './wordpress/generated-request.ts';
import { makeRequests } from './wordpress/make-requests.ts';
import { phpForm } from './wordpress/php-form.ts';
import type { SeededSite } from './wordpress/seeded-site.ts';
import type { SiteAnswer, SiteClient } from './wordpress/site-client.ts';
import { explanationOf } from './wordpress/tally.ts';

const SITE: SeededSite = {
  base_url: 'http://127.0.0.1:8081',
  credentials: [{ login: 'admin', application_password: 'secret' }],
  users: [{ id: 1 }],
  posts: [{ id: 11 }, { id: 12 }],
  pages: [{ id: 4 }],
  media: [],
  comments: [],
  categories: [],
  tags: [],
  revisions: [{ id: 37, parent: 12 }],
};

const ENDPOINTS: readonly Endpoint[] = [
  { route: '/wp/v2/posts', methods: ['GET'], parameters: { page: { type: 'integer' }, search: { type: 'string' } } },
  { route: '/wp/v2/posts/(?P<id>[\\d]+)', methods: ['POST', 'PUT', 'PATCH'], parameters: { title: {} } },
];

const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): SiteAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
});

const kinds = (theirs: SiteAnswer, ours: SiteAnswer) =>
  compareAnswers(theirs, ours).map(({ level, kind }) => `${level} ${kind}`);

/** Requests of a seed, and the parameters that they send. */
function drawn(seed: number, count = 2000): GeneratedRequest[] {
  const requests = makeRequests(SITE, ENDPOINTS, new Random(seed));
  return Array.from({ length: count }, () => requests.next().value);
}

describe('two answers', () => {
  test.each([
    ['a status', answer(200, []), answer(400, { code: 'a' }), ['1 status 200, here 400 a']],
    ['a code', answer(400, { code: 'a' }), answer(400, { code: 'b' }), ['1 code a, here b']],
    ['a message', answer(400, { code: 'a', message: 'x' }), answer(400, { code: 'a', message: 'y' }), ['2 $.message']],
    ['a header', answer(200, [], { 'x-wp-total': '1' }), answer(200, []), ['2 header x-wp-total']],
    ['the ids of a list', answer(200, [{ id: 1 }]), answer(200, [{ id: 2 }]), ['2 $[] members']],
    ['the order of a list', answer(200, [{ id: 1 }, { id: 2 }]), answer(200, [{ id: 2 }, { id: 1 }]), ['2 $[] order']],
    ['a member', answer(200, { a: { b: 1 } }), answer(200, { a: { b: 2 } }), ['3 $.a.b']],
    ['one member more', answer(200, { a: 1 }), answer(200, { a: 1, b: 2 }), ['3 $.b added']],
    ['one member less', answer(200, [{ id: 1, b: 1 }]), answer(200, [{ id: 1 }]), ['3 $[].b missing']],
    ['a type', answer(200, { a: 1 }), answer(200, { a: '1' }), ['3 $.a']],
  ])('that differ in %s are found to', (_, theirs, ours, found) => {
    expect(kinds(theirs, ours)).toEqual(found);
  });

  const now = new Date();
  const [today, later] = [now, new Date(now.getTime() + 5000)].map((at) => at.toISOString().slice(0, 19));
  test.each([
    ['the order of methods', answer(200, 1, { allow: 'GET, POST' }), answer(200, 1, { allow: 'POST, GET' })],
    ['the order of members', answer(200, { a: 1, b: 2 }), answer(200, { b: 2, a: 1 })],
    ['times of the run', answer(200, { date: today }), answer(200, { date: later })],
    ['secrets of embeds', answer(200, 'data-secret="abc"'), answer(200, 'data-secret="xyz"')],
    ['hosts of avatars', answer(200, 'http://1.gravatar.com/x'), answer(200, 'https://secure.gravatar.com/x')],
  ])('that differ in %s alone count as the same', (_, theirs, ours) => {
    expect(kinds(theirs, ours)).toEqual([]);
  });
});

describe('generated requests', () => {
  test('are the same for the same seed, and others for another', () => {
    expect(drawn(1, 50)).toEqual(drawn(1, 50));
    expect(drawn(1, 50)).not.toEqual(drawn(2, 50));
  });

  test('try every parameter of every endpoint by every user, in queries, forms and JSON', () => {
    const requests = drawn(1);
    const tried = (word: string) => requests.some(({ about }) => about.includes(word));
    expect(
      ['page=0', 'page=-1', 'search=""', 'title={"raw":', '_embed=', 'context="edit"'].filter((one) => !tried(one)),
    ).toEqual([]);
    expect(new Set(requests.map(({ login }) => login))).toEqual(new Set([null, 'admin']));
    expect(new Set(requests.map(({ method }) => method))).toEqual(
      new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH']),
    );
    expect(new Set(requests.map(({ body }) => body?.type))).toEqual(
      new Set([undefined, 'application/json', 'application/x-www-form-urlencoded']),
    );
  });

  test('write parameters as PHP reads them', () => {
    expect(phpForm({ a: [1, [2]], b: { c: 'x y' }, d: true, e: null })).toBe('a[]=1&a[][]=2&b[c]=x%20y&d=1&e=');
  });

  test('can be repeated in a shell', () => {
    const body = { type: 'application/json', text: `{"a":"it's"}` };
    const request = { method: 'POST', endpoint: '', route: '', path: '/x', login: 'admin', body, about: '' };
    expect(curlOf(request, 'http://site', 'secret')).toBe(
      `curl -si -u 'admin:secret' -X POST -H 'content-type: application/json' --data-raw '{"a":"it'\\''s"}' 'http://site/x'`,
    );
  });
});

describe('a campaign', () => {
  /** A site that answers by a function, and what it was sent. */
  function site(respond: (request: GeneratedRequest) => SiteAnswer) {
    const sent: string[] = [];
    const send = async (request: GeneratedRequest) => {
      sent.push(`${request.method} ${request.path}`);
      return respond(request);
    };
    // A campaign sends, and nothing else.
    return { sent, client: { send } as unknown as SiteClient };
  }

  const write = {
    method: 'POST',
    endpoint: 'POST /x',
    route: '/x/(?P<id>[\\d]+)',
    path: '/x/1',
    login: 'admin',
    body: null,
    about: '',
  };

  test('looks at what a write left, with what was written', async () => {
    const theirs = site(() => answer(200, { id: 1 }));
    const ours = site(({ method }) => answer(200, method === 'GET' ? { id: 1, more: 1 } : { id: 1 }));
    const reset = async () => {};
    const parts = { theirs: theirs.client, ours: ours.client, administrator: 'admin', reset };
    const tally = await new Campaign(parts).run([{ ...write, about: 'title="x"' }]);
    expect(theirs.sent).toEqual(['POST /x/1', 'GET /x/1?context=edit']);
    expect(tally.groups(false)).toMatchObject([{ kind: '$.more added', request: { about: 'after title="x"' } }]);
  });

  test.each([
    ['went different ways', answer(200, { id: 1 }), answer(400, { code: 'no' }), 1],
    ['lost a number', answer(500, { code: 'db_insert_error' }), answer(500, { code: 'db_insert_error' }), 0],
  ])('puts both sites back where they %s', async (_, their, our, differing) => {
    const [theirs, ours] = [site(() => their), site(() => our)];
    let resets = 0;
    const reset = async () => {
      resets += 1;
    };
    const parts = { theirs: theirs.client, ours: ours.client, administrator: 'admin', reset };
    const tally = await new Campaign(parts).run([write]);
    expect([theirs.sent, resets, tally.differing]).toEqual([['POST /x/1'], 2, differing]);
  });

  test('counts what differs by endpoint and level', async () => {
    const [theirs, ours] = [site(() => answer(200, { id: 1 })), site(() => answer(400, { code: 'no' }))];
    const reset = async () => {};
    const parts = { theirs: theirs.client, ours: ours.client, administrator: 'admin', reset };
    const tally = await new Campaign(parts).run([write]);
    expect(tally.groups(false)).toMatchObject([{ endpoint: 'POST /x', kind: 'status 200, here 400 no', count: 1 }]);
    expect(tally.endpoints()).toMatchObject([{ agreed: [0, 0, 0] }]);
  });

  test('goes on with the same content where both refuse', async () => {
    const [theirs, ours] = [site(() => answer(403, { code: 'no' })), site(() => answer(403, { code: 'no' }))];
    let resets = 0;
    const reset = async () => {
      resets += 1;
    };
    const parts = { theirs: theirs.client, ours: ours.client, administrator: 'admin', reset };
    const tally = await new Campaign(parts).run([write, write]);
    expect([resets, tally.requests, tally.differing]).toEqual([1, 2, 0]);
  });
});

describe('explained differences', () => {
  const rows: readonly Explanation[] = [
    {
      cause: 'version',
      what: 'W',
      reason: 'R',
      kind: /^\$\.a$/,
      at: /^GET /,
      theirs: /1/,
      ours: /2/,
      about: /q/,
      by: /^visitor$/,
    },
  ];
  const difference = { level: 3, kind: '$.a', theirs: '1', ours: '2' } as const;

  test.each([
    ['all agree', 'GET /x', 'q=1', difference, 'W'],
    ['another kind', 'GET /x', 'q=1', { ...difference, kind: '$.b' }, undefined],
    ['another endpoint', 'POST /x', 'q=1', difference, undefined],
    ['another value there', 'GET /x', 'q=1', { ...difference, theirs: '3' }, undefined],
    ['another value here', 'GET /x', 'q=1', { ...difference, ours: '3' }, undefined],
    ['another parameter', 'GET /x', 'p=1', difference, undefined],
  ])('are those of a row: %s', (_, endpoint, about, found, what) => {
    expect(explanationOf(endpoint, { about, login: null }, found, rows)?.what).toBe(what);
    expect(explanationOf(endpoint, { about, login: 'editor' }, found, rows)).toBeNull();
  });

  test('are listed in the documentation', () => {
    expect(readFileSync(documentationPath, 'utf8')).toBe(formatDocumentation());
  });

  test('have a reason each', () => {
    expect(EXPLAINED.filter(({ what, reason }) => what.length < 10 || reason.length < 8)).toEqual([]);
  });
});
