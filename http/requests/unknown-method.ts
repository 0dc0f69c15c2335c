/** Start of a request (RFC 9112, section 3) with the path of its target, which may be in absolute form. */
const REQUEST_LINE = /^[\w!#$%&'*+.^`|~-]+ (?:https?:\/\/[^/?# ]*)?(\/[^?# ]*)?\S* HTTP\/1\.[01]\r?\n/i;

/** Reads the path of a request whose method the parser of Node.js does not know; null if it is no request. */
export function pathOfUnknownMethod(error: Error): string | null {
  if (!('rawPacket' in error && Buffer.isBuffer(error.rawPacket) && 'bytesParsed' in error)) return null;
  const text = error.rawPacket.toString('latin1');
  const start = text.lastIndexOf('\n', Number(error.bytesParsed) - 1) + 1;
  const [line, path = '/'] = REQUEST_LINE.exec(text.slice(start)) ?? [];
  return line === undefined ? null : path;
}
