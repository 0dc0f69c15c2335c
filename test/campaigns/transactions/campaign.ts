import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { mongo } from 'mongoose';

import { checkEmbeddedDatabase } from '../../../embedded/check.ts';
import { type ServerProcess, startServerProcess } from '../../embedded/server-process.ts';
import { Dice } from '../hostile/dice.ts';

import { type Anomaly, findAnomalies, type Operation, type Transaction } from './find-anomalies.ts';

/** A list, as it is stored. */
interface StoredList {
  readonly _id: number;
  readonly values: readonly number[];
}

/** Options of a campaign. */
export interface TransactionOptions {
  /** At least so many are tried. */
  readonly transactions: number;
  readonly seed: string;
  readonly onProgress: (line: string) => void;
}

/** Result of a campaign. */
export interface TransactionResult {
  readonly counts: Record<Transaction['outcome'], number>;
  readonly kills: number;
  readonly anomalies: readonly Anomaly[];
  readonly damage: readonly string[];
}

/** Transactions of a round, whose lists no other round has. */
const A_ROUND = 1000;
const CLIENTS_A_PROCESS = 5;
const LISTS_A_ROUND = 40;
/** Lists that are in use at a time. */
const HOT_LISTS = 5;
const MAX_OPERATIONS = 5;
/** Transactions between two kills, and milliseconds for which a killed process is away. */
const KILL_AFTER = [50, 500] as const;
const AWAY_MS = 300;
const LOOK_EVERY_MS = 2;
/** Time for a client to take leave, in milliseconds: the driver waits forever to write on a connection that just broke. */
const LEAVE_MS = 1000;

/**
 * Runs transactions of many clients on two processes that serve one file, kills the processes by SIGKILL again and again,
 * and looks for anomalies. The times of the kills are drawn from the seed; what the processes do meanwhile is chance.
 */
