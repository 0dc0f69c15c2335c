import type { Comparison } from '../comparison.ts';

/** Paths for supervisors, programs and people beside the interfaces. */
const PATHS = [
  '/healthz',
  '/readyz',
  '/metrics',
  '/api/v2/openapi.json',
  '/api/v2/docs',
  '/api/v2/docs/',
  '/api/v2',
  '/api/v2/',
  '/api/v2/nothing',
  '/api/special-purpose/v1/openapi.json',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
  '/.well-known/nothing',
  '/service-web-components.umd.js',
  '/robots.txt',
  '/favicon.ico',
  '/oauth/nothing',
  '/%zz',
  '//',
  '/healthz/..%2f',
];

/** Health, metrics, documents of the interfaces, and how paths and methods that are not there are answered. */
export async function serviceEndpoint(comparison: Comparison): Promise<void> {
  for (const path of PATHS) {
    await comparison.ask({ path });
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE']) await comparison.ask({ method, path });
  }
  for (const headers of [
    { host: 'elsewhere.example' },
    { host: 'bad host' },
    { host: 'localhost:8443', 'x-forwarded-proto': 'http' },
    { 'accept-encoding': 'gzip' },
    { 'accept-encoding': 'br' },
    { 'accept-encoding': 'deflate, identity;q=0' },
    { expect: 'nothing' },
    { 'x-request-id': 'mine' },
  ]) {
    for (const path of ['/healthz', '/api/v2/openapi.json', '/', '/api/v2/account']) {
      await comparison.ask({ path, headers });
    }
  }
}
