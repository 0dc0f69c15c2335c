import { execFileSync, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { askWaybridge, serveProcess } from '../../processes/waybridge-process.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const HAS_PRLIMIT = spawnSync('prlimit', ['--version']).status === 0;

// The limit of a file's size is what a full disk is to the database, without a disk that would have to be mounted.
test.skipIf(!HAS_PRLIMIT)(
  'a full disk is 503 with Retry-After; it goes on with room, and nothing is lost',
  async () => {
    const DATA_DIR = await temporaryFolder();
    const service = await serveProcess({ DATA_DIR }, '--no-demo');
    const { api_key: key } = await askWaybridge(['account', 'add', '--nickname', 'Bakery'], service.settings);
    const ca = await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8');
    const ask = (method: string, path: string, body?: object, { port } = service) =>
      new Promise<{ status: number | undefined; retryAfter: string | undefined; body: string }>((resolve, reject) => {
        const headers = { 'Service-Api-Key': String(key), 'Content-Type': 'application/json' };
        const sent = request({
          ca,
          host: 'localhost',
          family: 4,
          port: port,
          method,
          path,
          headers,
          agent: false,
        });
        sent.on('error', reject).on('response', (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          const { statusCode: status, headers: got } = answer;
          answer.on('end', () => resolve({ status, retryAfter: got['retry-after'], body: text }));
        });
        sent.end(body === undefined ? undefined : JSON.stringify(body));
      });
    const limitFiles = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', ['--pid', String(service.child.pid), `--fsize=${bytes}:`]);
    const create = (name: string) => ask('POST', '/api/v2/groups', { name });

    expect((await create('before')).status).toBe(201);
    expect((await ask('GET', '/readyz')).status).toBe(200);
    limitFiles(4096);
    const refused = await create('meanwhile');
    expect([refused.status, refused.retryAfter, refused.body]).toEqual([503, '10', '']);
    const mutation = { query: 'mutation { createGroup(name: "meanwhile") { key } }' };
    expect(await ask('POST', '/graphql', mutation)).toMatchObject({ status: 503, retryAfter: '10' });
    expect((await ask('GET', '/healthz')).status).toBe(200);
    expect((await ask('GET', '/api/v2/groups')).status).toBe(200);
    await expect.poll(async () => (await ask('GET', '/readyz')).status).toBe(503);
    limitFiles('unlimited');
    await expect.poll(async () => (await ask('GET', '/readyz')).status).toBe(200);
    expect((await create('after')).status).toBe(201);
    await service.end('SIGKILL');

    const again = await serveProcess({ DATA_DIR }, '--no-demo');
    const names = (await ask('GET', '/api/v2/groups', undefined, again)).body;
    expect([names.includes('before'), names.includes('after'), names.includes('meanwhile')]).toEqual([
      true,
      true,
      false,
    ]);
    expect((await again.end()).code).toBe(0);
  },
);