export async function runTransactions({
  transactions,
  seed,
  onProgress,
}: TransactionOptions): Promise<TransactionResult> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-transactions-'));
  const file = join(folder, 'test.db');
  const dice = new Dice(seed);
  const served = [new Served(file, folder), new Served(file, folder)];
  const counts = { committed: 0, aborted: 0, unknown: 0 };
  const anomalies: Anomaly[] = [];
  let [tried, kills] = [0, 0];
  try {
    for (let round = 0; tried < transactions; round++) {
      await Promise.all(served.map((one) => one.start()));
      const under = new Round(round, served, new Dice(`${seed} ${round}`));
      const killing = under.killNowAndThen(dice);
      await under.run();
      kills += await killing;
      await Promise.all(served.map((one) => one.start()));
      await under.readAll();
      tried += under.history.length;
      for (const { outcome } of under.history) counts[outcome] += 1;
      const found = findAnomalies(under.history);
      anomalies.push(...found.map(({ kind, detail }) => ({ kind, detail: `round ${round}: ${detail}` })));
      if (found.length > 0 || round % 20 === 0)
        onProgress(`${tried} transactions, ${kills} kills, ${anomalies.length} anomalies`);
    }
    for (const one of served) await one.kill();
    return { counts, kills, anomalies, damage: checkEmbeddedDatabase(file, () => undefined) };
  } finally {
    for (const one of served) await one.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A process that serves the file, and a client of it. */
class Served {
  readonly #file: string;
  readonly #folder: string;
  #running: { readonly process: ServerProcess; readonly client: mongo.MongoClient } | null = null;

  constructor(file: string, folder: string) {
    this.#file = file;
    this.#folder = folder;
  }

  get client(): mongo.MongoClient | undefined {
    return this.#running?.client;
  }

  async start(): Promise<void> {
    if (this.#running) return;
    const process = await startServerProcess(this.#file, this.#folder);
    const client = new mongo.MongoClient(process.uri, {
      serverSelectionTimeoutMS: 20_000,
      maxPoolSize: CLIENTS_A_PROCESS * 2,
    });
    this.#running = { process, client };
    await client.connect();
  }

  async kill(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    await running?.process.kill();
    await Promise.race([running?.client.close(), pause(LEAVE_MS)]);
  }
}

/** Transactions on some lists, from which a history follows. */
class Round {
  readonly history: Transaction[] = [];
  readonly #number: number;
  readonly #served: readonly Served[];
  readonly #dice: Dice;
  #moment = 0;
  #begun = 0;
  #value = 0;
  #isOver = false;

  constructor(number: number, served: readonly Served[], dice: Dice) {
    this.#number = number;
    this.#served = served;
    this.#dice = dice;
  }

  async run(): Promise<void> {
    const clients = this.#served.flatMap((one) => Array.from({ length: CLIENTS_A_PROCESS }, () => this.#work(one)));
    await Promise.all(clients);
    this.#isOver = true;
  }

  /** Kills a process after some transactions, again and again until the round is over; returns how often. */
  async killNowAndThen(dice: Dice): Promise<number> {
    for (let kills = 0; ; kills++) {
      const next = this.#begun + KILL_AFTER[0] + dice.below(KILL_AFTER[1] - KILL_AFTER[0]);
      while (this.#begun < next && !this.#isOver) await pause(LOOK_EVERY_MS);
      if (this.#isOver) return kills;
      const one = dice.pick(this.#served);
      await one.kill();
      await pause(dice.below(AWAY_MS));
      await one.start();
    }
  }

  /** Reads all lists in one transaction, after all others. */
  async readAll(): Promise<void> {
    const client = this.#served[0]?.client;
    if (!client) throw new Error('No process serves the file');
    const began = this.#moment++;
    const operations = await this.#readLists(client, this.#lists());
    this.#end({ began, operations, outcome: 'committed' });
  }

  #lists(): number[] {
    return Array.from({ length: LISTS_A_ROUND }, (_, at) => this.#number * LISTS_A_ROUND + at);
  }

  async #work(served: Served): Promise<void> {
    while (this.#begun < A_ROUND) {
      const { client } = served;
      if (!client) {
        await pause(5);
        continue;
      }
      this.#begun += 1;
      const kind = this.#dice.below(10);
      if (kind < 2) await this.#readOnce(client);
      else if (kind < 4) await this.#appendOnce(client);
      else await this.#transact(client);
    }
  }

  /** One of the lists that are in use now: each is, for a part of the round. */
  #list(): number {
    const first = Math.floor((this.#begun / A_ROUND) * (LISTS_A_ROUND - HOT_LISTS));
    return this.#number * LISTS_A_ROUND + Math.min(first, LISTS_A_ROUND - HOT_LISTS) + this.#dice.below(HOT_LISTS);
  }

  /** Reads several lists by one command, without a transaction: it sees one state. */
  async #readOnce(client: mongo.MongoClient): Promise<void> {
    const began = this.#moment++;
    const keys = [...new Set([this.#list(), this.#list(), this.#list()])];
    const operations = await this.#readLists(client, keys).catch(() => null);
    if (operations) this.#end({ began, operations, outcome: 'committed' });
  }

  async #readLists(client: mongo.MongoClient, keys: readonly number[]): Promise<Operation[]> {
    const found = await listsOf(client)
      .find({ _id: { $in: keys } })
      .toArray();
    const values = new Map(found.map((list) => [list._id, list.values]));
    return keys.map((key) => ({ key, read: values.get(key) ?? [] }));
  }

  async #appendOnce(client: mongo.MongoClient): Promise<void> {
    const began = this.#moment++;
    const operation = { key: this.#list(), appended: this.#newValue() };
    const outcome = await append(client, operation).then(() => 'committed' as const, outcomeOf);
    this.#end({ began, operations: [operation], outcome });
  }

  async #transact(client: mongo.MongoClient): Promise<void> {
    const began = this.#moment++;
    const operations: Operation[] = [];
    const session = client.startSession();
    let outcome: Transaction['outcome'] = 'aborted';
    try {
      session.startTransaction();
      for (let left = 1 + this.#dice.below(MAX_OPERATIONS); left > 0; left--) {
        const key = this.#list();
        if (this.#dice.chance(0.5)) {
          const operation = { key, appended: this.#newValue() };
          operations.push(operation);
          await append(client, operation, session);
        } else {
          const list = await listsOf(client).findOne({ _id: key }, { session });
          operations.push({ key, read: list?.values ?? [] });
        }
      }
      if (this.#dice.chance(0.1)) await session.abortTransaction();
      else {
        outcome = 'unknown';
        await session.commitTransaction();
        outcome = 'committed';
      }
    } catch {
      // It was not committed, or nobody knows.
    }
    this.#end({ began, operations, outcome });
    await session.endSession().catch(() => undefined);
  }

  #newValue(): number {
    this.#value += 1;
    return this.#value;
  }

  #end(one: Pick<Transaction, 'began' | 'operations' | 'outcome'>): void {
    this.history.push({ id: this.history.length, ...one, ended: this.#moment++ });
  }
}

function listsOf(client: mongo.MongoClient): mongo.Collection<StoredList> {
  return client.db('test').collection<StoredList>('lists');
}

async function append(
  client: mongo.MongoClient,
  { key, appended }: { readonly key: number; readonly appended: number },
  session?: mongo.ClientSession,
): Promise<void> {
  const options = { upsert: true, ...(session && { session }) };
  await listsOf(client).updateOne({ _id: key }, { $push: { values: appended } }, options);
}

/** The outcome of a write outside of a transaction that failed: an error of the server says that nothing was written. */
function outcomeOf(error: unknown): Transaction['outcome'] {
  return error instanceof mongo.MongoServerError ? 'aborted' : 'unknown';
}
