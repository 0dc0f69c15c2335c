import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { beforeAll, expect, test } from 'vitest';

import { builtFile } from '../browser/built-file.ts';

let built: string;
beforeAll(async () => {
  built = readFileSync(await builtFile(), 'utf8');
});

test('is one file of at most 560 kB gzip, of which at most 32 kB are not mapbox-gl', () => {
  const sizeOf = (text: string): number => gzipSync(text, { level: 9 }).length;
  const library = ['mapbox-gl.js', 'mapbox-gl.css'].map((name) =>
    sizeOf(readFileSync(new URL(`../../node_modules/mapbox-gl/dist/${name}`, import.meta.url), 'utf8')),
  );
  const total = sizeOf(built);
  expect(total).toBeLessThanOrEqual(560_000);
  expect(total - library.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(32_000);
});

test('has one place where the server writes its address, a separate string', () => {
  expect(built.split('__WAYBRIDGE_GRAPHQL_URL__')).toHaveLength(2);
  expect(built).toMatch(/(["'`])__WAYBRIDGE_GRAPHQL_URL__\1/);
});

test('is a production build that needs no other file', () => {
  expect(built.includes('Lit is in dev mode')).toBe(false);
  expect(/\bimport\s+[\w*{][^;]{0,200}\bfrom\b/.test(built)).toBe(false);
});
