import {
  type Model,
  type mongo,
  type PipelineStage,
  type ProjectionType,
  type QueryFilter,
  type QueryOptions,
  type Schema,
  type SortOrder,
  Types,
  type UpdateQuery,
} from 'mongoose';
import { retryTransient } from './retry-transient.ts';
import { modelIn, type Service } from './service.ts';

/**
 * Number of documents in a batch of a long list. The driver decodes a batch without pausing; other requests run between two.
 * A list of the usual length is one batch.
 */
export const BATCH_SIZE = 250;

/** Condition on documents. */
export type FilterOf<Stored> = QueryFilter<Stored>;

/** Changes of documents. */
export type Update<Stored> = UpdateQuery<Stored>;

/** Order of documents by fields. */
export type Sort = Readonly<Record<string, SortOrder>>;

/** Fields that are read: their names, or an object that names them. */
export type Fields<Stored> = ProjectionType<Stored> | string | null;

/** A database operation that begins when it is awaited. */
export interface Work<Result> extends Promise<Result> {
  exec(): Promise<Result>;
}

/** Documents to read, as they are stored, with defaults for fields that they lack. */
export interface Found<Result> extends Work<Result> {
  sort(order: Sort): this;
  skip(count: number): this;
  limit(count: number): this;
  batchSize(count: number): this;
  select(fields: string | readonly string[] | Readonly<Record<string, unknown>>): this;
  /** Rejects if there is none. */
  orFail(): Found<NonNullable<Result>>;
  cursor(): AsyncIterable<Result extends readonly (infer One)[] ? One : Result> & { close(): Promise<void> };
}

/** A service, or an access scope in one. */
export type InService = Service | { readonly service: Service };

/** Result of a command that changes documents. */
export type Updated = mongo.UpdateResult;

/** A document to store: fields that it lacks get their defaults. */
export type NewDocument<Stored> = { readonly [Name in keyof Stored]?: Stored[Name] | undefined };

/** Options of a command, without the access scope. */
type Options<Stored> = QueryOptions<Stored> & { readonly accessScope?: never };

/** The completed write. */
export type Written =
  | { readonly kind: 'addition' }
  | { readonly kind: 'update'; readonly updates: readonly Change[]; readonly isFound: boolean }
  | { readonly kind: 'removal'; readonly filter: Change; readonly isFound: boolean };

/** An update or a condition in the driver's form. */
export type Change = Readonly<Record<string, unknown>>;

/** Rules for all writes of a store, by Mongoose or the driver. */
export interface WriteRules {
  /** Returns an update as it is executed. */
  readonly updated?: (update: Change) => Change;
  /** Returns a further condition on documents that are about to be removed, once the removal is recorded. */
  readonly removing?: (
    service: Service,
    find: (fields: Readonly<Record<string, 1>>) => Promise<object[]>,
  ) => Promise<Change>;
  /** Called after each write. */
  readonly written?: (within: InService, write: Written) => Promise<void>;
}

/**
 * The store of records that belong to no tenant: documents of one collection, read and written in a service.
 *
 * @typeParam In first argument of each method, see {@link InService}
 */
export class PlainStore<Stored, In extends InService = Service> {
  readonly name: string;
  readonly schema: Schema;
  protected readonly rules: WriteRules;

  /** @param name of the Mongoose model */
  constructor(name: string, schema: Schema, rules: WriteRules = {}) {
    this.name = name;
    this.schema = schema;
    this.rules = rules;
    stores.push(this as never);
  }

  /** Name of the collection. */
  get collection(): string {
    return this.schema.get('collection') ?? this.name;
  }

