import type { AdapterPayload } from 'oidc-provider';

import { AppStore, requiresPkce } from '../../../models/account/app.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { APP_REQUIRES_PKCE, APP_SCOPES } from './resource.ts';
import type { Service } from '../../../models/store/service.ts';

/**
 * Shows a registered app to the library as a client (RFC 7591, section 2). The member `client_secret` holds the secret's
 * hash, by which `oauth-provider.ts` compares.
 *
 * A public app with a redirect to this machine or to a private-use scheme is native (RFC 8252, section 7): its loopback
 * redirects may name any port, and it is asked for consent each time.
 */
export async function findClient(service: Service, clientId: string): Promise<AdapterPayload | undefined> {
  const app = await AppStore.findOne(unrestricted(service), { client_id: clientId });
  if (!app || app.redirect_uris.length === 0) return undefined;
  const { secret_hash, redirect_uris } = app;
  const isNative = secret_hash === null && redirect_uris.some((uri) => !uri.startsWith('https:'));
  return {
    client_id: app.client_id,
    client_name: app.name,
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: isNative ? 'native' : 'web',
    [APP_SCOPES]: app.scopes,
    [APP_REQUIRES_PKCE]: requiresPkce(app),
    ...(secret_hash === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: secret_hash }),
  };
}
