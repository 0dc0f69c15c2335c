import { type Client, errors, type KoaContextWithOIDC, type ResourceServer } from 'oidc-provider';

import { ACCESS_TOKEN_LIFETIME } from '../../grants.ts';
import { DEFAULT_SCOPES, isScope, SCOPES } from '../../scopes/scope.ts';

/** The one resource that access tokens are for: this service. A URN, since the library keeps grants by it (RFC 8707). */
export const RESOURCE = 'urn:waybridge:api';

/** Member of a client's metadata that holds the scopes of its app. */
export const APP_SCOPES = 'app_scopes';

/** Member of a client's metadata that requires a PKCE challenge (RFC 7636) of its app. */
export const APP_REQUIRES_PKCE = 'app_requires_pkce';

/**
 * Gives a request without a scope the read-only default scopes of its app, before scopes are checked (RFC 6749, section
 * 3.3), and names the resource that tokens are for. A scope that changes anything is granted only if it was requested.
 *
 * @throws InvalidScope if the app has none of the default scopes
 */
export function defaultResource({ oidc }: KoaContextWithOIDC, client: Client): string {
  if (oidc.route === 'authorization' && oidc.params && oidc.params.scope === undefined) {
    const scopes = scopesOf(client).filter((scope) => isScope(scope) && DEFAULT_SCOPES.includes(scope));
    if (scopes.length === 0) throw new errors.InvalidScope('scope is required: the app has no default scope', '');
    oidc.params.scope = scopes.join(' ');
  }
  return RESOURCE;
}

/**
 * Describes this service to the library, and limits a request to the scopes of its app.
 *
 * @throws InvalidTarget for any other resource (RFC 8707, section 2)
 * @throws InvalidScope naming a scope that the app may not ask for (RFC 6749, section 4.1.2.1)
 */
export function resourceServer({ oidc }: KoaContextWithOIDC, resource: string, client: Client): ResourceServer {
  if (resource !== RESOURCE) throw new errors.InvalidTarget();
  const ceiling = scopesOf(client);
  for (const scope of oidc.requestParamScopes) {
    if (!ceiling.includes(scope)) {
      throw new errors.InvalidScope(`the app may not ask for ${scope}${separatorHint(scope)}`, scope);
    }
  }
  return { scope: Object.keys(SCOPES).join(' '), accessTokenFormat: 'opaque', accessTokenTTL: ACCESS_TOKEN_LIFETIME };
}

/** Completes the message about a scope that is several, joined by a wrong separator; empty for any other. */
export function separatorHint(scope: string): string {
  return scope.includes(',') ? '; names in scope are separated by spaces' : '';
}

function scopesOf(client: Client): readonly string[] {
  return client[APP_SCOPES] as readonly string[];
}
