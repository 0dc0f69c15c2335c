import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';

import type { Config } from '../../server/configuration/config.ts';
import { tlsCertificate } from '../../server/start/tls-certificate.ts';
import { type Finding, problem, sound, warning } from './finding.ts';
import { publicHosts } from './setting-findings.ts';

const DAY_MS = 86_400_000;
/** Days before its expiry from which a certificate should have been renewed. */
const SOON_DAYS = 14;
const RENEW = 'Renew the certificate; the service reads the new file automatically.';

/**
 * Looks at the dates and hosts of the configured certificate.
 * @param now milliseconds since 1970
 */
export async function certificateFindings(config: Config, now: number): Promise<readonly Finding[]> {
  if (config.tlsCert === null) return [sound('certificate', 'TLS_CERT is not set: the local authority issues one')];
  const certificate = new X509Certificate((await tlsCertificate(config)).cert);
  return [dateFinding(certificate, now), ...hostFindings(certificate, config)];
}

function dateFinding({ validFrom, validTo }: X509Certificate, now: number): Finding {
  const days = Math.floor((Date.parse(validTo) - now) / DAY_MS);
  if (Date.parse(validFrom) > now) {
    return problem('certificate', `it is valid only from ${validFrom} on`, 'Correct the clock, or use another one.');
  }
  if (days < 0) return problem('certificate', `it expired on ${validTo}`, RENEW);
  if (days < SOON_DAYS) return warning('certificate', `it expires in ${days} days`, RENEW);
  return sound('certificate', `it is valid for ${days} more days`);
}

function hostFindings(certificate: X509Certificate, config: Config): readonly Finding[] {
  const isNamed = (host: string) => {
    const name = host.replace(/^\[|\]$/g, '');
    return (isIP(name) > 0 ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined;
  };
  const missing = publicHosts(config).filter((host) => !isNamed(host));
  if (missing.length === 0) return [];
  const detail = `it does not name ${missing.join(', ')}`;
  const advice = 'Use a certificate that names all hosts of BASE_URL, AUTH_URL, SITE_URL and GRAPHQL_URL.';
  // A proxy in front has a certificate of its own.
  return [
    config.trustedProxies.isEmpty ? problem('certificate', detail, advice) : warning('certificate', detail, advice),
  ];
}
