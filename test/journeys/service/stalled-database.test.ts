import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { startEmbeddedDatabase } from '../../../embedded/embedded-database.ts';
import { httpsClient } from '../../clients/https-client.ts';
import { openStallingProxy } from '../../hosts/stalling-proxy.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { askCommand } from '../../processes/run-command.ts';
import { serveProcess } from '../../processes/waybridge-process.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

test('requests are 503 within ten seconds while a database answers its monitor and no command, and later ones are answered', async () => {
  const DATA_DIR = await temporaryFolder();
  const database = await startEmbeddedDatabase({ file: join(DATA_DIR, 'other.db') });
  const proxy = await openStallingProxy(database.uri);
  const settings = { DATA_DIR, MONGODB_URI: proxy.uri };
  const service = await serveProcess(settings, '--no-demo');
  onTestFinished(async () => {
    await service.end('SIGKILL');
    await proxy.close();
    await database.close();
  });
  const { api_key } = await askCommand(['account', 'add', '--nickname', 'Bakery'], service.settings);
  const ask = httpsClient(await readFile(join(DATA_DIR, 'tls/ca.pem'), 'utf8'));
  const headers = { 'service-api-key': String(api_key), 'content-type': 'application/json' };
  const requests = [
    ['/api/v2/account', { headers }],
    ['/api/v2/groups', { headers, method: 'POST', body: '{"name":"late"}' }],
    ['/graphql', { headers, method: 'POST', body: '{"query":"{ account { nickname } }"}' }],
    ['/wp-json/wp/v2/posts', {}],
    ['/oauth/token', { headers: FORM, method: 'POST', body: 'grant_type=authorization_code&client_id=a&code=b' }],
  ] as const;
  const stall = proxy.stall({ at: 0, when: 'before' });
  const from = performance.now();
  const answers = await Promise.all(
    requests.map(async ([path, request]) => {
      const answer = await ask(`${service.url}${path}`, request);
      return [path, answer.status, answer.headers['retry-after'], performance.now() - from < 10_500];
    }),
  );
  expect(answers).toEqual(requests.map(([path]) => [path, 503, '10', true]));
  stall.end();
  expect(await ask(`${service.url}/api/v2/account`, { headers })).toMatchObject({ status: 200 });
});
