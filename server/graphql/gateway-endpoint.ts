import { identify, readCredentials } from '../../auth/identify.ts';
import { networkOf } from '../../auth/network-of.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import type { Endpoint } from '../../http/endpoint.ts';

import { graphqlEndpoint } from './graphql-endpoint.ts';

/**
 * The gateway's schema at `{graphql_url}`.
 *
 * @param issuer `{auth_url}` as special-purpose tokens name it
 */
export async function gatewayEndpoint(graphqlUrl: URL, issuer: string): Promise<Endpoint> {
  const rules = { endpoint: 'graphql', issuer, origin: graphqlUrl.origin } as const;
  return graphqlEndpoint({
    schema: await gatewaySchema(),
    path: graphqlUrl.pathname,
    contextOf: async (request) => {
      const { raw, server } = request;
      const { admission } = server;
      const caller = await admission.identify(request, async () => identify(readCredentials(raw.rawHeaders), rules));
      return { caller, work: admission.meter(request, caller), network: networkOf(request.ip) };
    },
  });
}
