/**
 * Returns an address that the server writes into the built file; null if it has not. The server replaces a placeholder
 * such as `__WAYBRIDGE_SITE_URL__`, which stands there once, by the address, escaped as in JSON.
 */
export function writtenAddress(text: string): string | null {
  return /^__[A-Z_]+__$/.test(text) ? null : text;
}
