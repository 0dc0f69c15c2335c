/**
 * Parses an address (WHATWG URL); null if it is invalid. `URL.canParse` is no substitute: in Node.js 20 and 22 it rejects
 * hosts such as `bücher.example` as soon as it is called often enough to be optimized.
 */
export function parseUrl(address: string, base?: string | URL): URL | null {
  try {
    return new URL(address, base);
  } catch {
    return null;
  }
}
