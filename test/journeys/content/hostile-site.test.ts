import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';

import { describe, expect, onTestFinished, test } from 'vitest';

import { ImportError } from '../../../content/transfer/record-reader.ts';
import { readSite } from '../../../content/transfer/read-site.ts';
import type { Fetch, SiteReader } from '../../../content/transfer/site-client.ts';
import { httpsFetch } from '../../clients/https-fetch.ts';
import { closeServer, listenOnLoopback } from '../../hosts/loopback.ts';
import { testCertificate } from '../../hosts/test-host.ts';
import { outcomeOf, spawnWaybridge } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

/** A site that answers as it likes; its address. */
async function siteOf(answer: RequestListener): Promise<string> {
  const { cert, key } = await testCertificate();
  const server = createServer({ cert, key }, answer);
  onTestFinished(() => closeServer(server));
  return `https://localhost:${await listenOnLoopback(server)}`;
}

/** Output of the command about a site. */
async function importOf(origin: string, args: readonly string[] = [], stdin = ''): Promise<string> {
  const folder = await temporaryFolder();
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, (await testCertificate()).ca);
  const settings = { DATA_DIR: join(folder, 'data'), NODE_EXTRA_CA_CERTS: ca };
  const child = spawnWaybridge(['content', 'import', `${origin}/wp-json`, ...args], settings);
  child.stdin.end(stdin);
  const { code, stderr } = await outcomeOf(child);
  expect([code, stderr.trim().split('\n').length]).toEqual([1, 1]);
  return stderr;
}

/** Sentence with which an import of a site ends; the command prints it. */
async function faultOf(origin: string): Promise<string> {
  const error = await readAll(readSite(`${origin}/wp-json`, null, await httpsFetch())).catch((fault: unknown) => fault);
  return error instanceof ImportError ? error.message : String(error);
}

async function readAll(members: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of members);
}

const isIndex = (url = '') => url === '/wp-json/';
const INDEX = JSON.stringify({ home: 'https://site.example' });

describe('an import from a site that', () => {
  test('nests its answer deep ends with a sentence', async () => {
    const origin = await siteOf((_request, response) => response.end('['.repeat(3_000_000)));
    expect(await importOf(origin)).toContain('answers JSON that is nested more than 512 deep: import a file');
  });

  test('answers no JSON ends with a sentence', async () => {
    const origin = await siteOf(({ url }, response) => response.end(isIndex(url) ? INDEX : '<html>'));
    expect(await faultOf(origin)).toContain('is not a WordPress REST API');
  });

  test.each([
    ['has pages without end', '9999', 'repeats items of earlier pages: import a file'],
    ['names a number of pages beyond all bounds', '1e300', 'claims to have more than 10000 pages'],
    ['names no number of pages', 'many', 'claims to have more than 10000 pages'],
  ])('%s ends with a sentence', async (_, pages, sentence) => {
    const origin = await siteOf(({ url }, response) => {
      response.setHeader('X-WP-TotalPages', pages);
      response.end(isIndex(url) ? INDEX : '[{"id":1}]');
    });
    expect(await faultOf(origin)).toContain(sentence);
  });

  test('answers without end is left after 64 MiB', async () => {
    const piece = Buffer.alloc(2 ** 20, ' ');
    const origin = await siteOf((_request, response) => {
      const go = (): void => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', go);
      go();
    });
    expect(await importOf(origin)).toContain('answers more than 64 MiB: import a file');
  });

  test('leads to another host gets no credentials there', async () => {
    const requested: unknown[] = [];
    const other = await siteOf(({ headers }, response) => {
      requested.push(headers.authorization);
      response.end(INDEX);
    });
    const origin = await siteOf((_request, response) => {
      response.writeHead(302, { Location: `${other}/wp-json/` }).end();
    });
    const said = await importOf(origin, ['--username', 'mara', '--application-password-stdin'], 'secret\n');
    expect(said).toContain(`redirects to another host, ${other}/wp-json/: give that address`);
    expect(requested).toEqual([]);
  });

  test('names files of another host by http, such as one inside, has them left alone', async () => {
    const media = [{ id: 7, source_url: 'http://169.254.169.254/latest/meta-data/' }];
    const origin = await siteOf(({ url }, response) => {
      response.end(isIndex(url) ? INDEX : url?.includes('/media') ? JSON.stringify(media) : '[]');
    });
    expect(await faultOf(origin)).toContain(
      'http://169.254.169.254/latest/meta-data/ is on another host and not served over https',
    );
  });

  test('leads in a circle ends with a sentence', async () => {
    const origin = await siteOf((_request, response) => {
      response.writeHead(302, { Location: '/wp-json/' }).end();
    });
    expect(await faultOf(origin)).toContain('redirects more than 3 times');
  });
});

test('an answer that does not arrive in its time is left', async () => {
  const time = new AbortController();
  const drip: Fetch = async (_address, { signal }) => {
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{'));
        signal.addEventListener('abort', () => controller.error(signal.reason));
        time.abort();
      },
    });
    return new Response(body);
  };
  const nobody: SiteReader | null = null;
  const read = readAll(readSite('https://site.example/wp-json', nobody, drip, () => time.signal));
  await expect(read).rejects.toThrow('takes too long to answer');
});
