/**
 * Reads a number that a feed may leave out or mark as unknown, such as a course of -1: NaN unless it is one from `min` to
 * `max`. Numbers may be written as text, as in the parameters of an address.
 */
export function numberOrNone(value: unknown, min: number, max: number): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= min && number <= max ? number : Number.NaN;
}

/** Reads whether something is so, also as text; undefined where that is not said. */
export function truthOrNone(value: unknown): boolean | undefined {
  if (value === true || value === 'true' || value === '1') return true;
  return value === false || value === 'false' || value === '0' ? false : undefined;
}
