import type { Draft, Comparison } from '../comparison.ts';

/** Settings of a service on hosts of its own, behind a proxy, with limits that are soon met. */
const SETTINGS: Readonly<Record<string, string>> = {
  BASE_URL: 'https://api.example.com/v2',
  AUTH_URL: 'https://auth.example.com',
  SITE_URL: 'https://www.example.com',
  GRAPHQL_URL: 'https://api.example.com/graphql',
  TRUSTED_PROXIES: '127.0.0.1',
  METRICS_TOKEN: 'a-token-of-compared-data',
  MAPBOX_ACCESS_TOKEN: 'pk.compared',
  RATE_LIMITS: 'on',
  RATE_LIMIT_CALLER: '6',
  RATE_LIMIT_ADDRESS: '60',
};

const HOSTS = ['api.example.com', 'auth.example.com', 'www.example.com', 'localhost'] as const;
const PATHS = [
  '/',
  '/healthz',
  '/metrics',
  '/v2/account',
  '/v2/docs',
  '/graphql',
  '/apps',
  '/security',
  '/.well-known/oauth-authorization-server',
  '/wp-json/wp/v2/posts',
  '/blog/',
] as const;
/** A request of each interface, asked more often than its limit allows. */
const LIMITED: readonly Draft[] = [
  { path: '/v2/account', as: 'owner', headers: { host: 'api.example.com' } },
  {
    method: 'POST',
    path: '/graphql',
    as: 'app',
    json: { query: '{ account { nickname } }' },
    headers: { host: 'api.example.com' },
  },
  { method: 'POST', path: '/v2/ingest', as: 'device', json: { points: [] }, headers: { host: 'api.example.com' } },
  { path: '/wp-json/wp/v2/posts?per_page=1', as: 'editor', headers: { host: 'www.example.com' } },
  { path: '/v2/trip/{{van_trip}}.gpx', as: 'empty', headers: { host: 'api.example.com' } },
];

/** The same service as it is deployed: on other hosts, behind a proxy, and beyond its limits on volume. */
export async function deploymentEndpoint(comparison: Comparison): Promise<void> {
  await comparison.restart(SETTINGS);
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' };
  for (const draft of LIMITED) {
    for (let time = 0; time < 8; time++) await comparison.ask(draft);
  }
  const token = { authorization: `Bearer ${SETTINGS.METRICS_TOKEN}` };
  await comparison.ask({ path: '/metrics', headers: { ...forwarded, ...token, host: 'www.example.com' } });
  // The last of them are beyond the limit of an address, each in the words of its interface.
  for (const path of PATHS) {
    for (const host of HOSTS) {
      await comparison.ask({ path, headers: { host } });
      await comparison.ask({ path, headers: { ...forwarded, host } });
    }
  }
}
