import { MongoError } from '../bson/mongo-error.ts';
import { clientError } from '../storage/file-errors.ts';

/** Time after a failed read for which the database is not ready, in milliseconds. */
const NOT_READY_MS = 10_000;

/** Memory of failed reads of the disk: a database that still writes may not find what it has written. */
export class ReadFaults {
  #last: { readonly error: MongoError; readonly at: number } | undefined;

  /** Does work, and notes if it fails because the disk cannot be read. */
  async noted<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MongoError) && clientError(error).codeName === 'FileStreamFailed')
        this.#last = { error: clientError(error), at: performance.now() };
      throw error;
    }
  }

  /** Throws the error of a read that has failed lately. */
  throwLatest(): void {
    if (this.#last && performance.now() - this.#last.at < NOT_READY_MS) throw this.#last.error;
  }
}
