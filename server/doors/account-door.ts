import { execute } from 'graphql';

import { identify, readCredentials } from '../../auth/identify.ts';
import { isPermitted, type Permission, type RequestContext } from '../../auth/caller.ts';
import { accountSchema } from '../../resolvers/account-schema.ts';
import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { refuseTersely } from '../../rest-bridge/refusal.ts';
import { restBridge } from '../../rest-bridge/rest-bridge.ts';
import type { Door } from '../door.ts';

import { restDoor } from './rest-door.ts';

/** The account REST API under `{base_url}`. Specification: section A. */
export async function accountDoor(baseUrl: URL): Promise<Door> {
  return restDoor({
    name: 'account API',
    prefix: baseUrl.pathname.replace(/\/$/, ''),
    endpoints: restBridge(await accountSchema(), accountRoutes, {
      execute,
      refuse: refuseTersely,
      maySee: (context, permissions) =>
        isPermitted((context as RequestContext).caller, permissions as readonly Permission[]),
    }),
    contextOf: async ({ raw }) => ({ caller: await identify(readCredentials(raw.rawHeaders), { door: 'rest' }) }),
    pagesMaySend: ['Service-Api-Key', 'Authorization'],
  });
}
