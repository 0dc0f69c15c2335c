import { randomBytes } from 'node:crypto';

/** Requirements of a page beyond scripts with its nonce, and styles, images and requests of the same origin. */
export interface PageOptions {
  /** The page draws a map: `mapbox` allows the provider, `local` only this service. */
  readonly map?: 'local' | 'mapbox';
  /** Further origins that the page's scripts may request, such as GraphQL on another host. */
  readonly connects?: readonly string[];
  /** Further sources of images, such as `https:` for articles. */
  readonly images?: readonly string[];
  /** Origins whose pages may frame it, `*` for every site; none by default. */
  readonly framedBy?: readonly string[];
  /** A page that another site opens in a window keeps its opener, and so do later pages in that window. */
  readonly keepsOpener?: boolean;
}

/** Hosts of Mapbox GL JS: styles, tiles, geocoding, and its count of map loads. */
const MAPBOX = ['https://api.mapbox.com', 'https://*.tiles.mapbox.com', 'https://events.mapbox.com'];

/** A value for one answer's `nonce` attributes: 128 random bits (CSP Level 3, section 7.1). */
export function newNonce(): string {
  return randomBytes(16).toString('base64url');
}

/**
 * The headers of a page. A script runs only by its nonce, from {@link newNonce} for this answer alone, never because it
 * comes from this origin, where others may publish files (decisions, section "Addresses"). A map's worker is a blob.
 */
export function pageHeaders(nonce: string, options: PageOptions = {}): Record<string, string> {
  const provider = options.map === 'mapbox' ? MAPBOX : [];
  const blob = options.map === undefined ? [] : ['blob:'];
  const policy: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': [`'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', ...blob, ...provider, ...(options.images ?? [])],
    'font-src': ["'self'"],
    'media-src': ["'self'"],
    'connect-src': ["'self'", ...provider, ...(options.connects ?? [])],
    'worker-src': blob.length === 0 ? ["'none'"] : blob,
    'manifest-src': ["'self'"],
    'form-action': ["'self'"],
    'frame-ancestors': options.framedBy ?? ["'none'"],
    'base-uri': ["'none'"],
  };
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': Object.entries(policy)
      .map(([directive, sources]) => [directive, ...sources].join(' '))
      .join('; '),
    // Mapbox checks by the page's origin if a token is allowed.
    'Referrer-Policy': options.map === 'mapbox' ? 'strict-origin-when-cross-origin' : 'no-referrer',
    'Cross-Origin-Opener-Policy': options.keepsOpener ? 'unsafe-none' : 'same-origin',
    'Cache-Control': 'no-store',
  };
}
