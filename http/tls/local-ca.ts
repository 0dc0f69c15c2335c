import { createPrivateKey, X509Certificate } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';

import { createOnce, readIfThere, replaceFile } from './atomic-file.ts';
import { permitsAll } from './name-constraints.ts';

const SECRET = 0o600;
const PUBLIC = 0o644;
const RENEWED_BEFORE_EXPIRY = 30 * 86_400_000;
const ALWAYS = ['localhost', '127.0.0.1', '::1'];

/** Loaded only to issue a certificate: most starts find valid ones, and save 50 ms of CPU. */
const loadIssuer = () => import('./issue-certificate.ts');

/** Certificate and key of the listener, as PEM, and the file that clients trust. */
export interface LocalCertificate {
  readonly cert: string;
  readonly key: string;
  /** Path of the authority's certificate, for `curl --cacert` and `NODE_EXTRA_CA_CERTS`. */
  readonly caFile: string;
  /** True if the authority's certificate replaced another, so that clients must trust the new one. */
  readonly isNewAuthority: boolean;
}

/** Path of the authority's certificate in a data folder. */
export function caFileOf(dataDir: string): string {
  return join(dataDir, 'tls', 'ca.pem');
}

/**
 * The certificate of a local authority for this machine and the hosts (IPv6 with or without brackets), in
 * `DATA_DIR/tls`: `ca.pem`, `ca-key.pem`, `server.pem`, `server-key.pem`. The authority may sign for these hosts only, or for
 * the wider networks (CIDR) and domains that are given. A certificate is replaced 30 days before it expires, when it is not valid
 * yet, or when it lacks a host; keys stay. Processes may do this concurrently.
 */
export async function localCertificate(
  dataDir: string,
  hosts: readonly string[],
  now: Date = new Date(),
  permitted: readonly string[] = hosts,
): Promise<LocalCertificate> {
  const folder = join(dataDir, 'tls');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);

  const caKey = await storedKey(join(folder, 'ca-key.pem'));
  const caFile = caFileOf(dataDir);
  const [names, subtrees] = [named(hosts), named(permitted)];
  const before = await readIfThere(caFile);
  const ca = await storedCertificate(
    caFile,
    (certificate) => fits(certificate, caKey, now) && permitsAll(certificate.raw, subtrees),
    async () => (await loadIssuer()).issueCaCertificate(caKey, subtrees, now),
  );

  const key = await storedKey(join(folder, 'server-key.pem'));
  const authority = new X509Certificate(ca);
  const cert = await storedCertificate(
    join(folder, 'server.pem'),
    (certificate) =>
      fits(certificate, key, now) && certificate.verify(authority.publicKey) && namesAll(certificate, names),
    async () => (await loadIssuer()).issueServerCertificate({ certificate: ca, key: caKey }, key, names, now),
  );
  return { cert, key, caFile, isNewAuthority: before !== null && before !== ca };
}

function named(hosts: readonly string[]): string[] {
  return [...new Set([...ALWAYS, ...hosts.map((host) => host.replace(/^\[|\]$/g, '').toLowerCase())])];
}

async function storedKey(path: string): Promise<string> {
  const key = (await readIfThere(path)) ?? (await createOnce(path, await newKey(), SECRET));
  await chmod(path, SECRET);
  return key;
}

async function newKey(): Promise<string> {
  return (await loadIssuer()).newPrivateKey();
}

async function storedCertificate(
  path: string,
  serves: (certificate: X509Certificate) => boolean,
  issue: () => Promise<string>,
): Promise<string> {
  const stored = (await readIfThere(path)) ?? (await createOnce(path, await issue(), PUBLIC));
  if (isCertificate(stored) && serves(new X509Certificate(stored))) return stored;
  const issued = await issue();
  await replaceFile(path, issued, PUBLIC);
  return issued;
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

function fits(certificate: X509Certificate, key: string, now: Date): boolean {
  const renewal = Date.parse(certificate.validTo) - RENEWED_BEFORE_EXPIRY;
  // One that was issued while the clock was ahead is not valid yet.
  const isValid = now.getTime() >= Date.parse(certificate.validFrom) && now.getTime() < renewal;
  return isValid && certificate.checkPrivateKey(createPrivateKey(key));
}

function namesAll(certificate: X509Certificate, names: readonly string[]): boolean {
  return names.every((name) =>
    isIP(name) === 0
      ? certificate.checkHost(name, { wildcards: false }) !== undefined
      : certificate.checkIP(name) !== undefined,
  );
}
