import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { beforeAll, describe, expect, test } from 'vitest';

import { builtFile, ENGINES } from '../browser/built-file.ts';

const MAX_KB = { 'mapbox-gl': 573, 'maplibre-gl': 330 };

/** Maximum size of the component's code with Lit, without engine and without the licences at the head of the file (2 kB). */
const MAX_OWN_KB = 47;

/** The comment with which a built file begins. */
const LICENCES = /^\/\*![\s\S]*?\*\//;

/** Placeholders of addresses; only the default style of MapLibre GL is of the site. */
const PLACES = {
  'mapbox-gl': ['__WAYBRIDGE_GRAPHQL_URL__'],
  'maplibre-gl': ['__WAYBRIDGE_GRAPHQL_URL__', '__WAYBRIDGE_SITE_URL__'],
};

describe.each(ENGINES)('the file with %s', (engine) => {
  let built: string;
  beforeAll(async () => {
    built = readFileSync(await builtFile(engine), 'utf8');
  });

  test(`is one file of at most ${MAX_KB[engine]} kB gzip, of which at most ${MAX_OWN_KB} kB are code of our own`, () => {
    const sizeOf = (text: string): number => gzipSync(text, { level: 9 }).length;
    const library = [`${engine}.js`, `${engine}.css`].map((name) =>
      sizeOf(readFileSync(new URL(`../../node_modules/${engine}/dist/${name}`, import.meta.url), 'utf8')),
    );
    const code = built.replace(LICENCES, '');
    expect(built.length - code.length).toBeGreaterThan(1000);
    expect(sizeOf(built)).toBeLessThanOrEqual(MAX_KB[engine] * 1000);
    expect(sizeOf(code) - library.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MAX_OWN_KB * 1000);
  });

  test.each(PLACES[engine])('has one place where the server writes %s, a separate string', (place) => {
    expect(built.split(place)).toHaveLength(2);
    expect(built).toMatch(new RegExp(`(["'\`])${place}\\1`));
  });

  test('is a production build that needs no other file', () => {
    expect(built.includes('Lit is in dev mode')).toBe(false);
    expect(/\bimport\s+[\w*{][^;]{0,200}\bfrom\s*["']/.test(built)).toBe(false);
  });
});
