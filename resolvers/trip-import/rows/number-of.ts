/** What begins as a decimal number, and not as one of base 2, 8 or 16, which `Number` reads as well. */
const DECIMAL = /^\s*[+-]?(?!0[box])[\d.]/i;

/** A number as files write it, decimal; NaN for anything else. */
export function numberOf(written: unknown): number {
  if (typeof written === 'number') return written;
  return typeof written === 'string' && DECIMAL.test(written) ? Number(written) : Number.NaN;
}
