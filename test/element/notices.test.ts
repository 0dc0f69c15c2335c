import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const words = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');

const FILES = {
  'mapbox-gl': 'service-web-components.umd.js',
  'maplibre-gl': 'service-web-components.maplibre.umd.js',
};

/** Every package whose modules the built files were made from, with its terms and the files. */
const BUNDLED = [
  ...Object.entries(FILES).map(([engine, file]) => [`${engine}/LICENSE.txt`, file]),
  ...['lit/LICENSE', 'lit-html/LICENSE', '@lit/reactive-element/LICENSE'].flatMap((terms) =>
    Object.values(FILES).map((file) => [terms, file]),
  ),
] as [terms: string, file: string][];

test.each(BUNDLED)('the terms of %s are in %s and in the package, word for word', (terms, file) => {
  const text = words(read(`node_modules/${terms}`).trim());
  expect(words(read(`dist/${file}`).slice(0, 40_000))).toContain(text);
  expect(words(read('dist/THIRD-PARTY-NOTICES.txt'))).toContain(words(text));
});

test('no file has the terms of the engine that it does not contain', () => {
  expect(read(`dist/${FILES['maplibre-gl']}`)).not.toContain('Mapbox TOS');
  expect(read(`dist/${FILES['mapbox-gl']}`)).not.toContain('MapLibre contributors');
});

test('the package claims the MIT licence for its own part only', () => {
  expect(JSON.parse(read('dist/package.json')).license).toBe('SEE LICENSE IN LICENSE');
  const license = read('dist/LICENSE');
  expect(license).toMatch(/THIRD-PARTY-NOTICES\.txt.*mapbox-gl, whose terms are not open source/s);
  expect(license).toContain(read('LICENSE'));
  expect(existsSync(join(ROOT, 'dist/THIRD-PARTY-NOTICES.txt'))).toBe(true);
});
