/** Latin letters that are spelt without their marks; other scripts stay. */
const MARKED_LETTERS = /[\u00c0-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/g;

/** Letters that Unicode does not decompose, each followed by its spelling. */
const TABLE =
  'ªa ºo ÆAE æae ÐD ðd ÞTH þth ßs ØO øo ĐD đd ĦH ħh ıi ĲIJ ĳij ĸk ĿL ŀl ' + 'ŁL łl ŉn ŊN ŋn ŒOE œoe ŦT ŧt ſs ɑa €E £';

const LETTERS = new Map(TABLE.split(' ').map((entry) => [entry.charAt(0), entry.slice(1)]));

const OTHER_LETTERS = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g');

/** Spells Latin letters with marks, and ligatures, in ASCII: `Größe` becomes `Grose`. Other scripts stay. */
export function transliterate(text: string): string {
  return text
    .replace(OTHER_LETTERS, (letter) => LETTERS.get(letter) ?? letter)
    .replace(MARKED_LETTERS, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));
}
