/** Separators of words in typography: a space, a line end, a tab, or a no-break space in either spelling. A regular expression's source. */
export const WORD_SPACE = '(?:[\\r\\n\\t \\u00a0]|&nbsp;)';

/** Trims white space of ASCII (and NUL); a no-break space stays. */
export function trimAscii(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isAsciiSpace(text.charCodeAt(start))) start++;
  while (end > start && isAsciiSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

/** Removes some characters from the end, in linear time. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

function isAsciiSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 11) || code === 13 || code === 0;
}
