import { Provider } from 'oidc-provider';

import type { HeldGrant } from '../../../models/sign-in/held-grant.ts';

/** Grants that were read with a token, by the request that presents it. */
const grants = new WeakMap<object, HeldGrant>();

/** Keeps the grant with which a token was read, so that the request reads neither the grant nor its user again. */
export function keepGrantOfRequest(grant: HeldGrant): void {
  const request = Provider.ctx;
  if (request) grants.set(request, grant);
}

/** The grant of the token that the current request presents, with its user and app; undefined if it has read none. */
export function grantOfRequest(): HeldGrant | undefined {
  const request = Provider.ctx;
  return request && grants.get(request);
}
