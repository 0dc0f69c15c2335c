import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import tls from 'node:tls';
import { once } from 'node:events';

import { beforeEach, expect, test } from 'vitest';

import { connectTls } from '../../clients/raw-client.ts';
import { localCertificate } from '../../../http/tls/local-ca.ts';
import { readConfig } from '../../../server/configuration/config.ts';
import { certificateRenewal } from '../../../server/start/certificate-renewal.ts';
import { tlsCertificate } from '../../../server/start/tls-certificate.ts';
import { endpointOf, listen, testHost } from '../../hosts/test-host.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const endpoint = endpointOf((app) => {
  app.get('/thing', async () => 'thing');
});
/** Files of a host, and of another certificate, in a folder each. */
let served: string;
let renewed: string;

beforeEach(async () => {
  served = await certificateFolder();
  renewed = await certificateFolder();
});

test('a connection that is open goes on, and the next one is shown the new certificate', async () => {
  const { port, client, renew } = await serveCertificate();
  const before = await fingerprintAt(port);
  await replace('server.pem', 'server-key.pem');
  await renew();
  client.send('GET /thing HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await client.received('thing');
  expect(await fingerprintAt(port)).not.toBe(before);
});

test('a certificate whose key is not there yet is logged and not shown', async () => {
  const { port, renew, lines } = await serveCertificate();
  const before = await fingerprintAt(port);
  await replace('server.pem');
  await renew();
  expect(await fingerprintAt(port)).toBe(before);
  expect(lines.join()).toContain('TLS_KEY must be the private key of the first certificate in TLS_CERT');
  await replace('server-key.pem');
  await renew();
  expect(await fingerprintAt(port)).not.toBe(before);
});

/** A host with the certificate, and a connection to it. */
async function serveCertificate() {
  const config = readConfig({ TLS_CERT: join(served, 'server.pem'), TLS_KEY: join(served, 'server-key.pem') });
  const certificate = await tlsCertificate(config);
  const { app, lines } = await testHost([endpoint], { certificate });
  const port = await listen(app);
  const renew = certificateRenewal(app, config, certificate, app.log);
  return { port, lines, renew, client: await connectTls(port, false) };
}

async function certificateFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await localCertificate(folder, []);
  return join(folder, 'tls');
}

async function replace(...files: string[]): Promise<void> {
  for (const file of files) await copyFile(join(renewed, file), join(served, file));
}

async function fingerprintAt(port: number): Promise<string> {
  const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const { fingerprint256 } = socket.getPeerCertificate();
  socket.destroy();
  return fingerprint256;
}
