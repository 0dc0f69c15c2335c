/** Maximum depth of nested arrays and objects in external JSON. */
export const MAX_JSON_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const COMMA = 0x2c;

/**
 * Finds the index of the bracket that exceeds the maximum depth of arrays and objects, or null, before a
 * text is parsed, which would take hundreds of times its memory; invalid JSON is left to the parser.
 */
export function findTooDeep(text: string, maxDepth: number = MAX_JSON_DEPTH): number | null {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        if (++depth > maxDepth) return at;
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth--;
        break;
    }
  }
  return null;
}

/**
 * Returns true if a text of JSON may have more than so many values, before it is parsed: each value follows an opening
 * bracket or a comma, or is the whole text.
 */
export function hasMoreValues(text: string, max: number): boolean {
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) at = endOfString(text, at);
    else if ((sign === COMMA || sign === OPENING_BRACKET || sign === OPENING_BRACE) && ++values > max) return true;
  }
  return false;
}

/** The index of the quote that ends a string, or of the end of the text if there is none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
