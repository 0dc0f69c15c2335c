import { describe, expect, test } from 'vitest';

import { newNonce, type PageOptions, pageHeaders } from '../../../http/answers/page-headers.ts';

/** The sources of a directive of the page's policy. */
function sources(directive: string, options: PageOptions = {}): readonly string[] {
  const policy = String(pageHeaders('abc', options)['Content-Security-Policy']);
  const found = policy.split('; ').find((part) => part.startsWith(`${directive} `));
  return found?.split(' ').slice(1) ?? [];
}

describe('the policy of a page', () => {
  test.each([{}, { map: 'local' }, { map: 'mapbox', images: ['https:'] }] as const)(
    'with %o runs scripts by nonce alone',
    (options) => {
      expect(sources('script-src', options)).toEqual(["'nonce-abc'"]);
      expect(sources('default-src', options)).toEqual(["'none'"]);
    },
  );

  test('forbids framing, a foreign base and workers', () => {
    expect(sources('frame-ancestors')).toEqual(["'none'"]);
    expect(sources('base-uri')).toEqual(["'none'"]);
    expect(sources('worker-src')).toEqual(["'none'"]);
  });

  test('lets a local map make its worker and images of blobs, and asks nobody else', () => {
    expect(sources('worker-src', { map: 'local' })).toEqual(['blob:']);
    expect(sources('img-src', { map: 'local' })).toEqual(["'self'", 'data:', 'blob:']);
    expect(sources('connect-src', { map: 'local' })).toEqual(["'self'"]);
  });

  test('lets a Mapbox map ask Mapbox', () => {
    expect(sources('connect-src', { map: 'mapbox' })).toContain('https://api.mapbox.com');
    expect(pageHeaders('abc', { map: 'mapbox' })['Referrer-Policy']).toBe('strict-origin-when-cross-origin');
  });

  test('lets a form lead to this service alone', () => {
    expect(sources('form-action')).toEqual(["'self'"]);
  });

  test('shuts the page off from its opener, unless it keeps it', () => {
    expect(pageHeaders('abc')['Cross-Origin-Opener-Policy']).toBe('same-origin');
    expect(pageHeaders('abc', { keepsOpener: true })['Cross-Origin-Opener-Policy']).toBe('unsafe-none');
  });
});

test('a nonce has 128 bits, and no two are alike', () => {
  expect(newNonce()).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(newNonce()).not.toBe(newNonce());
});
