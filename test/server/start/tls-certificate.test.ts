import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { readConfig } from '../../../server/configuration/config.ts';
import { newPrivateKey } from '../../../http/tls/issue-certificate.ts';
import { localCertificate } from '../../../http/tls/local-ca.ts';
import { tlsCertificate } from '../../../server/start/tls-certificate.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

test('comes from the local authority when nothing is configured', async () => {
  const dataDir = await temporaryFolder();
  const { caFile } = await tlsCertificate(readConfig({ DATA_DIR: dataDir, BASE_URL: 'https://api.example.com' }));
  expect(caFile).toBe(join(dataDir, 'tls', 'ca.pem'));
});

test('is the configured one when there is one', async () => {
  const folder = await temporaryFolder();
  const { key, cert } = await localCertificate(folder, []);
  const env = { TLS_CERT: join(folder, 'tls', 'server.pem'), TLS_KEY: join(folder, 'tls', 'server-key.pem') };
  expect(await tlsCertificate(readConfig(env))).toEqual({ cert, key, caFile: null, isNewAuthority: false });
});

test('a missing file stops the start with the name of its variable', async () => {
  const env = { TLS_CERT: '/nowhere/cert.pem', TLS_KEY: '/nowhere/key.pem' };
  await expect(tlsCertificate(readConfig(env))).rejects.toThrow(/^TLS_CERT must be a readable PEM file/);
});

test('a key of another certificate stops the start', async () => {
  const folder = await temporaryFolder();
  await localCertificate(folder, []);
  const other = join(folder, 'other.pem');
  await writeFile(other, await newPrivateKey());
  const env = { TLS_CERT: join(folder, 'tls', 'server.pem'), TLS_KEY: other };
  await expect(tlsCertificate(readConfig(env))).rejects.toThrow(/^TLS_KEY must be the private key/);
});
