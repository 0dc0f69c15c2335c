/** Longest text that a pattern is made of; longer ones are no regular expression any more. */
const MAX_LENGTH = 10_000;

/** A regular expression that finds a text as it stands; for a text that is too long, one that finds nothing. */
export function literalPattern(text: string): string {
  if (text.length > MAX_LENGTH) return '(?!)';
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll('\0', '\\x00');
}
