import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { exportContent } from '../../../content/transfer/export-content.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import type { Member } from '../../../content/transfer/json-members.ts';
import { keepMembers } from '../../../content/transfer/kept-members.ts';
import type { ContentSource } from '../../../content/transfer/read-lists.ts';
import { readSite } from '../../../content/transfer/read-site.ts';
import type { Fetch, SiteReader } from '../../../content/transfer/site-client.ts';
import { SITE, useContentHost } from '../../hosts/content-host.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { testService } from '../../services/database.ts';

const host = useContentHost();

const API = `${SITE}/wp-json`;
const PICTURE = 'the bytes of a picture';
const stamps = {
  date: '2024-03-01T10:00:00',
  date_gmt: '2024-03-01T10:00:00',
  modified: '2024-03-01T10:00:00',
  modified_gmt: '2024-03-01T10:00:00',
};

/** Fetches from the website of this test, as if over the net. */
const fetchHere: Fetch = async (address, { headers }) => {
  const answer = await host.call('anonymous', 'GET', address, { headers });
  const shown = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers: shown });
};

function administrator(): SiteReader {
  const [, encoded = ''] = host.credentialsOf('administrator').split(' ');
  const [username = '', applicationPassword = ''] = Buffer.from(encoded, 'base64').toString().split(':');
  return { username, applicationPassword };
}

async function exported(): Promise<Record<string, unknown[]>> {
  const pieces: string[] = [];
  for await (const piece of exportContent(testService, SITE)) pieces.push(piece);
  return JSON.parse(pieces.join(''));
}

/** The members of a site, kept in a file. */
async function kept(reader: SiteReader | null, api = API): Promise<ContentSource> {
  return keepMembers(readSite(api, reader, fetchHere), join(await temporaryFolder(), 'members'));
}

beforeAll(async () => {
  const posts = Array.from({ length: 105 }, (_, at) => ({
    ...stamps,
    id: 1000 + at,
    status: at === 0 ? 'draft' : 'publish',
    slug: `post-${at}`,
    title: { raw: `Post & ${at}` },
    content: { raw: `It's -- no. ${at}\u2028` },
    author: 3,
    comment_status: 'open',
    tags: [9],
  }));
  const media = {
    ...stamps,
    id: 990,
    slug: 'picture',
    title: { raw: 'Picture' },
    author: 3,
    mime_type: 'image/png',
    source_url: `${SITE}/wp-content/uploads/2024/03/picture.png`,
    file_base64: Buffer.from(PICTURE).toString('base64'),
  };
  const comments = [
    { id: 70, post: 1001, date: stamps.date, date_gmt: stamps.date, content: { raw: 'Held' }, status: 'hold' },
  ];
  const revision = { ...stamps, id: 2000, parent: 1001, slug: '1001-revision-v1', title: { raw: 'Was' }, author: 3 };
  const tags = [{ id: 9, name: 'alpha', slug: 'alpha' }];
  const pages = [{ ...stamps, id: 980, status: 'publish', slug: 'about', title: { raw: 'About' }, author: 3 }];
  await importContent(
    testService,
    { tags, posts, pages, media: [media], comments, revisions: [revision] },
    { replace: false, siteUrl: SITE },
  );
});

test('an administrator of a site reads all of it, page by page, as it was written', async () => {
  const before = await exported();
  await importContent(testService, await kept(administrator()), { replace: false, siteUrl: SITE });
  const after = await exported();
  for (const list of ['categories', 'tags', 'pages', 'posts', 'media', 'revisions', 'comments']) {
    expect(after[list], list).toEqual(before[list]);
  }
  expect(after.posts).toHaveLength(105);
});

test('a stranger reads what is published, as it is shown', async () => {
  const members: Member[] = [];
  for await (const member of (await kept(null))()) members.push(member);
  const named = (name: string) => members.filter((member) => member.name === name);
  expect(['posts', 'comments', 'revisions'].map((name) => named(name).length)).toEqual([104, 0, 0]);
  expect(named('posts').map(({ at }) => at)).toEqual(Array.from({ length: 104 }, (_, at) => at));
  expect(named('users')).toMatchObject([{ value: [{ id: 3 }], at: null }]);
  expect(JSON.stringify(members)).toContain(Buffer.from(PICTURE).toString('base64'));
});

test('an address that is no REST API is rejected with one sentence', async () => {
  await expect(kept(null, `${SITE}/elsewhere`)).rejects.toThrow(/answered 404: give an address that ends/);
  const reader = { username: 'a', applicationPassword: 'b' };
  await expect(kept(reader, 'http://site.example/wp-json')).rejects.toThrow('only sent over https');
});
