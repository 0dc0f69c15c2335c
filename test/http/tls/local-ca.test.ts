import { createPrivateKey, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, isIP } from 'node:net';
import { join } from 'node:path';
import { checkServerIdentity, connect, createServer } from 'node:tls';

import * as x509 from '@peculiar/x509';
import { expect, test } from 'vitest';

import { issueServerCertificate } from '../../../http/tls/issue-certificate.ts';
import { type LocalCertificate, localCertificate } from '../../../http/tls/local-ca.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';

const DAY = 86_400_000;
const NOW = new Date('2026-11-22T00:00:00Z');

test('makes an authority and a certificate, and keeps what is secret to its owner', async () => {
  const data = await temporaryFolder();
  const { caFile } = await localCertificate(data, [], NOW);
  expect(caFile).toBe(join(data, 'tls', 'ca.pem'));
  expect((await readdir(join(data, 'tls'))).sort()).toEqual(['ca-key.pem', 'ca.pem', 'server-key.pem', 'server.pem']);
  const mode = async (path: string): Promise<number> => (await stat(join(data, path))).mode & 0o777;
  expect(await mode('tls')).toBe(0o700);
  expect(await mode('tls/ca-key.pem')).toBe(0o600);
  expect(await mode('tls/server-key.pem')).toBe(0o600);
});

test('names this machine and the given hosts', async () => {
  const { cert } = await localCertificate(await temporaryFolder(), ['api.example.com', '[fd00::1]', '192.0.2.7'], NOW);
  const names = new X509Certificate(cert).subjectAltName;
  for (const name of ['DNS:localhost', 'IP Address:127.0.0.1', 'IP Address:0:0:0:0:0:0:0:1', 'DNS:api.example.com']) {
    expect(names).toContain(name);
  }
  expect(new X509Certificate(cert).checkIP('fd00::1')).toBe('fd00::1');
  expect(new X509Certificate(cert).checkIP('192.0.2.7')).toBe('192.0.2.7');
});

test('writes the extensions that browsers ask for', async () => {
  const { cert, caFile } = await localCertificate(await temporaryFolder(), [], NOW);
  const server = new x509.X509Certificate(cert);
  const ca = new x509.X509Certificate(await readFile(caFile, 'utf8'));

  expect(ca.getExtension(x509.BasicConstraintsExtension)).toMatchObject({ ca: true, critical: true });
  expect(ca.getExtension(x509.KeyUsagesExtension)?.usages).toBe(
    x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
  );
  expect(server.getExtension(x509.BasicConstraintsExtension)).toMatchObject({ ca: false, critical: true });
  expect(server.getExtension(x509.ExtendedKeyUsageExtension)?.usages).toEqual([x509.ExtendedKeyUsage.serverAuth]);
  const issuerKey = ca.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId;
  expect(issuerKey).toMatch(/^[0-9a-f]{40}$/);
  expect(server.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId).toBe(issuerKey);
  expect(server.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId).not.toBe(issuerKey);
  expect((server.notAfter.getTime() - server.notBefore.getTime()) / DAY).toBeLessThanOrEqual(825);
  expect(await server.verify({ publicKey: ca.publicKey })).toBe(true);
});

test('keeps the certificate while it serves', async () => {
  const data = await temporaryFolder();
  const first = await localCertificate(data, ['api.example.com'], NOW);
  expect(await localCertificate(data, [], new Date(NOW.getTime() + 300 * DAY))).toEqual(first);
});

test('issues a certificate anew when it expires within 30 days, and keeps the authority', async () => {
  const data = await temporaryFolder();
  const first = await localCertificate(data, [], NOW);
  const ca = await readFile(first.caFile, 'utf8');
  const second = await localCertificate(data, [], new Date(NOW.getTime() + 370 * DAY));
  expect(second.cert).not.toBe(first.cert);
  expect(second.isNewAuthority).toBe(false);
  expect(await readFile(first.caFile, 'utf8')).toBe(ca);
  expect(new X509Certificate(second.cert).verify(new X509Certificate(ca).publicKey)).toBe(true);
});

test('replaces what was issued while the clock was ten years ahead, once the clock is right', async () => {
  const data = await temporaryFolder();
  await localCertificate(data, [], new Date(NOW.getTime() + 3650 * DAY));
  const { cert, caFile } = await localCertificate(data, [], NOW);
  for (const pem of [cert, await readFile(caFile, 'utf8')])
    expect(new Date(new X509Certificate(pem).validFrom).getTime()).toBeLessThanOrEqual(NOW.getTime());
});

