const PERCENT = 0x25;
const OCTET = /%[a-f0-9]{2}/i;

/**
 * A text without percent-encoded octets, and without those that come to be where others are taken out: of `%4%411` nothing
 * stays. It reads a text once, whereas taking them out until none is left takes seconds for 100 KB of `%4…%41…1`.
 *
 * @param unwanted the digits of the octets that go, such as `/0[da]/i`
 */
export function withoutOctets(text: string, unwanted: RegExp): string {
  if (!OCTET.test(text)) return text;
  const kept = new Uint16Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    kept[length++] = text.charCodeAt(at);
    const isOctet =
      kept[length - 3] === PERCENT && unwanted.test(String.fromCharCode(...kept.subarray(length - 2, length)));
    if (isOctet) length -= 3;
  }
  return Buffer.from(kept.buffer, 0, length * Uint16Array.BYTES_PER_ELEMENT).toString('utf16le');
}
