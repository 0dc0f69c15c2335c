/** MongoDB's code `BSONObjectTooLarge`. */
const BSON_OBJECT_TOO_LARGE = 10334;

/** Tells whether a fault is that a record would be larger than the 16 MB which MongoDB stores, by driver or by server. */
export function isRecordTooLarge(fault: unknown): boolean {
  if (!(fault instanceof Error) || !('code' in fault)) return false;
  // The driver writes a document into a buffer of 17 MB, and says only that it was not large enough.
  const exceedsBuffer = fault instanceof RangeError && /\bbson\b/.test(fault.stack ?? '');
  return fault.code === BSON_OBJECT_TOO_LARGE || (exceedsBuffer && fault.code === 'ERR_OUT_OF_RANGE');
}
