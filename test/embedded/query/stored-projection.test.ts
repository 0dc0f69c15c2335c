import { BSONRegExp, Binary, Code, Decimal128, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { expect, test } from 'vitest';

import { decode, encode } from '../../../embedded/bson/codec.ts';
import type { Doc, Value } from '../../../embedded/bson/value.ts';
import { compileProjection, compileStoredProjection } from '../../../embedded/query/project.ts';

const VALUES: readonly (readonly [string, Value])[] = [
  ['_id', new ObjectId()],
  ['a', 'text \0 ü'],
  ['ä', 1.5],
  ['b', new Map<string, Value>([['a', 1]])],
  ['list', ['x', 2, null]],
  ['bytes', new Binary(Buffer.from([0, 1, 2]))],
  ['old', new Binary(Buffer.from([0, 1, 2]), 2)],
  ['yes', true],
  ['nothing', null],
  ['date', new Date(0)],
  ['pattern', new BSONRegExp('^a', 'i')],
  ['code', new Code('x')],
  ['scoped', new Code('x', new Map<string, Value>([['a', 1]]))],
  ['long', Long.fromNumber(2 ** 40)],
  ['decimal', Decimal128.fromString('1.5')],
  ['time', new Timestamp({ t: 1, i: 2 })],
  ['least', new MinKey()],
  ['most', new MaxKey()],
  [
    'nested',
    new Map<string, Value>([
      ['text', 'ä'],
      ['inner', documentOf({ one: 1, two: [2], three: null })],
    ]),
  ],
  [
    'records',
    [documentOf({ one: 1, two: 'x' }), 5, [documentOf({ two: 2 }), 'y'], documentOf({}), documentOf({ two: 'z' })],
  ],
];
function documentOf(fields: Readonly<Record<string, Value>>): Doc {
  return new Map(Object.entries(fields));
}

const stored = encode(new Map(VALUES));

const PROJECTIONS: readonly Readonly<Record<string, Value>>[] = [
  ...VALUES.flatMap(([name]) => [{ [name]: 0 }, { [name]: 1 }, { _id: 0, [name]: name === '_id' ? 0 : 1 }]),
  { list: 1, a: 1, absent: 1 },
  { list: false, absent: false },
  { _id: 1, a: 0 },
  { 'b.a': 0 },
  { 'b.a': 1, list: 1 },
  { 'nested.inner.two': 1, 'nested.text': 1, 'records.two': 1, 'bytes.x': 1, 'list.x': 1 },
  { 'nested.inner.two': 0, 'nested.text': 0, 'records.two': 0, 'bytes.x': 0, 'list.x': 0 },
  { _id: 0, 'nested.inner.absent': 1, 'records.absent.one': 1 },
  { nested: documentOf({ inner: documentOf({ three: 1 }) }) },
  { made: '$a' },
  { list: new Map<string, Value>([['$slice', 1]]) },
];

test.each(PROJECTIONS)('the projection %o of stored bytes is that of the document', (projection) => {
  const wanted: Doc = new Map(Object.entries(projection));
  const options = { isFind: true, variables: new Map() };
  const read = encode(compileProjection(wanted, options)(decode(stored)));
  expect(compileStoredProjection(wanted, options)(stored)).toEqual(read);
});
