/** Escapes of JSON: a surrogate pair, a lone surrogate, or any other. */
const ESCAPE = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|(ud[89a-f][0-9a-f]{2})|.)/gis;

/** Returns true if a text of JSON escapes a lone surrogate (RFC 8259, section 8.2), which cannot be stored as UTF-8. */
export function hasLoneSurrogate(json: string): boolean {
  if (!/\\ud[89a-f]/i.test(json)) return false;
  for (const [, lone] of json.matchAll(ESCAPE)) if (lone !== undefined) return true;
  return false;
}
