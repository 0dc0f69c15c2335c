/** Number of the entry of EXIF that refers to the position. Source: Exif 2.32, section 4.6.3. */
const POSITION = 0x8825;
/** Length of an entry of a directory, in bytes (TIFF 6.0, section 2). */
const ENTRY = 12;
const EXIF_HEAD = 'Exif\0\0';

/**
 * Copies an image without the reference to the position in its EXIF, whose other facts, such as the copyright, stay.
 *
 * @param exif the EXIF as the image library reads it
 * @returns null if it is not found in the image as it is, or cannot be read
 */
export function withoutPosition(image: Uint8Array, exif: Buffer): Buffer | null {
  const copy = Buffer.from(image);
  const at = copy.indexOf(exif);
  if (at < 0) return null;
  const tiff = copy.subarray(at + (exif.toString('latin1', 0, EXIF_HEAD.length) === EXIF_HEAD ? EXIF_HEAD.length : 0));
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (from: number) => (isLittle ? tiff.readUInt16LE(from) : tiff.readUInt16BE(from));
  try {
    const directory = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    const entries = Array.from({ length: short(directory) }, (_, index) => directory + 2 + index * ENTRY);
    const kept = entries.find((entry) => short(entry) !== POSITION);
    for (const entry of entries) {
      if (short(entry) !== POSITION) continue;
      // A repeated entry is ignored.
      if (kept === undefined) return null;
      tiff.copyWithin(entry, kept, kept + ENTRY);
    }
    return copy;
  } catch {
    return null;
  }
}
