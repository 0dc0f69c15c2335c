import type { Adapter, AdapterPayload } from 'oidc-provider';

import { findGrant } from '../../grants.ts';
import { SCOPES } from '../../scopes/scope.ts';
import { grantOfRequest } from './grant-of-request.ts';
import { APP_REQUIRES_PKCE, APP_SCOPES, RESOURCE } from './resource.ts';
import { accessTokens, revokeForApp, singleUseTokens } from './token-storage.ts';
import { visits } from './visit-storage.ts';
import type { Service } from '../../../models/store/service.ts';
import { AppStore, requiresPkce } from '../../../models/account/app.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';

/** Storage of each kind of record. New grants are made by the consent page alone. */
const STORAGES: Readonly<Record<string, (service: Service) => Partial<Adapter>>> = {
  Client: (service) => ({ find: (id) => findClient(service, id) }),
  Grant: (service) => ({
    find: (id) => findGrantPayload(service, id),
    destroy: (id) => revokeForApp(service, id),
  }),
  AccessToken: accessTokens,
  AuthorizationCode: (service) => singleUseTokens(service, 'AuthorizationCode'),
  RefreshToken: (service) => singleUseTokens(service, 'RefreshToken'),
  Session: (service) => visits(service, 'Session'),
  Interaction: (service) => visits(service, 'Interaction'),
};

/** Returns the storage of a kind of record; any other operation of the library on it is a fault. */
export function storageOf(service: Service, kind: string): Adapter {
  const reject = (done: string) => async () => {
    throw new TypeError(`Refused: records of kind ${kind} are not ${done}`);
  };
  return {
    upsert: reject('written'),
    find: reject('looked up'),
    findByUserCode: reject('looked up by user code'),
    findByUid: reject('looked up by uid'),
    consume: reject('consumed'),
    destroy: reject('destroyed'),
    revokeByGrantId: reject('revoked'),
    ...STORAGES[kind]?.(service),
  };
}

/** Shows a grant to the library. What was not granted counts as rejected, so that the user is never asked for it again. */
async function findGrantPayload(service: Service, id: string): Promise<AdapterPayload | undefined> {
  const held = grantOfRequest();
  const grant = held?.id_hash === id ? { ...held, user_key: held.user.key } : await findGrant(service, id);
  if (!grant) return undefined;
  const rejected = Object.keys(SCOPES).filter((scope) => !grant.scopes.includes(scope));
  return {
    kind: 'Grant',
    jti: id,
    accountId: grant.user_key,
    clientId: grant.client_id,
    resources: { [RESOURCE]: grant.scopes.join(' ') },
    rejected: { resources: { [RESOURCE]: rejected.join(' ') } },
  };
}

/**
 * Shows a registered app to the library as a client (RFC 7591, section 2). The member `client_secret` holds the secret's
 * hash, by which `oauth-provider.ts` compares.
 *
 * A public app with a redirect to this machine or to a private-use scheme is native (RFC 8252, section 7): its loopback
 * redirects may name any port, and it is asked for consent each time.
 */
async function findClient(service: Service, clientId: string): Promise<AdapterPayload | undefined> {
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
