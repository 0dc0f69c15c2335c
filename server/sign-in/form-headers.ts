import { pageHeaders } from '../../http/answers/page-headers.ts';

/**
 * The headers of a page with a form. Its own origin may be told to itself, so that the form's `Origin` can be checked;
 * nobody else learns where the browser was.
 *
 * @param leadsTo addresses to which an answered form may be redirected: `form-action` holds for the whole chain (CSP Level
 * 3, section 6.4.2)
 */
export function formHeaders(nonce: string, leadsTo: readonly string[] = []): Record<string, string> {
  return {
    ...pageHeaders(nonce, { formTargets: leadsTo.map(sourceOf) }),
    'Referrer-Policy': 'same-origin',
  };
}

/** An address as a source of a policy: its origin, or its scheme where it has none or the grammar cannot say it (IPv6). */
function sourceOf(address: string): string {
  const { origin, protocol, hostname } = new URL(address);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}
