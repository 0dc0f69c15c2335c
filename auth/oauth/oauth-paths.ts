/** Paths of the endpoints below `{auth_url}`, and of the page on which a user answers a request. */
export const OAUTH_PATHS = {
  authorization: '/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
  request: '/authorize/request',
} as const;
