/** Writes the answer of find, aggregate or getMore around documents that are already BSON, each copied once. */
export function cursorReply(name: 'firstBatch' | 'nextBatch', batch: readonly Buffer[], id: bigint, namespace: string) {
  const arrayLength = batch.reduce((sum, doc, place) => sum + 2 + String(place).length + doc.length, 5);
  const namespaceLength = Buffer.byteLength(namespace) + 1;
  const cursorLength = 4 + (2 + name.length) + arrayLength + (4 + 8) + (4 + 4 + namespaceLength) + 1;
  const bytes = Buffer.allocUnsafe(4 + 8 + cursorLength + OK.length);
  let at = bytes.writeInt32LE(bytes.length);
  const write = (text: string) => {
    at += bytes.write(text, at, 'latin1');
  };
  write('\x03cursor\0');
  at = bytes.writeInt32LE(cursorLength, at);
  write(`\x04${name}\0`);
  at = bytes.writeInt32LE(arrayLength, at);
  for (const [place, doc] of batch.entries()) {
    write(`\x03${place}\0`);
    at += doc.copy(bytes, at);
  }
  write('\0\x12id\0');
  at = bytes.writeBigInt64LE(id, at);
  write('\x02ns\0');
  at = bytes.writeInt32LE(namespaceLength, at);
  at += bytes.write(namespace, at);
  write('\0\0');
  OK.copy(bytes, at);
  return bytes;
}

/** The field `ok: 1` and the end of the answer. */
const OK = Buffer.from('\x01ok\0\0\0\0\0\0\0\xf0\x3f\0', 'latin1');
