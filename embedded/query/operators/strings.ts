import { check } from '../../bson/mongo-error.ts';
import type { OptionalValue } from '../../bson/value.ts';
import { toText } from './values.ts';
import { exactly, many, string, two, whole, type OperatorTable } from './operator.ts';

/** The operators on strings. Upper and lower case are those of ASCII, as in MongoDB. */
export const STRINGS: OperatorTable = {
  $concat: many((args) => args.map((part) => string('$concat', part)).join('')),
  $toLower: exactly(1, ([a]) => stringOf(a).replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())),
  $toUpper: exactly(1, ([a]) => stringOf(a).replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())),
  $strLenCP: exactly(1, ([a]) => [...string('$strLenCP', a)].length),
  $strLenBytes: exactly(1, ([a]) => Buffer.byteLength(string('$strLenBytes', a))),
  $substrCP: exactly(3, ([a, from, length]) =>
    [...stringOf(a)].slice(count(from), count(from) + count(length)).join(''),
  ),
  $split: two((a, b) => split(string('$split', a), string('$split', b))),
};

function stringOf(value: OptionalValue): string {
  return value === undefined || value === null ? '' : toText(value);
}

function count(value: OptionalValue): number {
  const length = whole('$substrCP', value);
  check(length >= 0, 'BadValue', '$substrCP needs non-negative whole numbers');
  return length;
}

function split(text: string, separator: string): string[] {
  check(separator !== '', 'BadValue', '$split requires a non-empty separator');
  return text.split(separator);
}
