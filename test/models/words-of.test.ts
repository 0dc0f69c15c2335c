import { expect, test } from 'vitest';

import { foldCase, searchedParts, wordsOf } from '../../models/words-of.ts';
import { literalPattern } from '../../models/literal-pattern.ts';

test('characters fold alike where a regular expression that ignores case takes them for the same', () => {
  const characters: string[] = [];
  for (let point = 0; point < 0x11_0000; point += 1) {
    const isHalf = point >= 0xd8_00 && point < 0xe0_00;
    const character = isHalf ? '' : String.fromCodePoint(point);
    if (character.toLowerCase() !== character.toUpperCase()) characters.push(character);
  }
  const all = characters.join('');
  for (const character of characters) {
    const same = all.match(new RegExp(literalPattern(character), 'giu')) ?? [];
    expect(same.map(foldCase)).toEqual(same.map(() => foldCase(character)));
    expect(foldCase(character)).toMatch(new RegExp(`^${literalPattern(character)}$`, 'iu'));
  }
});

test('words are runs of letters and digits, folded, with accents, and each once', () => {
  expect(wordsOf(['The <b>Ferry</b>, the ferry-boat Été 2026', 'of ÉTÉ'])).toEqual([
    ...['the', 'ferry', 'boat', 'été', '2026'],
  ]);
});

test('of scripts without spaces, each character is a word', () => {
  expect(wordsOf(['東京ferry駅'])).toEqual(['東', '京', 'ferry', '駅']);
  expect(searchedParts('京fer')).toEqual(['fer', '京']);
});

test('of a long run of letters, every part that is searched for is in a piece', () => {
  const run = Array.from({ length: 300 }, (_, at) => ((at * 7919) % 36).toString(36)).join('');
  const pieces = wordsOf([run]) ?? [];
  expect(Math.max(...pieces.map(({ length }) => length))).toBe(64);
  for (let start = 0; start < run.length - 2; start += 1) {
    for (const end of [start + 3, start + 32, start + 90]) {
      const [part = ''] = searchedParts(run.slice(start, end));
      expect(pieces.some((piece) => piece.includes(part))).toBe(true);
    }
  }
});

test('the parts that are looked up are the longest, and none where letters are too few to tell', () => {
  expect(searchedParts('a lighthouse by the northern sea')).toEqual(['lighthouse', 'northern', 'the']);
  expect(searchedParts('-- ab é')).toEqual([]);
});

test('a text with thousands of words is not taken apart', () => {
  const text = Array.from({ length: 4001 }, (_, at) => `word${at}`).join(' ');
  expect(wordsOf([text])).toBeNull();
});
