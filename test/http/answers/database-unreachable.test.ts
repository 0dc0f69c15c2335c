import { GraphQLError } from 'graphql';
import mongoose from 'mongoose';
import { expect, test } from 'vitest';

import { isDatabaseUnreachable } from '../../../http/answers/database-unreachable.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { testService } from '../../services/database.ts';

/** The error of a driver that asks a port of this machine on which nothing listens. */
async function refused(): Promise<unknown> {
  const connection = mongoose.createConnection('mongodb://127.0.0.1:1/test', { serverSelectionTimeoutMS: 50 });
  const fault = await connection.asPromise().catch((error: unknown) => error);
  await connection.close();
  return fault;
}

test('a server that cannot be selected is unreachable, also when the error is wrapped', async () => {
  const fault = await refused();
  expect(isDatabaseUnreachable(fault)).toBe(true);
  expect(isDatabaseUnreachable(new Error('wrapped', { cause: fault }))).toBe(true);
  expect(isDatabaseUnreachable(new GraphQLError('wrapped', { originalError: fault as Error }))).toBe(true);
});

test('a model without a connection is unreachable when its operation was held back in vain', async () => {
  const model = new mongoose.Mongoose().model('Thing', new mongoose.Schema({}, { bufferTimeoutMS: 20 }));
  const fault = await model.findOne(unrestricted(testService)).catch((error: unknown) => error);
  expect(isDatabaseUnreachable(fault)).toBe(true);
});

test.each([14031, 10107, 13436, 11600, 91, 46, 39, 366])(
  'a server that answers with code %i serves at another time',
  (code) => {
    expect(isDatabaseUnreachable(new mongoose.mongo.MongoServerError({ message: 'not now', code }))).toBe(true);
    const cause = new mongoose.mongo.MongoServerError({ message: 'not now', code });
    expect(isDatabaseUnreachable(new Error('wrapped', { cause }))).toBe(true);
  },
);

test.each([
  new Error('timed out'),
  new TypeError('x is not a function'),
  new mongoose.Error('a document is wrong'),
  new mongoose.mongo.MongoServerError({ message: 'duplicate key', code: 11000 }),
  'MongoNetworkError',
  undefined,
])('%s is another fault', (fault) => {
  expect(isDatabaseUnreachable(fault)).toBe(false);
});

test('an error that is its own cause is looked at once', () => {
  const fault = new Error('round');
  fault.cause = fault;
  expect(isDatabaseUnreachable(fault)).toBe(false);
});
