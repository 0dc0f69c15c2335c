import { MongoError } from './mongo-error.ts';

/** Sizes of values, in bytes, by type. */
const SIZES: Readonly<Record<number, number>> = {
  1: 8,
  6: 0,
  7: 12,
  8: 1,
  9: 8,
  10: 0,
  16: 4,
  17: 8,
  18: 8,
  19: 16,
  127: 0,
  255: 0,
};

/** Bytes of a value beside its length, by type: strings, documents (which count their length), binary data, code. */
const EXTRA: Readonly<Record<number, number>> = { 2: 4, 3: 0, 4: 0, 5: 5, 13: 4, 14: 4, 15: 0 };

/** Treatment of a field by a copy: kept, dropped, or copied as far as the fields in it are. */
export type FieldStep = 'keep' | 'drop' | ReadonlyMap<string, FieldStep>;

/** A field that a copy treats, with its name as it is stored. */
interface CopiedField {
  readonly name: Buffer;
  readonly step: 'keep' | 'drop' | readonly CopiedField[];
}

/** A copy in progress; it is no longer than the document. */
interface Copy {
  readonly from: Buffer;
  readonly to: Buffer;
  readonly include: boolean;
  length: number;
}

const DOCUMENT = 3;
const ARRAY = 4;

/**
 * Makes the function that copies stored documents without some fields, or with them alone, at a tenth of the cost of
 * decoding them. Of an array, each element is copied.
 *
 * @param include true to drop fields without a step, false to keep them
 */
export function fieldCopier(steps: ReadonlyMap<string, FieldStep>, include: boolean): (bytes: Buffer) => Buffer {
  const fields = copiedFields(steps);
  return (from) => {
    const copy = { from, to: Buffer.allocUnsafe(from.length), include, length: 0 };
    copyFields(copy, 0, fields);
    return copy.to.subarray(0, copy.length);
  };
}

function copiedFields(steps: ReadonlyMap<string, FieldStep>): CopiedField[] {
  return [...steps].map(([name, step]) => {
    return { name: Buffer.from(name), step: typeof step === 'string' ? step : copiedFields(step) };
  });
}

/** Copies the document at a place; bytes that are kept are copied together. */
function copyFields(copy: Copy, start: number, fields: readonly CopiedField[]): void {
  const { from, include } = copy;
  const lengthAt = begin(copy);
  let at = start + 4;
  let keptFrom = at;
  while (from[at] !== 0) {
    const nameEnd = endOfName(from, at + 1);
    const type = from.readUInt8(at);
    const end = valueEnd(from, type, nameEnd + 1);
    const step = stepOf(fields, from, at + 1, nameEnd) ?? (include ? 'drop' : 'keep');
    const isCopiedWithin = typeof step === 'object' && isNested(type);
    if (isCopiedWithin || step === 'drop' || (step !== 'keep' && include)) {
      keep(copy, keptFrom, isCopiedWithin ? nameEnd + 1 : at);
      if (isCopiedWithin) copyNested(copy, type, nameEnd + 1, step);
      keptFrom = end;
    }
    at = end;
  }
  keep(copy, keptFrom, at);
  finish(copy, lengthAt);
}

/** Copies the elements of the array at a place; others than documents have no fields. */
function copyElements(copy: Copy, start: number, fields: readonly CopiedField[]): void {
  const { from, to, include } = copy;
  const lengthAt = begin(copy);
  let place = 0;
  for (let at = start + 4; from[at] !== 0; ) {
    const type = from.readUInt8(at);
    const valueAt = endOfName(from, at + 1) + 1;
    const end = valueEnd(from, type, valueAt);
    if (isNested(type) || !include) {
      copy.length = to.writeUInt8(type, copy.length);
      copy.length += to.write(`${place++}\0`, copy.length, 'latin1');
      if (isNested(type)) copyNested(copy, type, valueAt, fields);
      else keep(copy, valueAt, end);
    }
    at = end;
  }
  finish(copy, lengthAt);
}

function isNested(type: number): boolean {
  return type === DOCUMENT || type === ARRAY;
}

function copyNested(copy: Copy, type: number, at: number, fields: readonly CopiedField[]): void {
  if (type === DOCUMENT) copyFields(copy, at, fields);
  else copyElements(copy, at, fields);
}

function begin(copy: Copy): number {
  copy.length += 4;
  return copy.length - 4;
}

function keep(copy: Copy, start: number, end: number): void {
  if (end > start) copy.length += copy.from.copy(copy.to, copy.length, start, end);
}

function finish(copy: Copy, lengthAt: number): void {
  copy.length = copy.to.writeUInt8(0, copy.length);
  copy.to.writeInt32LE(copy.length - lengthAt, lengthAt);
}

function stepOf(fields: readonly CopiedField[], bytes: Buffer, start: number, end: number) {
  for (const { name, step } of fields) {
    if (name.length === end - start && name.compare(bytes, start, end) === 0) return step;
  }
  return undefined;
}

function endOfName(bytes: Buffer, start: number): number {
  let end = start;
  while (bytes[end] !== 0) end += 1;
  return end;
}

function valueEnd(bytes: Buffer, type: number, at: number): number {
  const size = SIZES[type];
  if (size !== undefined) return at + size;
  const extra = EXTRA[type];
  if (extra !== undefined) return at + extra + bytes.readInt32LE(at);
  if (type === 11) return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1;
  throw new MongoError('FailedToParse', `BSON type ${type} is not known`);
}
