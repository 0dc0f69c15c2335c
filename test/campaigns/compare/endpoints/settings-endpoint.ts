import type { Comparison } from '../comparison.ts';

/** Settings that stop a start, each for a reason of its own. */
const WRONG: readonly Readonly<Record<string, string>>[] = [
  { PORT: 'x' },
  { PORT: '65536' },
  { HOST: 'not a host' },
  { HOST: '192.0.2.1' },
  { MONGODB_URI: 'http://elsewhere.example' },
  { BASE_URL: 'http://localhost:8443' },
  { BASE_URL: 'https://localhost:8443/a*' },
  { AUTH_URL: 'https://www.example.com', SITE_URL: 'https://www.example.com' },
  { SITE_URL: 'https://user:secret@localhost' },
  { GRAPHQL_URL: 'https://localhost:8443/api/v2' },
  { GRAPHQL_URL: 'https://localhost:8443/healthz' },
  { TLS_CERT: 'missing.pem' },
  { TLS_CERT: 'missing.pem', TLS_KEY: 'missing.pem' },
  { KEY_ENCRYPTION_SECRET: 'short' },
  { TRUSTED_PROXIES: '10.0.0.0/99' },
  { LOG_LEVEL: 'loud' },
  { MAPBOX_ACCESS_TOKEN: 'sk.secret' },
  { SECURITY_LOG_DAYS: '0' },
  { METRICS_TOKEN: 'short' },
  { RATE_LIMITS: 'maybe' },
  { RATE_LIMIT_CALLER: '0' },
  { UPLOAD_MEMORY: '-1' },
  { DATA_DIR: 'files/monday.gpx' },
];

/** Starts that must fail, and commands with the same settings. */
export async function settingsEndpoint(comparison: Comparison): Promise<void> {
  for (const settings of WRONG) await comparison.run({ args: ['serve'], settings });
  for (const settings of comparison.random.sample(WRONG, 5)) {
    await comparison.run({ args: ['account', 'add', '--nickname', 'x', '--json'], settings });
  }
}
