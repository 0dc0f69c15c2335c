/** The credentials of a `Basic` header (RFC 7617), or null if the header has another form, or no password. */
export function readBasic(authorization: string): { readonly login: string; readonly password: string } | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [, login, password] = /^([^:]*):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return login === undefined || password === undefined ? null : { login, password };
}
