import { identify, readCredentials } from '../../auth/identify.ts';
import { networkOf } from '../../auth/network-of.ts';
import { gatewaySchema } from '../../resolvers/gateway-schema.ts';
import type { Door } from '../../http/door.ts';

import { graphqlDoor } from './graphql-door.ts';

/**
 * The gateway's schema at `{graphql_url}`, for whoever proves to be somebody by API key or token.
 *
 * @param issuer `{auth_url}` as special-purpose tokens name it
 */
export async function gatewayDoor(graphqlUrl: URL, issuer: string): Promise<Door> {
  const rules = { door: 'graphql', issuer, origin: graphqlUrl.origin } as const;
  return graphqlDoor({
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
