import type { Adapter, AdapterPayload } from 'oidc-provider';

import { findGrant } from '../../grants.ts';
import { SCOPES } from '../../scopes/scope.ts';
import { findClient } from './client-storage.ts';
import { grantOfRequest } from './grant-of-request.ts';
import { RESOURCE } from './resource.ts';
import { accessTokens, revokeForApp, singleUseTokens } from './token-storage.ts';
import { visits } from './visit-storage.ts';
import type { Service } from '../../../models/store/service.ts';

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
