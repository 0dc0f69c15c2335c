import { mongo } from 'mongoose';
import { describe, expect, test } from 'vitest';

import { useCollections } from './use-collections.ts';

const { Binary, BSONRegExp, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } = mongo;

type Doc = mongo.Document;

const collectionOf = useCollections();

const max = Long.MAX_VALUE;
const regex = new BSONRegExp('^a', 'i');

/** What a filter finds: the documents by their fields, the filter, the places of those found. */
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

/** What an update makes of a document. */
const UPDATES: Array<[string, Doc, Doc, Doc]> = [
  ['an int that overflows becomes a long', { a: 2147483647 }, { $inc: { a: 1 } }, { a: Long.fromString('2147483648') }],
  [
    'a long stays exact',
    { a: Long.fromString('9007199254740993') },
    { $inc: { a: 1 } },
    { a: Long.fromString('9007199254740994') },
  ],
  ['a double stays a double', { a: new Double(1) }, { $inc: { a: 1 } }, { a: new Double(2) }],
  [
    'a decimal is added in decimal',
    { a: Decimal128.fromString('0.1') },
    { $inc: { a: Decimal128.fromString('0.2') } },
    { a: Decimal128.fromString('0.3') },
  ],
  [
    '$mul of a decimal keeps its digits',
    { a: Decimal128.fromString('1.10') },
    { $mul: { a: 3 } },
    { a: Decimal128.fromString('3.30') },
  ],
  ['$set makes the documents on its way', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  ['$set pads an array with null', { a: [1] }, { $set: { 'a.3': 4 } }, { a: [1, null, null, 4] }],
  [
    'new fields come in the order of their names',
    { z: 0 },
    { $set: { c: 1, a: 2 }, $inc: { b: 3 } },
    { z: 0, a: 2, b: 3, c: 1 },
  ],
  ['$unset of a place leaves null', { a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { a: [1, null, 3] }],
  [
    '$push keeps the best three',
    { a: [5, 1] },
    { $push: { a: { $each: [3, 9], $sort: -1, $slice: 3 } } },
    { a: [9, 5, 3] },
  ],
  [
    '$addToSet compares documents by order of keys',
    { a: [{ x: 1, y: 2 }] },
    {
      $addToSet: {
        a: {
          $each: [
            { x: 1, y: 2 },
            { y: 2, x: 1 },
          ],
        },
      },
    },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ],
  ['$pull takes a condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [
    '$pull reads documents',
    {
      a: [
        { x: 1, y: 1 },
        { x: 2, y: 1 },
      ],
    },
    { $pull: { a: { x: 1 } } },
    { a: [{ x: 2, y: 1 }] },
  ],
  ['$pull takes a pattern', { a: ['ab', 'b', 5] }, { $pull: { a: /^a/ } }, { a: ['b', 5] }],
  ['$min compares across types', { a: 'text' }, { $min: { a: 5 } }, { a: 5 }],
  ['$rename moves a value', { b: 1, a: 2 }, { $rename: { b: 'c.d' } }, { a: 2, c: { d: 1 } }],
];

/** Values of every type in MongoDB's order. */
const ORDER = [
  new MinKey(),
  null,
  Number.NaN,
  Long.MIN_VALUE,
  -1.5,
  0,
  Decimal128.fromString('0.5'),
  1,
  max,
  Decimal128.fromString('1E+400'),
  Number.POSITIVE_INFINITY,
  '',
  'A',
  'a',
  'ab',
  {},
  { a: 1 },
  { b: 0 },
  { a: 'x' },
  new Binary(Buffer.from([1])),
  new ObjectId(),
  false,
  true,
  new Date(-1),
  new Date(1),
  new Timestamp({ t: 1, i: 1 }),
  new BSONRegExp('a'),
  new MaxKey(),
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

describe('a pattern that JavaScript reads differently', () => {
  test.each([
    '\\x{41}',
    '\\Aa',
    '\\e',
    '\\v',
    '[\\h]',
    '[]a]',
    '[[:alpha:]]',
    'a++',
    '(?P<n>a)',
    'a(?i)b',
    '(*ANY)a',
    '\\p{Latin}',
    '\\p{L}{',
  ])('is refused with what to do (%s)', async (pattern) => {
    const collection = await collectionOf([{ a: 'a' }]);
    await expect(collection.findOne({ a: { $regex: pattern } })).rejects.toMatchObject({
      message: expect.stringContaining('MONGODB_URI'),
    });
  });

  test.each(['a\\-b', 'a\\.b', 'a\\\\b', '[a\\]b]', '\\bab\\b', '(?i)A', 'a[+*]+b', '\\x41', '\\p{Lu}'])(
    'is not one like %s',
    async (pattern) => {
      await expect((await collectionOf([{ a: 'a' }])).findOne({ a: { $regex: pattern } })).resolves.toBeDefined();
    },
  );
});

describe('an update', () => {
  test.each(UPDATES)('%s', async (_sentence, before, update, after) => {
    const collection = await collectionOf([before]);
    await collection.updateOne({ _id: 0 as never }, update);
    const stored = await collection.findOne({}, { raw: true });
    expect(Buffer.from(stored as unknown as Uint8Array)).toEqual(
      Buffer.from(mongo.BSON.serialize({ _id: 0, ...after })),
    );
  });

  test('changes the element that the filter found', async () => {
    const collection = await collectionOf([
      {
        a: [
          { k: 1, n: 0 },
          { k: 2, n: 0 },
        ],
      },
    ]);
    await collection.updateOne({ 'a.k': 2 }, { $inc: { 'a.$.n': 5 } });
    await collection.updateOne({}, { $inc: { 'a.$[one].n': 1 } }, { arrayFilters: [{ 'one.k': 1 }] });
    expect(await collection.findOne()).toMatchObject({
      a: [
        { k: 1, n: 1 },
        { k: 2, n: 5 },
      ],
    });
  });

  test.each([{ 'a.0.b': 'c' }, { c: 'a.0.b' }])('may not rename from or into an array (%o)', async (names) => {
    const collection = await collectionOf([{ a: [{ b: 1 }], c: 1 }]);
    await expect(collection.updateOne({}, { $rename: names })).rejects.toMatchObject({ code: 2 });
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({ a: [{ b: 1 }], c: 1 });
  });

  test('may not change the id, nor one path twice', async () => {
    const collection = await collectionOf([{ a: 1 }]);
    await expect(collection.updateOne({}, { $set: { _id: 5 as never } })).rejects.toMatchObject({ code: 66 });
    await expect(collection.updateOne({}, { $set: { 'b.c': 1 }, $inc: { b: 1 } })).rejects.toMatchObject({ code: 40 });
  });

  test.each([
    [{ a: 1, b: 0 }, {}],
    [{ half: { $divide: [1, '$none'] } }, { none: 0 }],
  ])('whose answer cannot be given changes nothing (projection %o)', async (projection, fields) => {
    const collection = await collectionOf([{ a: 1, ...fields }]);
    const changed = collection.findOneAndUpdate({}, { $inc: { a: 1 } }, { projection, returnDocument: 'after' });
    await expect(changed).rejects.toThrow();
    expect(await collection.findOne()).toMatchObject({ a: 1 });
    const made = { upsert: true, projection, returnDocument: 'after' } as const;
    await expect(collection.findOneAndUpdate({ new: true }, { $set: fields }, made)).rejects.toThrow();
    expect(await collection.countDocuments()).toBe(1);
  });

  test('that inserts takes the equalities of its filter', async () => {
    const collection = await collectionOf([]);
    await collection.updateOne(
      { 'a.b': 1, c: { $gt: 5 }, d: { $eq: 2 } },
      { $set: { e: 3 }, $setOnInsert: { f: 4 } },
      { upsert: true },
    );
    expect(await collection.findOne({}, { projection: { _id: 0 } })).toEqual({ a: { b: 1 }, d: 2, e: 3, f: 4 });
  });
});

describe('a sort', () => {
  test.each([[undefined], [{ a: 1 }]])('puts values of every type in MongoDB order (index %o)', async (index) => {
    const collection = await collectionOf(ORDER.map((a) => ({ a })).reverse(), index);
    const up = await collection.find().sort({ a: 1 }).toArray();
    expect(up.map(({ _id }) => ORDER.length - 1 - Number(_id))).toEqual([...ORDER.keys()]);
    const down = await collection.find().sort({ a: -1 }).toArray();
    expect(down.map(({ _id }) => Number(_id))).toEqual([...ORDER.keys()]);
  });

  test.each([[undefined], [{ a: 1 }]])('takes the least element up and the greatest down (index %o)', async (index) => {
    const collection = await collectionOf([{ a: [5, 1] }, { a: 3 }, { a: [] }, {}, { a: [2, 9] }], index);
    expect((await collection.find().sort({ a: 1 }).toArray()).map(({ _id }) => _id)).toEqual([2, 3, 0, 4, 1]);
    expect((await collection.find().sort({ a: -1 }).toArray()).map(({ _id }) => _id)).toEqual([4, 0, 1, 3, 2]);
  });
});

describe('a unique index', () => {
  test('counts missing as null', async () => {
    const collection = await collectionOf([]);
    await collection.createIndex({ a: 1 }, { unique: true });
    await collection.insertOne({ b: 1 });
    await expect(collection.insertOne({ a: null })).rejects.toMatchObject({ code: 11000, keyValue: { a: null } });
  });

  test('that is sparse does not', async () => {
    const collection = await collectionOf([{ b: 1 }, { b: 2 }]);
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    await collection.insertOne({ a: 1 });
    await expect(collection.insertOne({ a: 1 })).rejects.toMatchObject({ code: 11000 });
    expect(await collection.countDocuments({ a: null })).toBe(2);
  });

  test('that is partial guards only its documents', async () => {
    const collection = await collectionOf([
      { a: 1, live: false },
      { a: 1, live: false },
    ]);
    await collection.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { live: true } });
    await collection.insertOne({ a: 1, live: true });
    await expect(collection.insertOne({ a: 1, live: true })).rejects.toMatchObject({ code: 11000 });
    await expect(collection.updateMany({ live: false }, { $set: { live: true } })).rejects.toMatchObject({
      code: 11000,
    });
  });

  test('guards the elements of arrays', async () => {
    const collection = await collectionOf([{ a: ['x', 'y'] }, { a: 'z' }]);
    await collection.createIndex({ a: 1 }, { unique: true });
    await expect(collection.insertOne({ a: 'y' })).rejects.toMatchObject({ code: 11000 });
    await expect(collection.insertOne({ a: ['w', 'z'] })).rejects.toMatchObject({ code: 11000 });
    await collection.insertOne({ a: ['w', 'w'] });
  });

  test('that is sparse guards the elements of arrays, through updates, replacements and removals', async () => {
    const collection = await collectionOf([{ b: 1 }, { a: ['x', 'y'] }]);
    await collection.createIndex({ a: 1 }, { unique: true, sparse: true });
    const refused = { code: 11000, keyPattern: { a: 1 } };
    await collection.insertMany([
      { _id: 7, b: 2 },
      { _id: 8, a: ['z'] },
    ] as Doc as []);
    await expect(collection.updateOne({ _id: 7 } as Doc, { $set: { a: ['w', 'y'] } })).rejects.toMatchObject(refused);
    await expect(collection.replaceOne({ _id: 8 } as Doc, { a: ['x'] })).rejects.toMatchObject(refused);
    await expect(collection.updateMany({ b: { $gt: 0 } }, { $set: { a: ['v'] } })).rejects.toMatchObject(refused);
    await collection.updateOne({ _id: 1 } as Doc, { $unset: { a: 1 } });
    await collection.updateOne({ _id: 7 } as Doc, { $set: { a: ['x', 'y'] } });
    await collection.deleteOne({ _id: 8 } as Doc);
    await collection.insertOne({ a: ['z'] });
    expect(await collection.countDocuments({ a: 'x' })).toBe(1);
  });

  test('is not made over documents that break it', async () => {
    const collection = await collectionOf([{ a: 1 }, { a: 1 }]);
    await expect(collection.createIndex({ a: 1 }, { unique: true })).rejects.toMatchObject({
      code: 11000,
      keyValue: { a: 1 },
    });
    expect(await collection.indexes()).toHaveLength(1);
    expect(await collection.countDocuments({ a: 1 })).toBe(2);
  });
});

describe('an aggregation', () => {
  const orders = [
    { who: 'a', items: [{ n: 1 }, { n: 2 }], sum: 5 },
    { who: 'b', items: [], sum: 7 },
    { who: 'a', sum: 1.5 },
  ];

  const PIPELINES: Array<[string, Doc[], Doc[]]> = [
    [
      'groups and sums',
      [{ $group: { _id: '$who', sum: { $sum: '$sum' }, count: { $sum: 1 } } }, { $sort: { _id: 1 } }],
      [
        { _id: 'a', sum: 6.5, count: 2 },
        { _id: 'b', sum: 7, count: 1 },
      ],
    ],
    [
      'unwinds, keeping the empty',
      [{ $unwind: { path: '$items', preserveNullAndEmptyArrays: true } }, { $project: { _id: 1, n: '$items.n' } }],
      [{ _id: 0, n: 1 }, { _id: 0, n: 2 }, { _id: 1 }, { _id: 2 }],
    ],
    [
      'counts in facets',
      [{ $facet: { all: [{ $count: 'n' }], some: [{ $match: { who: 'b' } }, { $project: { _id: 1 } }] } }],
      [{ all: [{ n: 3 }], some: [{ _id: 1 }] }],
    ],
    [
      'adds computed fields',
      [
        { $match: { _id: 0 } },
        { $addFields: { total: { $sum: '$items.n' }, 'deep.x': { $concat: ['$who', '!'] } } },
        { $project: { items: 0 } },
      ],
      [{ _id: 0, who: 'a', sum: 5, total: 3, deep: { x: 'a!' } }],
    ],
    [
      'skips and limits after a sort',
      [{ $sort: { sum: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { sum: 1 } }],
      [{ _id: 0, sum: 5 }],
    ],
  ];

  test.each(PIPELINES)('%s', async (_sentence, pipeline, expected) => {
    expect(await (await collectionOf(orders)).aggregate(pipeline).toArray()).toEqual(expected);
  });

  test('joins another collection', async () => {
    const people = await collectionOf([{ name: 'a' }, { name: 'c' }]);
    const joined = await people
      .aggregate([
        {
          $lookup: {
            from: (await collectionOf(orders)).collectionName,
            localField: 'name',
            foreignField: 'who',
            as: 'orders',
            pipeline: [{ $project: { sum: 1, _id: 0 } }],
          },
        },
      ])
      .toArray();
    expect(joined).toEqual([
      { _id: 0, name: 'a', orders: [{ sum: 5 }, { sum: 1.5 }] },
      { _id: 1, name: 'c', orders: [] },
    ]);
  });

  test.each([
    [{ $sort: {} }, 15976],
    [{ $count: 'a.b' }, 2],
    [{ $count: '$a' }, 2],
    [{ $group: { _id: null, 'a.b': { $sum: 1 } } }, 40235],
    [{ $group: { _id: null, a: { $mergeObjects: '$who' } } }, 2],
  ])('refuses the stage %o', async (stage, code) => {
    await expect((await collectionOf(orders)).aggregate([stage]).toArray()).rejects.toMatchObject({ code });
  });

  test.each([['$graphLookup'], ['$geoNear'], ['$changeStream']])(
    'refuses the stage %s and says what to do',
    async (stage) => {
      await expect((await collectionOf([])).aggregate([{ [stage]: {} }]).toArray()).rejects.toMatchObject({
        message: expect.stringContaining('MONGODB_URI'),
      });
    },
  );
});
