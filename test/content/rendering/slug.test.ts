import { expect, test } from 'vitest';

import { requestedSlug, slugOf } from '../../../content/rendering/slug.ts';

test.each([
  ['Hello World', 'hello-world'],
  ['  A  b  ', 'a-b'],
  ['C++ & Café', 'c-cafe'],
  ['Größe Ærø Łódź', 'grose-aero-lodz'],
  ['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'],
  ['a/b', 'a-b'],
  ['a—b – c', 'a-b-c'],
  ['100%', '100'],
  ['%C3%A9', '%c3%a9'],
  ['“Quotes” ‘x’', 'quotes-x'],
  ['3×4', '3x4'],
  ['Ünïcödé', 'unicode'],
  ['<b>x</b> y', 'x-y'],
  ['&amp; &nbsp; x', 'x'],
  ['a.b_c', 'a-b_c'],
  ['…', ''],
  ['£5 €6', '5-e6'],
  ['İstanbul', 'istanbul'],
])('the slug of "%s" is "%s"', (text, slug) => {
  expect(slugOf(text)).toBe(slug);
});

test('a slug ends before the character that would pass 200', () => {
  expect(slugOf(`${'a'.repeat(199)}bc`)).toBe(`${'a'.repeat(199)}b`);
  expect(slugOf('日'.repeat(30))).toBe('%e6%97%a5'.repeat(22));
});

test('a slug that is asked for keeps its marks', () => {
  expect(requestedSlug('Größe')).toBe('gr%c3%b6%c3%9fe');
});
