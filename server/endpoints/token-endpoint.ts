import { headerValues, readBearer } from '../../auth/identify.ts';
import { planOperation } from '../../graphql/execution/plan-operation.ts';
import { tokenSchema } from '../../resolvers/gateway-schema.ts';
import type { TripTokenContext } from '../../resolvers/tokens/trip-token-resolver.ts';
import { errorResponseWithMessage } from '../../http/answers/error-response.ts';
import { restBridge } from '../../rest-bridge/rest-bridge.ts';
import type { RestTable } from '../../rest-bridge/rest-table.ts';
import { MAX_TOKEN_REQUEST } from '../../http/requests/body-limits.ts';
import type { Endpoint } from '../../http/endpoint.ts';

import { restEndpoint } from './rest-endpoint.ts';
import type { Service } from '../../models/store/service.ts';

/** The special-purpose token endpoint and its public keys, relative to `{auth_url}`. Specification: section C. */
const tokenRoutes: RestTable = {
  'POST /api/special-purpose/v1/token': { mutation: 'issueTripToken', unreadableBody: 'empty' },
  'GET /.well-known/jwks.json': { query: 'publicKeySet' },
};

/**
 * The special-purpose token endpoint and its public keys under `{auth_url}`. Specification: section C.
 *
 * @param issuer `{auth_url}` as tokens name it
 */
export async function tokenEndpoint(service: Service, authUrl: URL, issuer: string): Promise<Endpoint> {
  return restEndpoint({
    name: 'token endpoint',
    prefix: authUrl.pathname.replace(/\/$/, ''),
    endpoints: await restBridge(await tokenSchema(), tokenRoutes, {
      plan: planOperation,
      reject: errorResponseWithMessage,
      maySee: () => true,
    }),
    contextOf: async ({ raw }): Promise<TripTokenContext> => ({
      service,
      caller: { kind: 'visitor' },
      bearer: bearerOf(raw.rawHeaders),
      issuer,
    }),
    pagesMaySend: null,
    reject: errorResponseWithMessage,
    callers: 'late',
    bodyLimit: MAX_TOKEN_REQUEST,
  });
}

/** The bearer of a request, or null; empty for two credentials, of which neither is valid ("Who may do what"). */
function bearerOf(rawHeaders: readonly string[]): string | null {
  const authorizations = headerValues(rawHeaders, 'authorization');
  const bearer = authorizations.map(readBearer).find((token) => token !== null) ?? null;
  const credentials = authorizations.length + headerValues(rawHeaders, 'service-api-key').length;
  return bearer !== null && credentials > 1 ? '' : bearer;
}
