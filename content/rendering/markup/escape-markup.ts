import { normalizeReferences } from './character-references.ts';

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };

/** Writes `<`, `>` and bare `&` as character references; what is a reference already stays. */
export function escapeMarkup(text: string): string {
  return normalizeReferences(text).replace(/[<>]/g, (char) => ESCAPES[char] ?? char);
}

/** As `escapeMarkup`, and quotation marks as well: for the value of an attribute. */
export function escapeAttribute(text: string): string {
  return normalizeReferences(text).replace(/[<>"']/g, (char) => ESCAPES[char] ?? char);
}
