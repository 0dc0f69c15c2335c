/** An instant as the library writes it, in whole seconds since 1970 (RFC 7519, section 2, NumericDate). */
export function epochOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

/** The instant of a NumericDate. */
export function instantOf(epoch: number): Date {
  return new Date(epoch * 1000);
}
