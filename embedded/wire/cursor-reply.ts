import { encode } from '../bson/encode.ts';
import { Long } from 'bson';

/** Writes the answer of find, aggregate or getMore around documents that are already BSON. */
export function cursorReply(
  batchName: 'firstBatch' | 'nextBatch',
  batch: readonly Buffer[],
  id: bigint,
  namespace: string,
): Buffer {
  const tail = encode(
    new Map<string, Long | string>([
      ['id', Long.fromBigInt(id)],
      ['ns', namespace],
    ]),
  );
  const parts: Buffer[] = [];
  for (const [place, doc] of batch.entries()) parts.push(Buffer.from(`\x03${place}\0`, 'latin1'), doc);
  const arrayLength = parts.reduce((sum, part) => sum + part.length, 5);
  const arrayName = Buffer.from(`\x04${batchName}\0`, 'latin1');
  const cursorLength = 4 + arrayName.length + arrayLength + (tail.length - 5) + 1;
  const cursorName = Buffer.from('\x03cursor\0', 'latin1');
  const total = 4 + cursorName.length + cursorLength + OK.length + 1;
  return Buffer.concat([
    int32(total),
    cursorName,
    int32(cursorLength),
    arrayName,
    int32(arrayLength),
    ...parts,
    ZERO,
    tail.subarray(4),
    OK,
    ZERO,
  ]);
}

const ZERO = Buffer.from([0]);
const OK = Buffer.from('\x01ok\0\0\0\0\0\0\0\xf0\x3f', 'latin1');

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32LE(value);
  return bytes;
}
