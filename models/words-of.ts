import { GRAM_LENGTH } from './n-grams.ts';

/** Maximum number of words of indexed texts; more words suggest embedded files. */
const MAX_WORDS = 4000;

/** Longer runs of letters are indexed in pieces of twice this length, in characters, which overlap by half. */
const MAX_PART = 32;

/** Maximum number of parts of a searched text that are looked up: the longest ones, which occur in the fewest words. */
const MAX_PARTS = 3;

/** Characters of scripts without spaces between words: each counts as a word. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Words of a folded text; its first branch is {@link UNSPACED}. For ASCII there is a faster pattern. */
const WORDS = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[\\p{L}\\p{M}\\p{N}_])+`, 'gu');
const ASCII_WORDS = /[a-z0-9_]+/g;

const IS_ASCII = /^\p{ASCII}*$/u;

/** Characters whose class is not found from their capital letter. */
const FOLDED: ReadonlyMap<string, string> = new Map([
  ['ı', 'ı'],
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
]);

/**
 * Folds a text, character by character, so that two are equal if they match in a case-insensitive regular expression:
 * Unicode's simple case folding. Accents are significant.
 */
export function foldCase(text: string): string {
  if (IS_ASCII.test(text)) return text.toLowerCase();
  return text.replace(/\P{ASCII}|[A-Z]/gu, (character) => FOLDED.get(character) ?? foldedCharacter(character));
}

function foldedCharacter(character: string): string {
  const capital = singleOr(character, character.toUpperCase());
  return singleOr(capital, capital.toLowerCase());
}

/** A conversion of a character, unless the result has several. */
function singleOr(character: string, converted: string): string {
  return converted.length === String.fromCodePoint(converted.codePointAt(0) ?? 0).length ? converted : character;
}

/**
 * Words of some texts as they are indexed: each once, folded, without those shorter than a gram, which occur in
 * too many texts to be useful.
 *
 * @returns null if they are too many
 */
export function wordsOf(texts: readonly string[]): readonly string[] | null {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of wordsIn(foldCase(text))) {
      if (word.length <= MAX_PART * 2) words.add(word);
      else for (const piece of piecesOf([...word])) words.add(piece);
    }
  }
  return words.size > MAX_WORDS ? null : [...words];
}

/** Every sequence of {@link MAX_PART} characters of a long run is in one of its pieces. */
function piecesOf(characters: readonly string[]): readonly string[] {
  const pieces = [characters.slice(0, MAX_PART * 2).join('')];
  for (let start = MAX_PART; start + MAX_PART < characters.length; start += MAX_PART) {
    pieces.push(characters.slice(start, start + MAX_PART * 2).join(''));
  }
  return pieces;
}

/**
 * Splits a searched text like {@link wordsOf} splits the texts that may contain it: each of these has, for every part, a
 * word that contains it. Empty if words cannot decide.
 */
export function searchedParts(text: string): readonly string[] {
  const parts = wordsIn(foldCase(text)).map((word) => [...word].slice(0, MAX_PART).join(''));
  return [...new Set(parts)].sort((one, other) => other.length - one.length).slice(0, MAX_PARTS);
}

/** Returns true if a word is a single character, which no other word contains. */
export function isUnspaced(word: string): boolean {
  return UNSPACED.test(word);
}

function wordsIn(folded: string): readonly string[] {
  const words = folded.match(IS_ASCII.test(folded) ? ASCII_WORDS : WORDS) ?? [];
  return words.filter((word) => isUnspaced(word) || [...word].length >= GRAM_LENGTH);
}

/** The mark of a text with too many words to be indexed. */
export const ANY_MARK = '*';

/** The marks of some words, each once; for too many words, the mark that stands for all. */
export function marksOf(words: readonly string[] | null): readonly string[] {
  return words ? [...new Set(words.map(markOf))] : [ANY_MARK];
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** A hash of a word: three letters, shared by few words. It makes the index a third smaller than words would. */
export function markOf(word: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return [0, 6, 12].map((bits) => LETTERS[((hash ^ (hash >>> 18)) >>> bits) & 63]).join('');
}
