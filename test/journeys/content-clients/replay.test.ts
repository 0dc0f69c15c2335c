import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { hashPassword } from '../../../auth/secrets/passwords.ts';
import { importContent } from '../../../content/transfer/import-content.ts';
import { mediaStorage } from '../../../content/media/storage/media-storage.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { ContentSite } from '../../../content/site/content-site.ts';
import type { Endpoint } from '../../../http/endpoint.ts';
import { contentEndpoint } from '../../../content/rest/content-endpoint.ts';
import { contentSiteEndpoint } from '../../../pages/endpoints/content-site-endpoint.ts';
import { siteEndpoint } from '../../../pages/endpoints/site-endpoint.ts';
import { uploadsEndpoint } from '../../../server/endpoints/uploads-endpoint.ts';
import { freePort } from '../../../server/start/free-port.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { openHost } from '../../hosts/open-host.ts';

const RECORDING = new URL('../../../../shared/conformance/content/', import.meta.url).pathname;
const isThere = existsSync(RECORDING);

/** Cases in which the service says otherwise than the recording, as the specification has it, and why. */
const OTHERWISE: readonly (readonly [id: RegExp, why: string])[] = [
  [
    /^(?:index-0(?:0[1-9]|1[01]|20)|auth-015|discovery-010)$/,
    'the recorded index is of a site without the namespace pum/v1',
  ],
  [/^index-01[89]$/, 'the recorded site has no namespace pum/v1'],
  [/^index-049$/, "Node.js reads no method that HTTP does not know, so it cannot become the dialect's 404"],
  [/^media-006$/, 'the specification names the media type "font"'],
  [/^media-053$/, 'the replay compares files as text'],
  [/^posts-single-0(?:60|87)$/, 'the seed lacks the revision that the recorded site had made of a post in the trash'],
  [/^posts-list-(?:055|205)$/, 'the order of posts with the same author or date was that of its database'],
  [/^discovery-008$/, 'the front page is our own'],
  [/^posts-list-226$/, 'a list for editing has only what its reader may edit'],
  [/^posts-list-092$/, 'modified_after narrows a list, as in later versions; 4.9 silently ignores it'],
  [/^posts-(?:list-14[56]|single-074)$/, 'nested names in _fields choose parts, as in later versions; 4.9 finds none'],
  [/^auth-01[02]$/, 'an application password with spaces and the e-mail as login are accepted, as in later versions'],
  [/^posts-(?:list-1(?:49|50|52)|single-07[36])$/, 'the value of _embed chooses relations, as in later versions'],
  [/^posts-write-(?:09[3-9]|10[0-4])$/, 'the first text is kept as a revision, as in later versions'],
  [/^index-01[234]$/, 'routes that later versions added are listed'],
  [/^oembed-/, 'the script that sizes a frame is our own'],
];

