import { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { useCollections } from '../use-collections.ts';

const { Binary, BSONRegExp, Decimal128, Double, Long, ObjectId, Timestamp } = mongo;

type Doc = mongo.Document;

const collectionOf = useCollections();

const max = Long.MAX_VALUE;
const regex = new BSONRegExp('^a', 'i');

/** Filters: the documents by their fields, the filter, the places of those it finds. */
const FILTERS: Array<[string, Doc[], Doc, number[]]> = [
  [
    'numbers of all types are equal by value',
    [{ a: 1 }, { a: new Double(1) }, { a: Long.ONE }, { a: Decimal128.fromString('1.0') }, { a: '1' }],
    { a: 1 },
    [0, 1, 2, 3],
  ],
  ['a long beyond 2^53 is not its neighbour', [{ a: max }, { a: max.subtract(1) }], { a: max.subtract(1) }, [1]],
  [
    'a decimal is not the double next to it',
    [{ a: 0.1 }, { a: Decimal128.fromString('0.1') }],
    { a: Decimal128.fromString('0.1') },
    [1],
  ],
  [
    'a range orders long and decimal exactly',
    [{ a: max }, { a: Decimal128.fromString('9223372036854775806.5') }],
    { a: { $gt: Decimal128.fromString('9223372036854775806.7') } },
    [0],
  ],
  ['NaN equals NaN and is in no range', [{ a: Number.NaN }, { a: 1 }], { a: Number.NaN }, [0]],
  ['a range of numbers leaves out NaN', [{ a: Number.NaN }, { a: 1 }], { a: { $lt: 5 } }, [1]],
  ['a range stays within its type', [{ a: 5 }, { a: '5' }, { a: null }, { a: true }], { a: { $gte: 0 } }, [0]],
  ['minus zero is zero', [{ a: -0 }, { a: 0 }], { a: 0 }, [0, 1]],
  ['null finds null and missing', [{ a: null }, {}, { a: 0 }], { a: null }, [0, 1]],
  ['$exists tells null from missing', [{ a: null }, {}], { a: { $exists: false } }, [1]],
  ['$ne finds documents without the field', [{ a: 1 }, { a: 2 }, {}], { a: { $ne: 1 } }, [1, 2]],
  ['$nin looks at every element', [{ a: [1, 2] }, { a: [3] }, {}], { a: { $nin: [2] } }, [1, 2]],
  [
    'dotted null skips elements that are no documents',
    [{ a: [1, 2] }, { a: [] }, { a: [{ b: 1 }, {}] }, { a: 4 }, {}],
    { 'a.b': null },
    [2, 3, 4],
  ],
  [
    'the order of keys matters in a sub-document',
    [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }],
    { a: { x: 1, y: 2 } },
    [0],
  ],
  ['a sub-document is equal only as a whole', [{ a: { x: 1 } }, { a: { x: 1, y: 2 } }], { a: { x: 1 } }, [0]],
  [
    'an array is equal as a whole or by an element',
    [{ a: [1, 2] }, { a: [[1, 2]] }, { a: [2, 1] }],
    { a: [1, 2] },
    [0, 1],
  ],
  [
    'a path goes through arrays',
    [{ a: [{ b: 1 }, { b: 2 }] }, { a: { b: 2 } }, { a: [{ b: 3 }] }],
    { 'a.b': 2 },
    [0, 1],
  ],
  ['a path may name a place', [{ a: [5, 6] }, { a: [6, 5] }, { a: { 1: 6 } }], { 'a.1': 6 }, [0, 2]],
  [
    'two conditions may be met by two elements',
    [{ a: [1, 9] }, { a: [5] }, { a: [1] }],
    { a: { $gt: 4, $lt: 2 } },
    [0],
  ],
  [
    '$elemMatch wants one element to meet both',
    [{ a: [1, 9] }, { a: [5] }],
    { a: { $elemMatch: { $gt: 2, $lt: 8 } } },
    [1],
  ],
  [
    '$elemMatch reads documents in arrays',
    [{ a: [{ x: 1, y: 2 }] }, { a: [{ x: 1 }, { y: 2 }] }],
    { a: { $elemMatch: { x: 1, y: 2 } } },
    [0],
  ],
  ['$all wants every value', [{ a: [1, 2, 3] }, { a: [1] }, { a: 1 }], { a: { $all: [1, 2] } }, [0]],
  ['$size counts elements', [{ a: [1, 2] }, { a: [1] }, { a: 2 }], { a: { $size: 2 } }, [0]],
  [
    '$in takes patterns and null',
    [{ a: 'Abc' }, { a: null }, {}, { a: 'xyz' }],
    { a: { $in: [regex, null] } },
    [0, 1, 2],
  ],
  ['a pattern finds strings and itself', [{ a: 'Abc' }, { a: regex }, { a: 5 }], { a: regex }, [0, 1]],
  ['the end of a pattern may be before a newline', [{ a: 'abc\n' }, { a: 'abc\n\n' }], { a: /abc$/ }, [0]],
  ['a dot of a pattern is all but a newline', [{ a: 'a\rb' }, { a: 'a\nb' }], { a: /a.b/ }, [0]],
  ['white space of a pattern is that of ASCII', [{ a: 'a b' }, { a: 'a\u00a0b' }], { a: /a\sb/ }, [0]],
  ['anything else is none', [{ a: 'a b' }, { a: 'a\u00a0b' }], { a: /a\Sb/ }, [1]],
  ['also in its classes', [{ a: 'a b' }, { a: 'a\u00a0b' }, { a: 'a-b' }], { a: /a[\s-x]b/ }, [0, 2]],
  ['and anything else', [{ a: 'a b' }, { a: 'a\u00a0b' }, { a: 'axb' }], { a: /a[\Sx]b/ }, [1, 2]],
  ['lines of a pattern end with newlines', [{ a: 'a\nb\nc' }, { a: 'a\rb\rc' }, { a: 'b' }], { a: /^b$/m }, [0, 2]],
  ['and none is behind the last one', [{ a: 'a\n' }, { a: '\n' }, { a: 'a\n\nb' }], { a: /^$/m }, [1, 2]],
  ['a dot is a whole character', [{ a: '\u{1f600}-' }, { a: '\u{1f600}\u{1f600}-' }], { a: { $regex: '^.\\-$' } }, [0]],
  ['as an option says, any', [{ a: 'a\rb' }, { a: 'a\nb' }], { a: { $regex: 'a.b$', $options: 's' } }, [0, 1]],
  ['in a class both are themselves', [{ a: 'a.b' }, { a: 'a$b' }, { a: 'acb' }], { a: /a[.$]b/ }, [0, 1]],
  [
    'alternatives may be thousands',
    [{ a: 1 }, { a: 2998 }, { a: 3001 }],
    { $or: Array.from({ length: 3000 }, (_, a) => ({ a })) },
    [0, 1],
  ],
  [
    'so may what must all hold',
    [{ a: 1 }, { a: 2 }],
    { $and: Array.from({ length: 3000 }, (_, a) => ({ a: { $lt: a + 2 } })) },
    [0],
  ],
  [
    'values may be tens of thousands',
    [{ a: 1 }, { a: 40_000 }],
    {
      $or: Array.from({ length: 9 }, (_, n) => ({ a: { $in: Array.from({ length: 4000 }, (_, i) => n * 4000 + i) } })),
    },
    [0],
  ],
  [
    'binary compares by length, then subtype, then bytes',
    [
      { a: new Binary(Buffer.from([9])) },
      { a: new Binary(Buffer.from([1, 1])) },
      { a: new Binary(Buffer.from([9]), 5) },
    ],
    { a: { $gt: new Binary(Buffer.from([9])) } },
    [1, 2],
  ],
  [
    'binary of another subtype is not equal',
    [{ a: new Binary(Buffer.from([1]), 0) }, { a: new Binary(Buffer.from([1]), 4) }],
    { a: new Binary(Buffer.from([1]), 4) },
    [1],
  ],
  ['strings compare by code point', [{ a: '\u{1f600}' }, { a: '\uffff' }], { a: { $gt: '\uffff' } }, [0]],
  ['a string may hold a zero byte', [{ a: 'a\0b' }, { a: 'a' }], { a: { $gt: 'a' } }, [0]],
  [
    '$type knows number types and arrays',
    [{ a: 1 }, { a: new Double(1.5) }, { a: [1] }, { a: '1' }],
    { a: { $type: ['double', 'array'] } },
    [1, 2],
  ],
  ['$mod takes longs exactly', [{ a: Long.fromString('9007199254740993') }, { a: 4 }], { a: { $mod: [2, 1] } }, [0]],
  ['$bitsAllSet reads positions', [{ a: 0b101 }, { a: 0b100 }], { a: { $bitsAllSet: [0, 2] } }, [0]],
  ['$not is true of documents without the field', [{ a: 5 }, {}], { a: { $not: { $gt: 1 } } }, [1]],
  ['$nor refuses both', [{ a: 1 }, { b: 1 }, {}], { $nor: [{ a: 1 }, { b: 1 }] }, [2]],
  [
    '$expr compares fields',
    [
      { a: 1, b: 2 },
      { a: 3, b: 2 },
    ],
    { $expr: { $gt: ['$a', '$b'] } },
    [1],
  ],
  [
    '$expr takes no element for the whole',
    [{ a: 1 }, { a: [1] }, { a: [1, 2] }, {}, { a: '1' }],
    { a: { $exists: true }, $expr: { $eq: ['$a', 1] } },
    [0],
  ],
  ['$expr tells null from missing', [{ a: null }, {}, { a: [null] }], { $expr: { $eq: [null, '$a'] } }, [0]],
  ['$expr goes through arrays', [{ a: [{ b: 1 }] }, { a: { b: 1 } }], { 'a.b': 1, $expr: { $eq: ['$a.b', 1] } }, [1]],
  [
    'dates compare with dates only',
    [{ a: new Date(5) }, { a: 5 }, { a: new Timestamp({ t: 9, i: 1 }) }],
    { a: { $gt: new Date(1) } },
    [0],
  ],
  [
    'object ids compare by bytes',
    [{ a: new ObjectId('0'.repeat(24)) }, { a: new ObjectId('f'.repeat(24)) }],
    { a: { $gt: new ObjectId('1'.repeat(24)) } },
    [1],
  ],
];

describe('a filter', () => {
  test.each(FILTERS)('%s', async (_sentence, docs, filter, places) => {
    const field = Object.keys(filter).find((name) => !name.startsWith('$')) ?? 'a';
    for (const index of [undefined, { [field]: 1 }, { [field]: -1, other: 1 }]) {
      const found = await (await collectionOf(docs, index)).find(filter).sort({ _id: 1 }).toArray();
      expect(
        found.map(({ _id }) => _id),
        index ? 'with an index' : 'by a scan',
      ).toEqual(places);
    }
  });
});

describe('a filter that cannot be', () => {
  test.each([{ $mod: [NaN, 0] }, { $mod: [2, Infinity] }, { $mod: [0, 0] }])(
    'is refused as a bad value (%o)',
    async (operand) => {
      const collection = await collectionOf([{ a: 1 }]);
      await expect(collection.findOne({ a: operand as never })).rejects.toMatchObject({ code: 2 });
    },
  );
});
