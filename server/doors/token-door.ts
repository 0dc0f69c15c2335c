import { execute } from 'graphql';

import { readBearer } from '../../auth/identify.ts';
import { tokenSchema } from '../../resolvers/token-schema.ts';
import type { TripTokenContext } from '../../resolvers/trip-token-resolver.ts';
import { refuseWithMessage } from '../../rest-bridge/refusal.ts';
import { restBridge } from '../../rest-bridge/rest-bridge.ts';
import { tokenRoutes } from '../../rest-bridge/token-routes.ts';
import type { Door } from '../door.ts';

import { restDoor } from './rest-door.ts';

/**
 * The special-purpose token endpoint and its public keys under `{auth_url}`. Specification: section C.
 *
 * @param issuer `{auth_url}` as tokens name it
 */
export async function tokenDoor(authUrl: URL, issuer: string): Promise<Door> {
  return restDoor({
    name: 'token endpoint',
    prefix: authUrl.pathname.replace(/\/$/, ''),
    endpoints: restBridge(await tokenSchema(), tokenRoutes, {
      execute,
      refuse: refuseWithMessage,
      maySee: () => true,
    }),
    contextOf: async ({ headers }): Promise<TripTokenContext> => ({
      caller: { kind: 'visitor' },
      bearer: readBearer(headers.authorization ?? ''),
      issuer,
    }),
    pagesMaySend: null,
  });
}
