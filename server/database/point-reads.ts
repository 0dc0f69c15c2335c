import mongoose, { type Connection, type mongo } from 'mongoose';

import type { PointReads } from '../../embedded/point-reads.ts';
import { NARROWED } from '../../models/store/tenancy.ts';

const { BSON } = mongoose.mongo;

/** Options of a read that its command states as they are, and those that are for Mongoose alone. */
const STATED: ReadonlySet<string> = new Set(['projection', 'sort', 'skip', 'limit', 'batchSize']);
const UNSENT: ReadonlySet<string> = new Set(Object.keys(NARROWED));

type Fields = Readonly<Record<string, unknown>>;

/**
 * Lets `find`, `findOne` and `aggregate` of the models of a connection try point reads first, when they are called. The driver
 * reads what these leave, and what has a session or other options. The connection has no models yet.
 */
export function readPast(connection: Connection, reads: PointReads): void {
  connection.on('model', ({ collection }: { readonly collection: mongo.Collection }) => {
    const { find, findOne, aggregate, collectionName } = collection;
    const read = (method: string, command: Fields, options: Fields = {}): mongo.Document[] | null => {
      const sent = Object.entries(options).filter(([name]) => !UNSENT.has(name));
      if (!sent.every(isStated)) return null;
      const whole = { ...command, ...Object.fromEntries(sent), $db: connection.name };
      const reply = reads.read(BSON.serialize(whole, { ignoreUndefined: false }));
      if (!reply) return null;
      connection.emit('operation-start', { collectionName, method });
      return BSON.deserialize(reply).cursor.firstBatch;
    };
    Object.assign(collection, {
      find(filter: Fields = {}, options?: Fields) {
        const found = read('find', { find: collectionName, filter }, options);
        return found ? new FoundDocuments(found) : find.call(collection, filter, options);
      },
      async findOne(filter: Fields = {}, options?: Fields) {
        const found = read('findOne', { find: collectionName, filter }, { ...options, limit: 1 });
        return found ? (found[0] ?? null) : findOne.call(collection, filter, options);
      },
      aggregate(pipeline: mongo.Document[] = [], options?: Fields) {
        const found = read('aggregate', { aggregate: collectionName, pipeline }, options);
        return found ? new FoundDocuments(found) : aggregate.call(collection, pipeline, options);
      },
    });
  });
}

/** Returns true if a command may state an option as it is. */
function isStated([name, value]: readonly [string, unknown]): boolean {
  if (!STATED.has(name)) return false;
  if (typeof value === 'number') return value >= 0;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return name !== 'sort' || Object.values(value).every((way) => way === 1 || way === -1);
}

/** Documents that were read at once, as a cursor of the driver returns them. */
class FoundDocuments {
  readonly #documents: mongo.Document[];

  constructor(documents: mongo.Document[]) {
    this.#documents = documents;
  }

  async next(): Promise<mongo.Document | null> {
    return this.#documents.shift() ?? null;
  }

  async toArray(): Promise<mongo.Document[]> {
    return this.readBufferedDocuments();
  }

  bufferedCount(): number {
    return this.#documents.length;
  }

  readBufferedDocuments(count = this.#documents.length): mongo.Document[] {
    return this.#documents.splice(0, count);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<mongo.Document, void, void> {
    yield* this.readBufferedDocuments();
  }

  async close(): Promise<void> {
    this.#documents.length = 0;
  }
}
