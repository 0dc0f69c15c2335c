/** Returns true if PHP takes a value for true: nothing, zero, an empty text, `0` and what has no members are false. */
export function isTruthy(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && value !== '0';
}
