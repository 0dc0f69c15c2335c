import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';

import { ContentItemStore } from '../../../content/models/content-item.ts';
import { publishDueItems } from '../../../content/items/pending/pending-changes.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import { addWebsiteUser } from '../../../content/users/manage-website-user.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { contentSiteEndpoint } from '../../../pages/endpoints/content-site-endpoint.ts';
import { httpsClient } from '../../clients/https-client.ts';
import { openHost } from '../../hosts/open-host.ts';
import { runSize } from '../../services/run-size.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { testService, openTestDatabase } from '../../services/database.ts';

const API = '/wp-json/wp/v2';

/** An answer, as far as content decides about it. */
interface Seen {
  readonly status: number;
  readonly text: string;
  readonly counts: readonly unknown[];
}

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to a server. */
type Ask = (path: string, sent?: Sent) => Promise<Seen>;

const COUNTS = ['x-wp-total', 'x-wp-totalpages', 'link'];

/** A server in a process of its own and one in this process, over one database; and the credentials of an administrator. */
async function twoServers(): Promise<{ readonly servers: readonly [Ask, Ask]; readonly authorization: string }> {
  const DATA_DIR = await temporaryFolder();
  const service = await serveProcess({ DATA_DIR, LOG_LEVEL: 'error' }, '--no-demo');
  const config = readConfig(service.settings);
  const database = await openTestDatabase(config, false);
  const site = new URL(config.siteUrl);
  const app = await openHost([
    await contentEndpoint(testService, site),
    contentSiteEndpoint(testService, config, new ContentSite(testService, site)),
  ]);
  onTestFinished(async () => {
    await app.close();
    await database.close();
    await service.end();
  });
  const ask = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'), { keepAlive: true });
  const { username, application_password } = await addWebsiteUser(
    testService,
    'ada',
    'ada@example.com',
    'administrator',
  );
  const authorization = `Basic ${Buffer.from(`${username}:${application_password}`).toString('base64')}`;
  const remote: Ask = async (path, sent) => {
    const { status, headers, text } = await ask(service.url + path, sent);
    return { status, text, counts: COUNTS.map((name) => headers[name]) };
  };
  return { servers: [remote, inject(app)], authorization };
}

function inject(app: FastifyInstance): Ask {
  return async (url, { method = 'GET', headers = {}, body } = {}) => {
    const sent = { method: method as 'GET', url, headers: { host: 'localhost', ...headers } };
    const answer = await app.inject({ ...sent, ...(body !== undefined && { payload: body }) });
    return { status: answer.statusCode, text: answer.body, counts: COUNTS.map((name) => answer.headers[name]) };
  };
}

const READS = [
  ...['posts', 'posts?per_page=2&_embed', 'posts/1', 'posts?search=word', 'posts?categories=1', 'categories', 'tags'],
  ...['comments', 'users', 'pages', 'media', 'types', 'taxonomies?context=view', 'posts?_fields=id,title'],
].map((path) => `${API}/${path}`);
/** Requests of the administrator. */
const EDITING = ['posts?context=edit&status=any', 'users?context=edit'].map((path) => `${API}/${path}`);
const PAGES = ['/blog/', '/feed.xml', '/?s=word', '/2024/02/03/one/'];

