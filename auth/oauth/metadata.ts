import { SCOPES } from '../scopes/scope.ts';
import { OAUTH_PATHS } from './oauth-paths.ts';
import { CLIENT_AUTHENTICATION } from './oauth-provider.ts';

/** Path at which a client looks for the metadata of an issuer (RFC 8414, section 3.1): before the issuer's own path. */
export function metadataPath(issuer: string): string {
  return `/.well-known/oauth-authorization-server${new URL(issuer).pathname.replace(/\/$/, '')}`;
}

/** Metadata of the OAuth server for clients (RFC 8414, section 2). */
export function oauthMetadata(issuer: string): Readonly<Record<string, unknown>> {
  return {
    issuer,
    authorization_endpoint: issuer + OAUTH_PATHS.authorization,
    token_endpoint: issuer + OAUTH_PATHS.token,
    revocation_endpoint: issuer + OAUTH_PATHS.revocation,
    introspection_endpoint: issuer + OAUTH_PATHS.introspection,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: Object.keys(SCOPES),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: true,
  };
}
