import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';

import { ROLES, type Role } from '../../../content/access/capabilities.ts';
import { importContent } from '../../../content/transfer/import-content.ts';

import { type Asker, SITE, useContentHost } from '../../hosts/content-host.ts';
import { runSize } from '../../services/run-size.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const KINDS = ['posts', 'pages', 'media'] as const;
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
const CONTEXTS = ['view', 'embed', 'edit'] as const;
const ASKERS: readonly Asker[] = ['anonymous', ...ROLES];

/** An item of the site of these tests: each owner has one of each kind and status. */
interface Owned {
  readonly id: number;
  readonly kind: (typeof KINDS)[number];
  readonly status: string;
  readonly owner: Role;
}

const ITEMS: readonly Owned[] = KINDS.flatMap((kind, at) =>
  ROLES.flatMap((owner, by) =>
    (kind === 'media' ? (['inherit', 'private'] as const) : STATUSES).map((status, as) => ({
      id: 1000 + at * 100 + by * 10 + as,
      kind,
      status,
      owner,
    })),
  ),
);

const OWNER_IDS = new Map<Role, number>();
const REVISION_OF = 500;

/** Fields of an item that only its editors see. */
const passwordOf = ({ id }: Owned) => `zqpassword${id}.`;
const rawOf = ({ id }: Owned) => `[zqshortcode${id}.]`;

beforeAll(async () => {
  for (const role of ROLES) {
    OWNER_IDS.set(role, (await host.call(role, 'GET', '/wp/v2/users/me')).json<{ id: number }>().id);
  }
  const date = '2024-03-01T10:00:00';
  const recordOf = (item: Owned) => ({
    id: item.id,
    date,
    date_gmt: date,
    modified: date,
    modified_gmt: date,
    status: item.status,
    slug: `item-${item.id}`,
    author: OWNER_IDS.get(item.owner),
    title: { raw: `Item ${item.id}` },
    content: { raw: `Words ${rawOf(item)}` },
    excerpt: { raw: `Words ${rawOf(item)}` },
    caption: { raw: `Words ${rawOf(item)}` },
    description: { raw: `Words ${rawOf(item)}` },
    comment_status: 'open',
    ...(item.kind === 'media' ? { mime_type: 'image/png' } : { password: passwordOf(item) }),
  });
  const listed = (kind: Owned['kind']) => ITEMS.filter((item) => item.kind === kind).map(recordOf);
  await importContent(
    testService,
    {
      posts: listed('posts'),
      pages: listed('pages'),
      media: listed('media'),
      revisions: ITEMS.filter(({ kind }) => kind !== 'media').map((item) => ({
        ...recordOf(item),
        id: item.id + REVISION_OF,
        status: 'inherit',
        parent: item.id,
        password: '',
      })),
      comments: ITEMS.map((item) => ({
        id: item.id,
        post: item.id,
        date,
        date_gmt: date,
        content: { raw: 'Fine' },
        author_name: 'Ann',
        author_email: `zqmail${item.id}.@people.example`,
      })),
    },
    { replace: false, siteUrl: SITE },
  );
});

/** Rights to edit in WordPress, as its handbook lists them: a table apart from the code under test. */
function mayEdit(asker: Asker, { kind, status, owner }: Owned): boolean {
  if (asker === 'administrator' || asker === 'editor') return true;
  if (asker !== owner || kind === 'pages') return false;
  if (asker === 'author') return true;
  // A contributor edits until somebody publishes; what is imported into the trash was published before.
  return asker === 'contributor' && ['draft', 'pending', 'private', 'inherit'].includes(status);
}

const query = fc.record(
  {
    context: fc.constantFrom(...CONTEXTS, 'edit', 'edit'),
    status: fc.constantFrom('any', 'inherit', 'publish,draft,private,trash'),
    search: fc.constantFrom('Words', 'zqshortcode', 'Item'),
    include: fc
      .subarray(
        ITEMS.map(({ id }) => id),
        { minLength: 40 },
      )
      .map(String),
    _embed: fc.constant('1'),
    _envelope: fc.constant('1'),
    _fields: fc.constantFrom('id,content,password', 'content', 'title,caption,description,guid', 'author_email'),
    password: fc.constantFrom('', 'wrong'),
    per_page: fc.constantFrom('1', '100'),
    orderby: fc.constantFrom('id', 'title'),
  },
  { requiredKeys: ['context'] },
);

