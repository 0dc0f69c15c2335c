import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Config } from '../configuration/config.ts';
import { LAN_RANGES, lanAddresses, lanNames } from '../configuration/lan.ts';
import { localCertificate } from '../../http/tls/local-ca.ts';
import { ConfigError } from '../../schema/config-error.ts';

/**
 * The configured certificate and key as PEM, or those of the local authority, whose file clients must trust.
 *
 * @throws ConfigError naming TLS_CERT or TLS_KEY, if a file cannot be read or they do not belong together
 */
export async function tlsCertificate(config: Config) {
  if (config.lan !== null) {
    const names = lanNames();
    const hosts = [config.lan, ...lanAddresses(), ...names];
    return localCertificate(config.dataDir, hosts, new Date(), [...LAN_RANGES, ...names]);
  }
  if (config.tlsCert === null || config.tlsKey === null) {
    const addresses = [config.baseUrl, config.authUrl, config.siteUrl, config.graphqlUrl];
    const hosts = addresses.map((address) => new URL(address).hostname);
    return localCertificate(config.dataDir, hosts);
  }
  const cert = await readPem('TLS_CERT', config.tlsCert, (pem) => new X509Certificate(pem));
  const key = await readPem('TLS_KEY', config.tlsKey, createPrivateKey);
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new ConfigError('TLS_KEY must be the private key of the first certificate in TLS_CERT');
  }
  return { cert, key, caFile: null, isNewAuthority: false };
}

async function readPem(name: string, path: string, parse: (pem: string) => unknown): Promise<string> {
  try {
    const pem = await readFile(path, 'utf8');
    parse(pem);
    return pem;
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : 'not understood';
    throw new ConfigError(`${name} must be a readable PEM file without password (${reason})`);
  }
}
