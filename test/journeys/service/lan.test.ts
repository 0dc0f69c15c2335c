import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { checkServerIdentity, connect } from 'node:tls';

import { renderUnicodeCompact } from 'uqr';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type HttpsFetch, httpsFetch } from '../../clients/https-fetch.ts';
import { runCommand } from '../../processes/run-command.ts';
import { type ServiceProcess, serveProcess } from '../../processes/waybridge-process.ts';
import { lanAddresses } from '../../../server/configuration/lan.ts';
import { demoFolder } from '../../services/demo-folder.ts';

/** An address that this machine may lack: the service answers at all that it has. */
const ADDRESS = '10.1.2.3';

let service: ServiceProcess;
let caFile: string;
let site: string;
let fetch: HttpsFetch;
beforeAll(async () => {
  const DATA_DIR = await demoFolder();
  caFile = join(DATA_DIR, 'tls/ca.pem');
  service = await serveProcess({ DATA_DIR, LAN: ADDRESS, LOG_LEVEL: 'warn' });
  site = `https://${ADDRESS}:${service.port}`;
  fetch = await httpsFetch(await readFile(caFile, 'utf8'));
});
afterAll(() => service.end());

/** Asks the service as a client does that reaches it at its address. */
const ask = (path: string, init: Parameters<HttpsFetch>[1] = {}) =>
  fetch(`https://127.0.0.1:${service.port}${path}`, {
    ...init,
    headers: { host: `${ADDRESS}:${service.port}`, ...init.headers },
  });

test('everything printed names the address, and a QR code has the link', () => {
  const [link = ''] = /https:\S+\/start#\S+/.exec(service.banner) ?? [];
  expect(link).toContain(`${site}/start#`);
  expect(service.banner).toContain(renderUnicodeCompact(link, { border: 2 }));
  expect(service.banner).toContain(`  Phones       ${site}/ca `);
  expect(service.banner).not.toContain('https://localhost');
});

test.each([ADDRESS, 'localhost', '127.0.0.1', `${hostname().toLowerCase().split('.')[0]}.local`])(
  'its certificate is valid for %s',
  async (name) => {
    const socket = connect({
      port: service.port,
      host: '127.0.0.1',
      ca: await readFile(caFile),
      servername: isIP(name) === 0 ? name : '',
      checkServerIdentity: (_, peer) => checkServerIdentity(name, peer),
    });
    await once(socket, 'secureConnect');
    expect(socket.authorized).toBe(true);
    socket.destroy();
  },
);

test('a page leads telephones to the certificate of the authority', async () => {
  const page = await (await ask('/ca')).text();
  const fingerprint = /CA SHA-256 +(\S+)/.exec(service.banner)?.[1];
  for (const part of [`<code>${fingerprint}</code>`, `href="${site}/ca.crt"`, '<svg', 'Traccar Client', 'OwnTracks'])
    expect(page).toContain(part);
  const file = await ask('/ca.crt');
  expect(file.headers.get('content-type')).toBe('application/x-x509-ca-cert');
  expect(await file.text()).toBe(await readFile(caFile, 'utf8'));
});

test.each([
  '/',
  '/docs/component',
  '/ca',
  '/start',
  '/apps',
  '/security',
  '/security/reset',
  '/docs/api',
  '/blog/',
  '/nope/',
  '/authorize',
])('%s runs scripts by the nonce of the answer only, since all pages have one host', async (path) => {
  const { headers } = await ask(path, { headers: { accept: 'text/html' } });
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src [^;]*'(?:self|unsafe-inline)/);
  if (headers.get('content-type')?.startsWith('text/html')) expect(policy).toMatch(/script-src 'nonce-[\w-]+'/);
});

test('others in the network see the demonstration, and create the account at the address', async () => {
  const front = await (await ask('/')).text();
  expect(front).toContain('Shown in this network only');
  expect(front).toContain(`href="${site}/start">Start your own</a>`);
  const [, code = ''] = /\/start#(\S+)/.exec(service.banner) ?? [];
  const body = new URLSearchParams({ code, name: 'Van', email: 'ada@example.com', password: 'oats and barley, milk' });
  const headers = { origin: site, 'content-type': 'application/x-www-form-urlencoded' };
  const created = await ask('/start', { method: 'POST', headers, body });
  expect([created.status, created.headers.get('location')]).toEqual([303, `${site}/console`]);
});

test.each(['BASE_URL', 'AUTH_URL', 'SITE_URL', 'GRAPHQL_URL', 'TLS_CERT'])('LAN is refused with %s', async (name) => {
  const { code, stderr } = await runCommand(['config'], { LAN: ADDRESS, [name]: 'https://fleet.example.com/x' });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`LAN must not be given together with ${name}`)]);
});

test('--lan takes an address of this machine on a private network, or says that there is none', async () => {
  const [own] = lanAddresses();
  const { code, stdout, stderr } = await runCommand(['config', '--lan', '--json'], {});
  expect(code).toBe(own === undefined ? 1 : 0);
  expect(stdout + stderr).toContain(own === undefined ? 'LAN must be true, false, or the IPv4' : `https://${own}:8443`);
});
