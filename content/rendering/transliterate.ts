/** Latin letters that take their plain form by leaving marks off; of the rest of Unicode nothing is spelt in another script. */
const MARKED_LETTERS = /[\u00c0-\u01dc\u0218-\u021b\u1ea0-\u1ef9]/g;

const LETTERS: Readonly<Record<string, string>> = {
  ª: 'a',
  º: 'o',
  Æ: 'AE',
  æ: 'ae',
  Ð: 'D',
  ð: 'd',
  Þ: 'TH',
  þ: 'th',
  ß: 's',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: 'n',
  Ŋ: 'N',
  ŋ: 'n',
  Œ: 'OE',
  œ: 'oe',
  Ŧ: 'T',
  ŧ: 't',
  ſ: 's',
  ɑ: 'a',
  '€': 'E',
  '£': '',
};

const OTHER_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Spells Latin letters with marks, and ligatures, in ASCII: `Größe` becomes `Grose`. Other scripts stay. */
export function transliterate(text: string): string {
  return text
    .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter)
    .replace(MARKED_LETTERS, (letter) => letter.normalize('NFD').replace(/\p{M}/gu, ''));
}
