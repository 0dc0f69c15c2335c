/** PHP's `(int)`, as far as JavaScript can hold it: of a text, the number at its beginning. */
export function toInteger(value: unknown): number {
  if (typeof value === 'object') return isTruthy(value) ? 1 : 0;
  const number = typeof value === 'string' ? Number.parseFloat(value.trim()) : Number(value);
  if (Number.isNaN(number)) return 0;
  return Math.trunc(Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, number))) + 0;
}

/** Returns true if PHP treats a value as a number: a number, or numeric text, perhaps after white space. */
export function isNumeric(value: unknown): boolean {
  if (typeof value === 'number') return true;
  return typeof value === 'string' && /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value);
}

/** A whole number of zero or more; the reference's `absint`. */
export function toWholeNumber(value: unknown): number {
  return Math.abs(toInteger(value));
}

/** Returns true if PHP treats a value as true: null, zero, an empty text, `0` and empty arrays are false. */
export function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && value !== '0';
}
