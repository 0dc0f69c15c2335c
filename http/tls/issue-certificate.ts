import 'reflect-metadata';

import { createPrivateKey, createPublicKey, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';

import * as x509 from '@peculiar/x509';

import { NAME_CONSTRAINTS, nameConstraints } from './name-constraints.ts';

const ECDSA_P256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const CA_NAME = 'CN=Waybridge local CA';
const DAY = 86_400_000;
const CA_DAYS = 3650;
/** Certificates for servers may live 825 days at most in Apple's clients; the rules for public ones say 398. */
const SERVER_DAYS = 397;
/** Clocks of clients may be slow. */
const BACKDATED_DAYS = 1;

/** A new private key on the curve P-256, as PKCS #8 in PEM. */
export async function newPrivateKey(): Promise<string> {
  const pair = await webcrypto.subtle.generateKey(ECDSA_P256, true, ['sign', 'verify']);
  const der = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
  return x509.PemConverter.encode(der, 'PRIVATE KEY');
}

/**
 * Issues an authority's self-signed certificate, as PEM (RFC 5280, section 4.2), valid for ten years, for loopback
 * addresses and the hosts: DNS names, and IP addresses without brackets.
 */
export async function issueCaCertificate(caKey: string, hosts: readonly string[], now: Date): Promise<string> {
  const keys = await keyPair(caKey);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: CA_NAME,
    keys,
    signingAlgorithm: ECDSA_P256,
    ...validity(now, CA_DAYS),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      new x509.Extension(NAME_CONSTRAINTS, true, new Uint8Array(nameConstraints(hosts))),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return certificate.toString('pem');
}

/** Issues a server's certificate for DNS names and IP addresses without brackets, as PEM, valid for 397 days. */
export async function issueServerCertificate(
  ca: { readonly certificate: string; readonly key: string },
  serverKey: string,
  hosts: readonly string[],
  now: Date,
): Promise<string> {
  const caKeys = await keyPair(ca.key);
  const { publicKey } = await keyPair(serverKey);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: 'CN=Waybridge',
    issuer: new x509.X509Certificate(ca.certificate).subject,
    publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: ECDSA_P256,
    ...validity(now, SERVER_DAYS),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }) as const),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(caKeys.publicKey),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
    ],
  });
  return certificate.toString('pem');
}

function validity(now: Date, days: number): { notBefore: Date; notAfter: Date } {
  return {
    notBefore: new Date(now.getTime() - BACKDATED_DAYS * DAY),
    notAfter: new Date(now.getTime() + (days - BACKDATED_DAYS) * DAY),
  };
}

async function keyPair(pem: string): Promise<webcrypto.CryptoKeyPair> {
  const key = createPrivateKey(pem);
  const privateKey = key.export({ type: 'pkcs8', format: 'der' });
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return {
    privateKey: await webcrypto.subtle.importKey('pkcs8', privateKey, ECDSA_P256, true, ['sign']),
    publicKey: await webcrypto.subtle.importKey('spki', publicKey, ECDSA_P256, true, ['verify']),
  };
}