test('issues both certificates anew for a new host name, with the same keys, and says so', async () => {
  const data = await temporaryFolder();
  const first = await localCertificate(data, [], NOW);
  expect(first.isNewAuthority).toBe(false);
  const before = await readFile(first.caFile, 'utf8');
  const second = await localCertificate(data, ['api.example.com'], NOW);
  expect(second.isNewAuthority).toBe(true);
  const after = await readFile(first.caFile, 'utf8');
  expect(after).not.toBe(before);
  expect(new X509Certificate(after).verify(new X509Certificate(before).publicKey)).toBe(true);
  expect(await handshake(second, 'api.example.com')).toBe('trusted');
});

test('the authority is trusted for this machine and the given hosts, and for nothing else', async () => {
  const data = await temporaryFolder();
  const local = await localCertificate(data, ['api.example.com', '192.0.2.7', '[fd00::1]'], NOW);
  const ca = {
    certificate: await readFile(local.caFile, 'utf8'),
    key: await readFile(join(data, 'tls/ca-key.pem'), 'utf8'),
  };
  for (const host of ['localhost', '127.0.0.1', '::1', 'api.example.com', '192.0.2.7', 'fd00::1']) {
    expect(await handshake(local, host), host).toBe('trusted');
  }
  for (const host of ['127.8.9.10', 'a.localhost', 'www.api.example.com']) {
    const cert = await issueServerCertificate(ca, local.key, [host], NOW);
    expect(await handshake({ ...local, cert }, host), host).toBe('trusted');
  }
  for (const host of ['example.com', 'bank.example', '192.0.2.8', '::2']) {
    const cert = await issueServerCertificate(ca, local.key, [host], NOW);
    expect(await handshake({ ...local, cert }, host), host).toBe('permitted subtree violation');
  }
});

test('an authority for networks and domains keeps when the address changes, and is trusted for nothing else', async () => {
  const data = await temporaryFolder();
  const permitted = ['192.168.0.0/16', 'local', 'laptop'];
  const first = await localCertificate(data, ['192.168.1.20', 'laptop.local'], NOW, permitted);
  const certificate = await readFile(first.caFile, 'utf8');
  const second = await localCertificate(data, ['192.168.7.8', 'laptop.local', 'laptop'], NOW, permitted);
  expect(second.isNewAuthority).toBe(false);
  for (const host of ['192.168.7.8', 'laptop.local', 'laptop', 'localhost'])
    expect(await handshake(second, host), host).toBe('trusted');
  const ca = { certificate, key: await readFile(join(data, 'tls/ca-key.pem'), 'utf8') };
  for (const host of ['192.169.0.1', '10.0.0.1', 'example.com', 'notlocal', 'fd00::1']) {
    const cert = await issueServerCertificate(ca, second.key, [host], NOW);
    expect(await handshake({ ...second, cert }, host), host).toBe('permitted subtree violation');
  }
  expect((await localCertificate(data, [], NOW)).isNewAuthority).toBe(false);
});

test('makes a new chain when the key of the authority was lost', async () => {
  const data = await temporaryFolder();
  await localCertificate(data, [], NOW);
  await rm(join(data, 'tls', 'ca-key.pem'));
  const { cert, caFile } = await localCertificate(data, [], NOW);
  const ca = new X509Certificate(await readFile(caFile, 'utf8'));
  expect(new X509Certificate(cert).verify(ca.publicKey)).toBe(true);
});

test('replaces an invalid certificate', async () => {
  const data = await temporaryFolder();
  const first = await localCertificate(data, [], NOW);
  await writeFile(join(data, 'tls', 'server.pem'), 'scribble');
  const second = await localCertificate(data, [], NOW);
  expect(new X509Certificate(second.cert).checkPrivateKey(createPrivateKey(first.key))).toBe(true);
});

test('started sixteen times simultaneously, every start has the one authority and a certificate that fits its key', async () => {
  const data = await temporaryFolder();
  const made = await Promise.all(Array.from({ length: 16 }, () => localCertificate(data, [], NOW)));
  const ca = new X509Certificate(await readFile(join(data, 'tls', 'ca.pem'), 'utf8'));
  const keys = new Set(made.map(({ key }) => key));
  expect(keys.size).toBe(1);
  for (const { cert } of made) {
    expect(new X509Certificate(cert).verify(ca.publicKey)).toBe(true);
  }
  expect(await readdir(join(data, 'tls'))).toHaveLength(4);
});

/** Outcome of a TLS handshake for a host, with a client that trusts the authority. */
async function handshake({ cert, key, caFile }: LocalCertificate, host: string): Promise<string> {
  const server = createServer({ cert, key }, (socket) => socket.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ca = await readFile(caFile);
  const servername = isIP(host) === 0 ? host : '';
  const client = connect({
    port,
    host: '127.0.0.1',
    servername,
    ca,
    checkServerIdentity: (_, peer) => checkServerIdentity(host, peer),
  });
  try {
    await once(client, 'secureConnect');
    return 'trusted';
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  } finally {
    client.destroy();
    server.close();
  }
}
