import type { mongo } from 'mongoose';

/** Commands whose effect stays when the process dies behind them. */
const COMMANDS: ReadonlySet<PropertyKey> = new Set([
  'bulkWrite',
  'countDocuments',
  'createIndex',
  'deleteMany',
  'dropIndex',
  'find',
  'findOne',
  'insertMany',
  'insertOne',
  'updateMany',
  'updateOne',
]);

/** A database as a process sees it that dies: behind the command `deadline`, no other command reaches the database. */
export interface DyingDatabase {
  readonly db: mongo.Db;
  /** Commands that were sent, those behind the end among them. */
  readonly sent: () => number;
}

/** Makes a database that dies behind a number of commands. */
export function dyingDatabase(db: mongo.Db, deadline: number): DyingDatabase {
  let sent = 0;
  const guarded = <Target extends object>(target: Target, wrap: (value: unknown, name: PropertyKey) => unknown) =>
    new Proxy(target, {
      get: (from, name) => {
        const value: unknown = Reflect.get(from, name);
        return typeof value === 'function' ? wrap(value.bind(from), name) : value;
      },
    });
  const command =
    (run: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      sent += 1;
      if (sent > deadline) throw new Error('The process is dead');
      return run(...args);
    };
  return {
    sent: () => sent,
    db: guarded(db, (call, name) => {
      const run = call as (...args: unknown[]) => unknown;
      if (name !== 'collection') return run;
      return (...args: unknown[]) =>
        guarded(run(...args) as object, (method, of) =>
          COMMANDS.has(of) ? command(method as (...given: unknown[]) => unknown) : method,
        );
    }),
  };
}