const single = fc.constantFrom(...ITEMS);
const path = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...KINDS).map((list) => `/wp/v2/${list}`) },
  fc.constantFrom('comments', 'users').map((list) => `/wp/v2/${list}`),
  single.map(({ id, kind }) => `/wp/v2/${kind}/${id}`),
  single.map(({ id }) => `/wp/v2/comments/${id}`),
  single.map(({ id, kind }) => `/wp/v2/${kind}/${id}/revisions`),
  single.map(({ id, kind }) => `/wp/v2/${kind}/${id}/revisions/${id + REVISION_OF}`),
);

test('only callers that may edit an item read its password or its text as it was written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ASKERS, 'contributor' as const, 'author' as const),
      fc.constantFrom('GET', 'GET', 'GET', 'GET', 'OPTIONS'),
      path,
      query,
      async (asker, method, path, parameters) => {
        const answer = await host.call(asker, method, `${path}?${new URLSearchParams(parameters)}`);
        expect(answer.statusCode).toBeLessThan(500);
        const said = `${JSON.stringify(answer.headers)}${answer.body}`;
        const seen = ITEMS.filter((item) => said.includes(passwordOf(item)) || hasRaw(answer.body, item));
        expect(seen.filter((item) => !mayEdit(asker, item))).toEqual([]);
        const moderates = asker === 'administrator' || asker === 'editor';
        if (!moderates) expect(said).not.toContain('@people.example');
      },
    ),
    { numRuns: runSize(60, 600) },
  );
});

/** Returns true if an answer has the text of an item under `raw`; rendered text may show it to readers. */
function hasRaw(body: string, item: Owned): boolean {
  return [...body.matchAll(/"raw":"((?:[^"\\]|\\.)*)"/g)].some(([, text]) => text?.includes(rawOf(item)));
}

test.each(ASKERS)(
  '%s who lists for editing is told of what they may edit, and no number of anything else',
  async (asker) => {
    for (const kind of KINDS) {
      const statuses = kind === 'media' ? ['inherit', 'private'] : STATUSES;
      for (const status of [...statuses, statuses.join(',')]) {
        const answer = await host.call(asker, 'GET', `/wp/v2/${kind}?context=edit&per_page=100&status=${status}`);
        const editable = ITEMS.filter((item) => item.kind === kind && status.split(',').includes(item.status))
          .filter((item) => mayEdit(asker, item))
          .map(({ id }) => id);
        if (answer.statusCode !== 200) {
          expect([400, 401, 403]).toContain(answer.statusCode);
          expect(editable).toEqual([]);
          continue;
        }
        const ids = answer.json<{ id: number }[]>().map(({ id }) => id);
        expect([ids.toSorted(), answer.headers['x-wp-total']]).toEqual([editable, String(editable.length)]);
      }
    }
  },
);

test.each(ASKERS)('%s is refused the single items of others in the context of editing', async (asker) => {
  for (const item of ITEMS) {
    const { statusCode } = await host.call(asker, 'GET', `/wp/v2/${item.kind}/${item.id}?context=edit`);
    expect([item, statusCode === 200]).toEqual([item, mayEdit(asker, item)]);
  }
});

test.each(['contributor', 'author'] as const)(
  '%s learns nothing of drafts of others by counting what a search finds',
  async (asker) => {
    for (const kind of KINDS) {
      for (const status of kind === 'media' ? ['inherit,private'] : STATUSES) {
        const answer = await host.call(asker, 'GET', `/wp/v2/${kind}?search=zqshortcode&per_page=100&status=${status}`);
        if (answer.statusCode === 400) continue;
        expect(answer.headers['x-wp-total']).toBe(String(answer.json<unknown[]>().length));
      }
    }
  },
);
