import type { AdapterPayload } from 'oidc-provider';

import { AppModel, requiresPkce, type StoredApp } from '../../../models/account/app.ts';
import { UNRESTRICTED } from '../../../models/tenancy.ts';
import { APP_REQUIRES_PKCE, APP_SCOPES } from './resource.ts';
import { RejectingAdapter } from './rejecting-adapter.ts';

/**
 * Shows the registered apps to the library as its clients (RFC 7591, section 2). The member `client_secret` holds the
 * secret's hash, which is all that there is; `oauth-provider.ts` compares by it.
 */
export class ClientAdapter extends RejectingAdapter {
  override async find(clientId: string): Promise<AdapterPayload | undefined> {
    const app = await AppModel.findOne({ client_id: clientId }, null, { accessScope: UNRESTRICTED }).lean();
    if (!app || app.redirect_uris.length === 0) return undefined;
    return {
      client_id: app.client_id,
      client_name: app.name,
      redirect_uris: app.redirect_uris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: isNative(app) ? 'native' : 'web',
      [APP_SCOPES]: app.scopes,
      [APP_REQUIRES_PKCE]: requiresPkce(app),
      ...(app.secret_hash === null
        ? { token_endpoint_auth_method: 'none' }
        : { token_endpoint_auth_method: 'client_secret_basic', client_secret: app.secret_hash }),
    };
  }
}

/**
 * Tells a native app (RFC 8252, section 7): a public app with a redirect to this machine or to a private-use scheme. Its
 * loopback redirects may name any port, and it is asked for consent each time.
 */
function isNative({ secret_hash, redirect_uris }: StoredApp): boolean {
  return secret_hash === null && redirect_uris.some((uri) => !uri.startsWith('https:'));
}
