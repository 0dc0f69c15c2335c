/** A number with at most so many decimals and no exponent, as every format reads it; empty for NaN. */
export function decimal(value: number | undefined, decimals: number): string {
  if (value === undefined || Number.isNaN(value)) return '';
  return value.toFixed(decimals).replace(/\.?0+$/, '');
}
