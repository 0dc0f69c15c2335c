/** A run of bytes: from `start` until before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads a `Range` header for a file of `length` bytes (RFC 9110, section 14.2); `'unsatisfiable'` where it starts
 * behind the end, null where the whole file is sent: no range, several, another unit, or unreadable.
 */
export function readByteRange(header: string | undefined, length: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return null;
  if (first === '') {
    const suffix = Number(last);
    return suffix === 0 || length === 0 ? 'unsatisfiable' : { start: Math.max(0, length - suffix), end: length };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= length) return 'unsatisfiable';
  return { start, end: last === '' ? length : Math.min(length, Number(last) + 1) };
}
