/** The bytes of a stored Buffer: lean documents have the driver's Binary although their type says Buffer. */
export function bytesOf(stored: Buffer | { readonly buffer: Uint8Array }): Uint8Array {
  return stored instanceof Uint8Array ? stored : stored.buffer;
}
