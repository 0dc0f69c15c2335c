import type { mongo } from 'mongoose';

/**
 * One change of what is stored. It reads and writes collections, not models: a model is the current definition of a
 * record, while a migration must do the same in every later program.
 */
export interface Migration {
  /**
   * Place in the order, from 1 without gaps: the version of the data once the migration is done. From then on programs without
   * the migration reject the data.
   */
  readonly number: number;
  /** Name as in its file, `0002-unique-slugs.ts`. */
  readonly name: string;
  /** One sentence for the operator, without a period. */
  readonly description: string;
  /** Counts the documents that a run would change now; 0 once it is done. It writes nothing. */
  pending(db: mongo.Db): Promise<number>;
  /**
   * Changes them. A run may be killed after any write and started again, and a stalled one may continue in parallel with the
   * next: the filter of a write names the state on which it is based, see {@link changeEach}.
   */
  run(run: MigrationRun): Promise<void>;
}

/** Database and callbacks of a running migration. */
export interface MigrationRun {
  readonly db: mongo.Db;
  /**
   * Records that so many more documents are changed; call it after each batch.
   *
   * @throws LeaseLostError if another process has taken over the migration
   */
  count(changed: number): Promise<void>;
}