const POST = { status: 'publish', date: '2024-02-03T10:00:00' };
/** Changes that an administrator makes; some are rejected, according to those before. */
const WRITES: readonly (readonly [method: string, path: string, body: object])[] = [
  ['POST', 'posts', { ...POST, title: 'one', content: 'A word', categories: [1] }],
  ['POST', 'posts', { ...POST, title: 'two', sticky: true, tags: [2] }],
  ['POST', 'posts/1', { content: 'Another word' }],
  ['POST', 'posts/1', { title: 'one anew', password: 'secret' }],
  ['POST', 'posts/1', { password: '', status: 'private' }],
  ['POST', 'posts/1', { status: 'publish', slug: 'one' }],
  ['DELETE', 'posts/1', {}],
  ['DELETE', 'posts/2?force=true', {}],
  ['POST', 'posts/1', { status: 'future', date: '2124-01-01T00:00:00' }],
  ['POST', 'pages', { ...POST, title: 'About' }],
  ['POST', 'categories', { name: 'News' }],
  ['POST', 'categories/2', { name: 'Novelties' }],
  ['DELETE', 'categories/2?force=true', {}],
  ['POST', 'tags', { name: 'beta' }],
  ['POST', 'comments', { post: 1, content: 'Well said' }],
  ['POST', 'comments/1', { content: 'Better said' }],
  ['POST', 'comments/1', { status: 'hold' }],
  ['DELETE', 'comments/1?force=true', {}],
  ['POST', 'users/1', { name: 'Ada L.' }],
  ['POST', 'users', { username: 'bob', email: 'bob@example.com', password: 'correct horse', roles: ['editor'] }],
  ['POST', 'settings', { title: 'Renamed' }],
  ['POST', 'settings', { posts_per_page: 1 }],
  ['POST', 'settings', { timezone: 'Europe/Berlin' }],
  ['POST', 'settings', { use_smilies: false }],
];

/** An answer without the token of its form, which says when the form was shown. */
function withoutToken(seen: Seen): Seen {
  return { ...seen, text: seen.text.replace(/name="token" value="[^"]+"/, '') };
}

/** A step: a change by one of the servers, or several changes at the same moment. */
const STEP = fc.array(fc.tuple(fc.nat(WRITES.length - 1), fc.nat(1)), { minLength: 1, maxLength: 4 });

test('whatever is changed on either of two servers, both answer visitors and users as if nothing were kept', async () => {
  const { servers, authorization } = await twoServers();
  const change = ([at, server]: readonly [number, number]) => {
    const [method = '', path = '', body = {}] = WRITES[at] ?? [];
    const headers = { authorization, 'content-type': 'application/json' };
    return servers[server === 0 ? 0 : 1](`${API}/${path}`, { method, headers, body: JSON.stringify(body) });
  };
  const bothOf = async (ask: Ask, path: string) => {
    const credentials = EDITING.includes(path) ? { authorization } : {};
    // Whoever sends a cookie is answered again.
    const [kept, anew] = await Promise.all([
      ask(path, { headers: credentials }),
      ask(path, { headers: { ...credentials, cookie: 'a=b' } }),
    ]);
    return { kept: withoutToken(kept), anew: withoutToken(anew) };
  };
  /** @param isDue true while either server may publish a post that is due, between two answers */
  const demandSame = async (isDue = false) => {
    for (const ask of servers) {
      const compare = async (path: string) => {
        let both = await bothOf(ask, path);
        if (isDue && !isDeepStrictEqual(both.kept, both.anew)) both = await bothOf(ask, path);
        expect([path, both.kept]).toEqual([path, both.anew]);
      };
      await Promise.all([...READS, ...EDITING, ...PAGES].map(compare));
    }
  };
  for (const at of WRITES.keys()) await change([at, at % 2]);
  await demandSame();
  const steps = fc.array(STEP, { minLength: 2, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      for (const step of sequence) {
        const reading = Promise.all(READS.map((path, at) => servers[at % 2 === 0 ? 0 : 1](path)));
        await Promise.all(step.map(change));
        await demandSame();
        await reading;
      }
    }),
    { numRuns: runSize(1, 10), seed: 7, endOnFailure: true },
  );
  // A post becomes visible by the clock alone.
  await ContentItemStore.updateOne(
    testService,
    { id: 1 },
    { $set: { status: 'future', date_gmt: '2020-01-01T00:00:00' } },
  );
  await demandSame(true);
  await publishDueItems(testService);
  expect((await servers[0](`${API}/posts/1`)).status).toBe(200);
  await demandSame();
});
