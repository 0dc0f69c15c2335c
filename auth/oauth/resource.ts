import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';

import { ACCESS_TOKEN_LIFETIME } from '../grants.ts';
import { SCOPES } from '../scope.ts';

/** The one resource that access tokens are for: this service. A URN, since the library keeps grants by it (RFC 8707). */
export const RESOURCE = 'urn:waybridge:api';

/** Member of a client's metadata that holds the scopes of its app. */
export const APP_SCOPES = 'app_scopes';

/**
 * Gives a request that names no scope the scopes of its app, before scopes are looked at (RFC 6749, section 3.3), and
 * tells that tokens are for this service.
 */
export function defaultResource({ oidc }: KoaContextWithOIDC, client: Client): string {
  if (oidc.route === 'authorization' && oidc.params) oidc.params.scope ??= scopesOf(client).join(' ');
  return RESOURCE;
}

/**
 * Describes this service to the library, and holds a request to the scopes of its app: they are the ceiling.
 *
 * @throws InvalidTarget for any other resource (RFC 8707, section 2)
 * @throws InvalidScope naming a scope that the app may not ask for (RFC 6749, section 4.1.2.1)
 */
export function resourceServer({ oidc }: KoaContextWithOIDC, resource: string, client: Client): ResourceServer {
  if (resource !== RESOURCE) throw new errors.InvalidTarget();
  const ceiling = scopesOf(client);
  for (const scope of oidc.requestParamScopes) {
    if (!ceiling.includes(scope)) {
      throw new errors.InvalidScope('the app may not ask for this scope', scope);
    }
  }
  return { scope: Object.keys(SCOPES).join(' '), accessTokenFormat: 'opaque', accessTokenTTL: ACCESS_TOKEN_LIFETIME };
}

function scopesOf(client: Client): readonly string[] {
  return client[APP_SCOPES] as readonly string[];
}
