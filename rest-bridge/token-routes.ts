import type { RestTable } from './rest-table.ts';

/** The special-purpose token endpoint and its public keys, relative to `{auth_url}`. Specification: section C. */
export const tokenRoutes: RestTable = {
  'POST /api/special-purpose/v1/token': { mutation: 'issueTripToken', unreadableBody: 'empty' },
  'GET /.well-known/jwks.json': { query: 'publicKeySet' },
};
