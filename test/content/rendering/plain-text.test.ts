import { describe, expect, test } from 'vitest';

import { renderExcerpt, trimExcerpt } from '../../../content/rendering/excerpt.ts';
import { stripTags } from '../../../content/rendering/plain-text.ts';
import { textField } from '../../../content/rendering/text-field.ts';

const SETTINGS = { smilies: true, siteUrl: 'https://example.com' };

describe('tags are taken out', () => {
  test.each([
    ['a <b>c</b>', 'a c'],
    ['a < b', 'a < b'],
    ['a <3 b <i>c</i> d', 'a '],
    ['<a title="x>y">z</a>', 'z'],
    ['<!-- x > y -->z', 'z'],
    ['<?php x ?>y', 'y'],
    ['a <', 'a '],
  ])('of %s', (html, text) => {
    expect(stripTags(html)).toBe(text);
  });
});

describe('a line of text is made', () => {
  test.each([
    ['<b>x</b>  y\n z', 'x y z'],
    ['a %20 b', 'a b'],
    ['a < b', 'a &lt; b'],
    ['<script>x</script>y', 'y'],
    ['  x  ', 'x'],
    ['%2%200', ''],
  ])('of %j', (typed, text) => {
    expect(textField(typed)).toBe(text);
  });
});

describe('an excerpt', () => {
  const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

  test('has 55 words, and says so if there are more', () => {
    expect(trimExcerpt(words(55))).toBe(words(55));
    expect(trimExcerpt(words(56))).toBe(`${words(55)} [&hellip;]`);
  });

  test.each([
    ['A [gallery ids="1"] b', '<p>A  b</p>\n', 'leaves shortcodes out'],
    ['a\n<!--more-->\nb', '<p>a</p>\n', 'ends before the mark to read on'],
    ['<b>a<!--more go on-->b</b>', '<p>a</p>\n', 'ends before a mark with words'],
    ['a\n<!--nextpage-->\nb', '<p>a</p>\n', 'is of the first page'],
    ['<!--nextpage-->a<!--nextpage-->b', '<p>a</p>\n', 'is of the first page that has something'],
    ['', '', 'is nothing of nothing'],
  ])('of %j is %j: it %s', (content, excerpt) => {
    expect(renderExcerpt('', content, SETTINGS).replace(/\s+(?=b)/, '  ')).toBe(excerpt);
  });

  test('that was written by hand is typeset', () => {
    expect(renderExcerpt("It's & :)", 'content', SETTINGS)).toBe('<p>It&#8217;s &#038; 🙂</p>\n');
  });
});
