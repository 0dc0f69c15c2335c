import { mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startLocalServer } from '../local-server.ts';
import type { LocalServer } from '../local-server.ts';

const { Decimal128, Double, Int32, Long, ObjectId, Timestamp } = mongo;

let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
  await server.client
    .db('test')
    .collection('one')
    .insertOne({ n: 5, list: [1, 2, 3], when: new Date('2020-12-31T23:30:00Z') });
});

afterAll(() => server.close());

/** The value of an expression on the one document, with its BSON type. */
async function evaluated(expression: unknown): Promise<unknown> {
  const options = { promoteValues: false };
  const stages = [{ $project: { _id: 0, value: expression } }];
  const [found] = await server.client.db('test').collection('one').aggregate(stages, options).toArray();
  return found?.value;
}

const id = new ObjectId('5f0000000000000000000000');

describe('an expression', () => {
  test.each([
    ['whole powers stay whole', { $pow: [2, 3] }, new Int32(8)],
    ['and become long', { $pow: [2, 40] }, Long.fromNumber(2 ** 40)],
    ['and double beyond that', { $pow: [2, 63] }, new Double(2 ** 63)],
    ['a negative power is a fraction', { $pow: [2, -1] }, new Double(0.5)],
    ['rounding is to the even', { $round: 2.5 }, new Double(2)],
    ['the sum of an int and a long is a long', { $add: ['$n', Long.ONE] }, Long.fromNumber(6)],
    ['decimals add in decimal', { $add: [Decimal128.fromString('0.1'), 1] }, Decimal128.fromString('1.1')],
    ['a date moves by milliseconds', { $add: ['$when', 1] }, new Date('2020-12-31T23:30:00.001Z')],
    ['the difference of dates is a long', { $subtract: ['$when', '$when'] }, Long.ZERO],
    ['a missing number makes null', { $multiply: ['$none', 2] }, null],
    ['missing is before every value', { $lt: ['$none', null] }, true],
    ['a place may count from the end', { $arrayElemAt: ['$list', -1] }, new Int32(3)],
    ['a part begins at a place', { $slice: ['$list', 1, 1] }, [new Int32(2)]],
    ['only letters of ASCII have a case', { $toLower: 'ÀB' }, 'Àb'],
    ['characters are code points', { $substrCP: ['añ\u{1f600}b', 1, 2] }, 'ñ\u{1f600}'],
    ['a text becomes a number', { $toInt: '-15' }, new Int32(-15)],
    ['a number loses its fraction', { $toInt: 1.9 }, new Int32(1)],
    ['a date becomes milliseconds', { $toLong: new Date(5) }, Long.fromNumber(5)],
    ['a date without a zone is of UTC', { $toDate: '2020-07-02 10:00' }, new Date('2020-07-02T10:00:00Z')],
    ['one with a zone is of that', { $toDate: '2020-07-02T10:00:00.5+0200' }, new Date('2020-07-02T08:00:00.5Z')],
    ['the parts of a date are of UTC', { $dayOfYear: '$when' }, new Int32(366)],
    ['an id has a date', { $year: id }, new Int32(2020)],
    ['so has a timestamp', { $year: new Timestamp({ t: 1_600_000_000, i: 1 }) }, new Int32(2020)],
    ['a date may be given by name', { $hour: { date: '$when', timezone: 'UTC' } }, new Int32(23)],
    ['and be missing', { $hour: { date: '$none' } }, null],
  ])('%s', async (_sentence, expression, value) => {
    expect(await evaluated(expression)).toStrictEqual(value);
  });

  test.each([
    ['zero to a negative power', { $pow: [0, -1] }],
    ['the root of a negative number', { $sqrt: -1 }],
    ['the logarithm of zero', { $ln: 0 }],
    ['a place that is a fraction', { $arrayElemAt: ['$list', 1.5] }],
    ['a part of no length', { $slice: ['$list', 1, 0] }],
    ['a range by fractions', { $range: [0, 2, 0.5] }],
    ['a split by nothing', { $split: ['abc', ''] }],
    ['a fraction as the text of an int', { $toInt: '1.5' }],
    ['a date as an int', { $toInt: '$when' }],
    ['a day that is in no calendar', { $toDate: '2023-02-29T10:00:00Z' }],
    ['the year of a text', { $year: '2020-01-02' }],
    ['the year of a number', { $year: '$n' }],
    ['a variable that is not there', '$$nothing'],
  ])('refuses %s', async (_what, expression) => {
    await expect(evaluated(expression)).rejects.toMatchObject({ name: 'MongoServerError' });
  });

  test.each([
    ['a date in words', { $toDate: 'March 7, 2020' }],
    ['a time zone', { $hour: { date: '$when', timezone: 'Europe/Prague' } }],
    ['places after the comma', { $round: ['$n', 2] }],
    ['an operator beyond it', { $dateToString: { date: '$when' } }],
  ])('says what to do for %s', async (_what, expression) => {
    await expect(evaluated(expression)).rejects.toThrow('MONGODB_URI');
  });
});
