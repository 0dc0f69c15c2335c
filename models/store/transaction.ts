import { AsyncLocalStorage } from 'node:async_hooks';

import mongoose, { type mongo } from 'mongoose';

import { ServiceError } from '../../schema/service-error.ts';

import type { Service } from './service.ts';

// Queries of Mongoose then belong to the transaction in which they are made.
mongoose.set('transactionAsyncLocalStorage', true);

/** Maximum number of attempts of a transaction that is aborted by conflicting writes. */
const MAX_ATTEMPTS = 10;

interface Transaction {
  readonly session: mongo.ClientSession;
  /** Called once the changes are stored. */
  readonly afterwards: (() => void)[];
}

const running = new AsyncLocalStorage<Transaction>();

const support = new WeakMap<object, Promise<boolean>>();

/** Returns true if the database has transactions: the embedded one, replica sets and sharded clusters have. */
export function hasTransactions({ connection }: Service): Promise<boolean> {
  const client = connection.getClient();
  const known = support.get(client) ?? askForTransactions(client);
  support.set(client, known);
  known.catch(() => support.delete(client));
  return known;
}

async function askForTransactions(client: mongo.MongoClient): Promise<boolean> {
  const hello = await client.db().admin().command({ hello: 1 });
  return hello.setName !== undefined || hello.msg === 'isdbgrid';
}

/**
 * Does work whose changes are stored together, once `isKept` accepts its result, or else not at all. What it reads and
 * writes by Mongoose, and by {@link session}, belongs to the transaction. Work must not wait for writes of others
 * here: in the embedded database, these wait for the transaction. Its first command must be answered before others are sent,
 * since it begins the transaction. If it conflicts with other writes, all of it is done
 * again.
 *
 * @throws ServiceError SERVICE_UNAVAILABLE if every attempt conflicts
 */
export async function inTransaction<Result>(
  { connection }: Service,
  work: () => Promise<Result>,
  isKept: (result: Result) => boolean,
): Promise<Result> {
  let afterwards: (() => void)[] = [];
  let attempts = 0;
  const result = await connection.transaction(async (session) => {
    if (++attempts > MAX_ATTEMPTS)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'The same records were changed concurrently');
    afterwards = [];
    const done = await running.run({ session, afterwards }, work);
    if (!isKept(done)) await session.abortTransaction();
    return done;
  });
  for (const call of afterwards) call();
  return result;
}

/**
 * Does work whose changes are stored together, or not at all if it throws; inside a transaction, with those of that. Without transactions, as on a single MongoDB server, a
 * fault leaves the changes that were made before.
 */
export async function allTogether<Result>(service: Service, work: () => Promise<Result>): Promise<Result> {
  if (isInTransaction()) return work();
  return (await hasTransactions(service)) ? inTransaction(service, work, () => true) : work();
}

/** The option of a command of the driver that makes it belong to the transaction in which it is sent; empty outside of one. */
export function session(): { readonly session?: mongo.ClientSession } {
  const transaction = running.getStore();
  return transaction ? { session: transaction.session } : {};
}

/** Returns true inside a transaction, whose changes are not visible to others yet. */
export function isInTransaction(): boolean {
  return running.getStore() !== undefined;
}

/** Calls a function that announces a change: now, or once the change is stored. */
export function onceStored(call: () => void): void {
  const transaction = running.getStore();
  if (transaction) transaction.afterwards.push(call);
  else call();
}
