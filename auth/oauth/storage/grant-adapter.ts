import type { AdapterPayload } from 'oidc-provider';

import { findGrant, revokeGrant } from '../../grants.ts';
import { SCOPES } from '../../scope.ts';
import { RESOURCE } from './resource.ts';
import { RejectingAdapter } from './rejecting-adapter.ts';

/**
 * Shows the grants of `grants.ts` to the library. What was not granted counts as refused, so that the library never asks
 * again for what the user left out. New ones are made by the consent page alone.
 */
export class GrantAdapter extends RejectingAdapter {
  override async find(id: string): Promise<AdapterPayload | undefined> {
    const grant = await findGrant(id);
    if (!grant) return undefined;
    const refused = Object.keys(SCOPES).filter((scope) => !grant.scopes.includes(scope));
    return {
      kind: 'Grant',
      jti: id,
      accountId: grant.user_key,
      clientId: grant.client_id,
      resources: { [RESOURCE]: grant.scopes.join(' ') },
      rejected: { resources: { [RESOURCE]: refused.join(' ') } },
    };
  }

  override async destroy(id: string): Promise<void> {
    await revokeGrant(id, { by: 'app' });
  }
}
