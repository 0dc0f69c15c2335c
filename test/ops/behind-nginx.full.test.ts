import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { freePort } from '../../server/start/free-port.ts';
import { packageVersion } from '../../http/package-file.ts';
import { httpsClient, jsonOf } from '../clients/https-client.ts';
import { testCertificate } from '../hosts/test-host.ts';
import { askWaybridge, readyService, spawnWaybridge } from '../processes/waybridge-process.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const TOKEN = 'metrics-token-0123456789';
const hasNginx = spawnSync('nginx', ['-v']).status === 0;

/** Starts nginx with the configuration of `ops`, on other ports and with a certificate for this machine. */
async function startNginx(folder: string, servicePort: number): Promise<number> {
  const port = await freePort('127.0.0.1', 0);
  const { cert, key } = await testCertificate();
  await mkdir(join(folder, 'logs'));
  await Promise.all([writeFile(join(folder, 'fullchain.pem'), cert), writeFile(join(folder, 'privkey.pem'), key)]);
  const site = (await readFile(join(ROOT, 'ops/proxy/nginx.conf'), 'utf8'))
    .replaceAll('/etc/letsencrypt/live/fleet.example.com', folder)
    .replace('127.0.0.1:8443', `127.0.0.1:${servicePort}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${await freePort('127.0.0.1', 0)}`);
  const main = `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`;
  await writeFile(join(folder, 'nginx.conf'), main);
  const nginx = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')]);
  onTestFinished(async () => {
    nginx.kill();
    await once(nginx, 'exit');
  });
  return port;
}

test.skipIf(!hasNginx)('behind nginx the service serves its own, and closes metrics to strangers', async () => {
  const folder = await temporaryFolder();
  const settings = { DATA_DIR: join(folder, 'data'), METRICS_TOKEN: TOKEN, TRUSTED_PROXIES: '127.0.0.1' };
  const { api_key } = await askWaybridge(['account', 'add', '--nickname', 'Bakery'], settings);
  const args = ['serve', '--no-demo'];
  const service = await readyService(spawnWaybridge(args, { ...settings, PORT: '0' }), settings);
  onTestFinished(async () => void (await service.end()));
  const url = `https://localhost:${await startNginx(folder, service.port)}`;
  const client = httpsClient((await testCertificate()).ca);
  const health = () => client(`${url}/healthz`).then(jsonOf, () => null);
  await expect.poll(health).toEqual({ status: 'ok', version: packageVersion() });
  const account = await client(`${url}/api/v2/account`, { headers: { 'service-api-key': String(api_key) } });
  expect(jsonOf(account)).toMatchObject({ nickname: 'Bakery' });
  const metrics = async (headers = {}) => (await client(`${url}/metrics`, { headers })).status;
  expect([await metrics(), await metrics({ authorization: `Bearer ${TOKEN}` })]).toEqual([404, 200]);
});
