import { isLoopbackHost } from '../../http/requests/loopback.ts';

import type { Config } from '../../server/configuration/config.ts';
import { type Finding, sound, warning } from './finding.ts';

/** Host names of the public addresses, each once. */
export function publicHosts({ baseUrl, authUrl, siteUrl, graphqlUrl }: Config): readonly string[] {
  return [...new Set([baseUrl, authUrl, siteUrl, graphqlUrl].map((url) => new URL(url).hostname))];
}

/** Looks for settings that are unsuitable if other machines reach the service. */
export function settingFindings(config: Config): readonly Finding[] {
  const { host, keyEncryptionSecret, trustedProxies, tlsCert, mongodbUri, backupDir, rateLimits } = config;
  const isPublic = config.lan === null && publicHosts(config).some((name) => !isLoopbackHost(name));
  const found: Finding[] = [];
  const warn = (detail: string, advice: string) => found.push(warning('settings', detail, advice));
  if (isPublic && isLoopbackHost(host) && trustedProxies.isEmpty) {
    warn(
      `HOST is ${host}, which other machines cannot reach`,
      'Set HOST to 0.0.0.0, or TRUSTED_PROXIES to the proxy in front.',
    );
  }
  if (isPublic && tlsCert === null && trustedProxies.isEmpty) {
    warn(
      'the certificate is from the local authority, which clients do not trust by default',
      'Set TLS_CERT and TLS_KEY, or TRUSTED_PROXIES to the TLS proxy in front.',
    );
  }
  if (isPublic && keyEncryptionSecret === null) {
    warn('keys are stored unencrypted', 'Set KEY_ENCRYPTION_SECRET to a secret of at least 32 characters.');
  }
  if (isPublic && mongodbUri === null && backupDir === null) {
    warn('no backups are scheduled', 'Set BACKUP_DIR to a folder on another disk.');
  }
  if (rateLimits === 'off') warn('RATE_LIMITS is off', 'Set it to on, unless a proxy limits requests.');
  return found.length > 0 ? found : [sound('settings', 'they are consistent')];
}
