import { plainText } from '../rendering/plain-text.ts';
import { transliterate } from '../rendering/transliterate.ts';

/** A login as it may be stored: ASCII letters, digits, blanks and `_ . - @`; everything else is left out. */
export function cleanLogin(text: string): string {
  return transliterate(plainText(text))
    .replace(/%[a-f0-9]{2}/gi, '')
    .replace(/&.+?;/g, '')
    .replace(/[^a-z0-9 _.\-@]/gi, '')
    .trim()
    .replace(/\s+/g, ' ');
}