  find(within: In, filter: FilterOf<Stored> = {}, fields: Fields<Stored> = null, options: Options<Stored> = {}) {
    const query = this.model(within).find(this.#narrowed(within, filter), fields, this.#reading(fields, options));
    return query.lean() as never as Found<Stored[]>;
  }

  findOne(within: In, filter: FilterOf<Stored> = {}, fields: Fields<Stored> = null, options: Options<Stored> = {}) {
    const query = this.model(within).findOne(this.#narrowed(within, filter), fields, this.#reading(fields, options));
    return query.lean() as never as Found<Stored | null>;
  }

  async countDocuments(within: In, filter: FilterOf<Stored> = {}, options: Options<Stored> = {}): Promise<number> {
    return this.model(within).countDocuments(this.#narrowed(within, filter), this.#plain(options) as never);
  }

  /** Returns a value if there is a document that fulfils the condition, else null. */
  async exists(within: In, filter: FilterOf<Stored>): Promise<object | null> {
    return this.model(within).exists(this.#narrowed(within, filter)).setOptions(this.options());
  }

  /** The different values of a field, in batches: MongoDB's command for them is limited to 16 MB. */
  async distinct<Field extends keyof Stored & string>(within: In, field: Field, filter: FilterOf<Stored> = {}) {
    type Value = Stored[Field] extends readonly unknown[] ? never : Stored[Field];
    const stages = [{ $match: filter as Change }, { $group: { _id: `$${field}` } }];
    return (await this.aggregate<{ readonly _id: Value }>(within, stages)).map(({ _id }) => _id);
  }

  async aggregate<Result>(within: In, stages: PipelineStage[]): Promise<Result[]> {
    const aggregation = this.model(within).aggregate<Result>(this.narrowedStages(within, stages));
    return aggregation.option(this.options() as never);
  }

  /** Stores a new document with the defaults of its fields, and returns it; its fields are checked. */
  async create(within: In, document: NewDocument<Stored>): Promise<Stored> {
    this.check(within, [document]);
    const made = new (this.model(within))(document);
    await made.save();
    await this.rules.written?.(within, { kind: 'addition' });
    return made.toObject() as Stored;
  }

  /** Stores new documents by one command; with `lean` they are stored as they are given. */
  async insertMany(
    within: In,
    documents: readonly NewDocument<Stored>[],
    options: { readonly ordered?: boolean; readonly lean?: boolean } = {},
  ): Promise<void> {
    this.check(within, documents);
    await this.model(within).insertMany(documents as never, options as never);
    await this.rules.written?.(within, { kind: 'addition' });
  }

  /** A new document with the defaults of its fields, without storing it. */
  complete(within: In, document: NewDocument<Stored> = {}): Stored {
    const made = new (this.model(within))(document as never);
    return made.toObject() as Stored;
  }

  async updateOne(within: In, filter: FilterOf<Stored>, update: Update<Stored>, options: Options<Stored> = {}) {
    return this.#change<Updated>(within, update, (change) =>
      this.model(within).updateOne(this.#narrowed(within, filter), change, this.#plain(options) as never),
    );
  }

  async updateMany(within: In, filter: FilterOf<Stored>, update: Update<Stored>, options: Options<Stored> = {}) {
    return this.#change<Updated>(within, update, (change) =>
      this.model(within).updateMany(this.#narrowed(within, filter), change, this.#plain(options) as never),
    );
  }

  async replaceOne(within: In, filter: FilterOf<Stored>, document: Stored, options: Options<Stored> = {}) {
    const found = this.#narrowed(within, filter);
    const result = await this.model(within).replaceOne(found, document as never, this.options(options) as never);
    await this.rules.written?.(within, { kind: 'update', updates: [document as Change], isFound: true });
    return result;
  }

  async findOneAndUpdate(within: In, filter: FilterOf<Stored>, update: Update<Stored>, options: Options<Stored> = {}) {
    return this.#change(
      within,
      update,
      (change) =>
        this.model(within)
          .findOneAndUpdate(this.#narrowed(within, filter), change, this.options(options))
          .lean() as never as Promise<Stored | null>,
    );
  }

  async findOneAndDelete(within: In, filter: FilterOf<Stored>, options: Options<Stored> = {}) {
    return this.#remove(
      within,
      filter,
      (found) =>
        this.model(within).findOneAndDelete(found, this.options(options)).lean() as never as Promise<Stored | null>,
    );
  }

  async deleteOne(within: In, filter: FilterOf<Stored>) {
    return this.#remove<mongo.DeleteResult>(within, filter, (found) =>
      this.model(within).deleteOne(found).setOptions(this.#plain()),
    );
  }

  async deleteMany(within: In, filter: FilterOf<Stored> = {}) {
    return this.#remove<mongo.DeleteResult>(within, filter, (found) =>
      this.model(within).deleteMany(found).setOptions(this.#plain()),
    );
  }

  /** The Mongoose model in a service. */
  model(within: InService): Model<Stored> {
    return modelIn(serviceWithin(within), this.name, this.schema);
  }

  /** The collection in a service, for commands of the driver. */
  driver(within: InService): mongo.Collection {
    return this.model(within).collection as unknown as mongo.Collection;
  }

  /** A condition, combined with that of its access scope. */
  narrowed(_within: In, filter: Change): Change {
    return filter;
  }

  protected narrowedStages(_within: In, stages: PipelineStage[]): PipelineStage[] {
    return stages;
  }

  /** The options of Mongoose for commands that are narrowed. */
  protected options(options: Options<Stored> = {}): QueryOptions<Stored> {
    return options;
  }

  /** The options of a read: a list of fields leaves no unlisted field to be left out. */
  #reading(fields: Fields<Stored>, options: Options<Stored>): QueryOptions<Stored> {
    const names =
      typeof fields === 'string'
        ? fields.split(' ')
        : Object.entries(fields ?? {}).map(([name, value]) => (value === 1 ? name : `-${name}`));
    const isList = names.length > 0 && names.every((name) => /^\w/.test(name));
    return isList ? this.#plain(options) : this.options(options);
  }

  /** The options of a command for which Mongoose need not look through the schema for unlisted fields, which takes long. */
  #plain(options: Options<Stored> = {}): QueryOptions<Stored> {
    return this.options({ schemaLevelProjections: false, ...options });
  }

  /** Rejects new documents outside the access scope. */
  protected check(_within: In, _documents: readonly NewDocument<Stored>[]): void {}

  #narrowed(within: In, filter: FilterOf<Stored>): FilterOf<Stored> {
    return this.narrowed(within, filter as Change) as FilterOf<Stored>;
  }

