import { stripTags } from './plain-text.ts';
import { isTruthy } from '../schema/php-values.ts';

const MAX_LENGTH = 200;

/** Written as a hyphen: no-break space, dashes (as characters or as references), a slash. */
const HYPHENS = /%c2%a0|%e2%80%9[34]|&nbsp;|&#160;|&ndash;|&#8211;|&mdash;|&#8212;|\//g;

/** Omitted: ¡ ¿ « » ‹ ›, quotation marks, © ® ° … ™, accents that stand alone. */
const SIGNS =
  /%c2%a1|%c2%bf|%c2%ab|%c2%bb|%e2%80%b[9a]|%e2%80%9[89a-f]|%c2%a9|%c2%ae|%c2%b0|%e2%80%a6|%e2%84%a2|%c2%b4|%cb%8a|%c[cd]%81|%cc%8[04c]/g;

/** The slug of a text: lower case, hyphens, Latin letters in ASCII, others percent-encoded. It may be empty. */
export function slugOf(text: string): string {
  const encoded = encodeSlug(transliterate(text));
  return hyphenate(encoded.replace(HYPHENS, '-').replace(SIGNS, '').replaceAll('%c3%97', 'x'));
}

/** The slug that a request gives; empty for one that PHP treats as false. */
export function givenSlug(text: string): string {
  const slug = slugOf(text);
  return isTruthy(slug) ? slug : '';
}

/**
 * The slug of a text that a request gives as a slug: as `slugOf`, but letters keep their diacritics and symbols are
 * percent-encoded.
 */
export function requestedSlug(text: string): string {
  return hyphenate(encodeSlug(text));
}

function encodeSlug(text: string): string {
  const octets = stripTags(text).replace(/%(?![a-fA-F0-9]{2})/g, '');
  return cutEncoded(octets.toLowerCase()).toLowerCase();
}

/** Percent-encodes non-ASCII characters; a character that would exceed the limit ends the text. */
function cutEncoded(text: string): string {
  let encoded = '';
  for (const char of text) {
    const next = char.charCodeAt(0) < 128 ? char : percentEncoded(char);
    if (encoded.length + next.length > MAX_LENGTH) break;
    encoded += next;
  }
  return encoded;
}

function percentEncoded(char: string): string {
  return [...Buffer.from(char)].map((octet) => `%${octet.toString(16)}`).join('');
}

function hyphenate(text: string): string {
  const hyphenated = text
    .replace(/&[^\n]+?;/g, '')
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/[ -]+/g, '-');
  return hyphenated.replace(/^-|-$/g, '');
}

/** Latin letters that are spelled without their diacritics; other scripts stay. */
const MARKED_LETTERS = /[\u00c0-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/g;

/** Letters that Unicode does not decompose, each followed by its spelling. */
const SPELLINGS =
  'ªa ºo ÆAE æae ÐD ðd ÞTH þth ßs ØO øo ĐD đd ĦH ħh ıi ĲIJ ĳij ĸk ĿL ŀl ' + 'ŁL łl ŉn ŊN ŋn ŒOE œoe ŦT ŧt ſs ɑa €E £';

const LETTERS = new Map(SPELLINGS.split(' ').map((entry) => [entry.charAt(0), entry.slice(1)]));

const OTHER_LETTERS = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

/** Spells Latin letters with diacritics, and ligatures, in ASCII: `Größe` becomes `Grose`. Other scripts stay. */
export function transliterate(text: string): string {
  return text
    .replace(OTHER_LETTERS, (letter) => LETTERS.get(letter) ?? letter)
    .replace(MARKED_LETTERS, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));
}
