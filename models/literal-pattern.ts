/** Maximum length of a text for a pattern; regular expressions of longer ones fail. */
const MAX_LENGTH = 10_000;

/** A regular expression that matches a text literally; for a text that is too long, one that matches nothing. */
export function literalPattern(text: string): string {
  if (text.length > MAX_LENGTH) return '(?!)';
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}