/** A text as the recording has it: PHP's JSON, in JSON. */
const recordedText = (text: string) =>
  JSON.stringify(JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/')).slice(1, -1);

/** Texts of the recording, and those of the same WordPress served by https, or that does not show the marks of blocks. */
const LATER = [
  ...[0, 1, 2].map((server) => [`http://${server}.gravatar.com`, 'https://secure.gravatar.com'] as const),
  [
    '<p><!-- wp:paragraph --></p>\n<p>A block paragraph.</p>\n<p><!-- /wp:paragraph --></p>\n' +
      '<p><!-- wp:heading --></p>\n<h2>Heading</h2>\n<p><!-- /wp:heading --></p>\n',
    '\n<p>A block paragraph.</p>\n\n\n\n<h2>Heading</h2>\n',
  ] as const,
].map((texts) => texts.map(recordedText) as [string, string]);

interface ReplayResult {
  readonly cases: number;
  readonly l1: number;
  readonly l2: number;
  readonly l3: number;
  readonly failures: readonly { readonly id: string; readonly level: number; readonly why: string }[];
}

/** Levels of agreement. All cases but those above agree at each. */
const LEVELS = [
  [1, 'status and code'],
  [2, 'headers, ids and messages'],
  [3, 'everything'],
] as const;

useDatabase();

describe.skipIf(!isThere)(
  `the recorded answers of the reference${isThere ? '' : ' (skipped: not on this machine)'}`,
  () => {
    let app: FastifyInstance;
    let folder: string;
    let report: Readonly<Record<string, ReplayResult>>;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'waybridge-replay-'));
      const names = await casesWithReset(folder);
      const port = await freePort('127.0.0.1', 0);
      const site = new URL(`https://localhost:${port}`);
      app = await openHost(await endpointsOf(site));
      await app.listen({ host: '127.0.0.1', port });
      report = await replay(site.origin, folder, names);
    }, 600_000);

    afterAll(async () => {
      await app?.close();
      if (folder) await rm(folder, { recursive: true });
    });

    test.each(LEVELS)('agree at level %i, in %s', (level) => {
      const failures = Object.values(report).flatMap((result) => result.failures);
      const unexpected = failures.filter(
        (failure) => failure.level < level && !OTHERWISE.some(([id]) => id.test(failure.id)),
      );
      expect(unexpected.map(({ id, why }) => `${id} ${why}`)).toEqual([]);
    });

    test('say otherwise only where it is known', () => {
      const failed = Object.values(report).flatMap(({ failures }) => failures.map(({ id }) => id));
      for (const [id, why] of OTHERWISE)
        expect(
          failed.some((one) => id.test(one)),
          why,
        ).toBe(true);
    });
  },
);

/** Copies the cases, with the texts of today and a request before each file that puts the content back. */
async function casesWithReset(folder: string): Promise<string[]> {
  const files = await readdir(join(RECORDING, 'cases'));
  const reset = { id: 'reset', role: 'anonymous', method: 'POST', path: '/reset', compare: false };
  for (const name of files) {
    const cases = await readFile(join(RECORDING, 'cases', name), 'utf8');
    const served = LATER.reduce((text, [recorded, here]) => text.replaceAll(recorded, here), cases);
    await writeFile(join(folder, name), `${JSON.stringify(reset)}\n${served}`);
  }
  return files;
}

/** Endpoints below the website's address. */
async function endpointsOf(site: URL): Promise<Endpoint[]> {
  const website = new ContentSite(testService, site);
  const settings = readConfig({ SITE_URL: site.href });
  return [
    await resetEndpoint(site.origin),
    await contentEndpoint(testService, site),
    uploadsEndpoint(site, mediaStorage(testService)),
    await siteEndpoint(testService, settings, new Map(), async () => null, website),
    contentSiteEndpoint(testService, settings, website),
  ];
}

async function resetEndpoint(siteUrl: string): Promise<Endpoint> {
  const seed = await withHashedPasswords(JSON.parse(await readFile(join(RECORDING, 'seed.json'), 'utf8')));
  return {
    name: 'reset',
    register: (app) => {
      app.post('/reset', async () => importContent(testService, seed, { replace: true, siteUrl }));
    },
  };
}

/** Replaces passwords in plain text by their hashes, as an export has them, so that each is hashed once. */
async function withHashedPasswords({ credentials, ...rest }: Seed): Promise<object> {
  const hashed = credentials.map(async ({ account_password, ...others }) => ({
    ...others,
    password_hash: await hashPassword(account_password),
  }));
  return { ...rest, credentials: await Promise.all(hashed) };
}

interface Seed {
  readonly credentials: readonly { readonly account_password: string }[];
}

async function replay(base: string, folder: string, names: readonly string[]): Promise<Record<string, ReplayResult>> {
  const json = join(folder, 'report.json');
  const options = ['--base', base, '--insecure', '--cases', folder, '--json', json, '--min', '0,0,0'];
  const child = spawn(process.execPath, [join(RECORDING, 'replay.mjs'), ...options], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
  const { report } = JSON.parse(await readFile(json, 'utf8')) as { report: Record<string, ReplayResult> };
  expect(Object.keys(report)).toHaveLength(names.length);
  return report;
}
