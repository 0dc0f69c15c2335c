import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const words = (text: string): string => text.replaceAll('*/', '* /').replace(/\s+/g, ' ');

/** Every package whose modules the one file was built from, with its terms. */
const BUNDLED = ['mapbox-gl/LICENSE.txt', 'lit/LICENSE', 'lit-html/LICENSE', '@lit/reactive-element/LICENSE'];

test.each(BUNDLED)('the one file and the package keep the terms of %s word for word', (terms) => {
  const text = words(read(`node_modules/${terms}`).trim());
  expect(words(read('dist/service-web-components.umd.js').slice(0, 40_000))).toContain(text);
  expect(words(read('dist/THIRD-PARTY-NOTICES.txt'))).toContain(words(text));
});

test('the package claims the MIT licence for its own part only', () => {
  expect(JSON.parse(read('dist/package.json')).license).toBe('SEE LICENSE IN LICENSE');
  const license = read('dist/LICENSE');
  expect(license).toMatch(/THIRD-PARTY-NOTICES\.txt.*mapbox-gl are not open source/s);
  expect(license).toContain(read('LICENSE'));
  expect(existsSync(join(ROOT, 'dist/THIRD-PARTY-NOTICES.txt'))).toBe(true);
});