  async #change<Result>(within: In, update: Update<Stored>, send: (update: Update<Stored>) => PromiseLike<Result>) {
    const change = this.rules.updated?.(update as Change) ?? (update as Change);
    const result = await retryTransient(() => send(change as Update<Stored>));
    await this.rules.written?.(within, { kind: 'update', updates: [change], isFound: hasFound(result) });
    return result;
  }

  async #remove<Result>(within: In, filter: FilterOf<Stored>, send: (filter: FilterOf<Stored>) => PromiseLike<Result>) {
    const service = serviceWithin(within);
    let found = this.#narrowed(within, filter);
    const { removing, written } = this.rules;
    if (removing) {
      const noted = await removing(service, (fields) =>
        this.model(within).find(found, fields, this.options()).lean<object[]>().exec(),
      );
      // Documents that were not recorded would be deleted without an entry.
      found = { ...found, $and: [...(found.$and ?? []), noted] } as FilterOf<Stored>;
    }
    const result = await send(found);
    await written?.(within, { kind: 'removal', filter: filter as Change, isFound: hasFound(result) });
    return result;
  }
}

/** Returns true if the result of a write, a document or counts, shows that there was a document to write. */
function hasFound(result: unknown): boolean {
  const { matchedCount = 1, deletedCount = 1 } = Object(result) as Readonly<Record<string, unknown>>;
  return result !== null && matchedCount !== 0 && deletedCount !== 0;
}

/** A store of any records. */
export type AnyStore = PlainStore<unknown, InService>;

const stores: AnyStore[] = [];

/** All stores whose files have been imported. */
export function allStores(): readonly AnyStore[] {
  return stores;
}

/** The service of an access scope. */
export function serviceWithin(within: InService): Service {
  return 'service' in within ? within.service : within;
}

/** The identifier by which a collection orders its documents; no response shows it. */
export type DocumentId = Types.ObjectId;

/** Makes the identifier of a new document, or reads one from its text. */
export function documentId(text?: string): DocumentId {
  return new Types.ObjectId(text);
}
