import type {
  Aggregate,
  Model,
  mongo,
  PipelineStage,
  ProjectionType,
  QueryFilter,
  QueryOptions,
  Schema,
  SortOrder,
  UpdateQuery,
} from 'mongoose';

import { modelIn, type Service } from './service.ts';

/** Condition on documents. */
export type FilterOf<Stored> = QueryFilter<Stored>;

/** Changes of documents. */
export type Update<Stored> = UpdateQuery<Stored>;

/** Order of documents by fields. */
export type Sort = Readonly<Record<string, SortOrder>>;

/** Fields that are read: their names, or an object that names them. */
export type Fields<Stored> = ProjectionType<Stored> | string | null;

/** Work of the database that begins when it is awaited. */
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

/** Options of a command; the access scope is none of them. */
type Options<Stored> = QueryOptions<Stored> & { readonly accessScope?: never };

/**
 * The store of records that belong to no tenant: documents of one collection, read and written in a service.
 *
 * @typeParam In what each method has to be told first, see {@link InService}
 */
export class PlainStore<Stored, In extends InService = Service> {
  readonly name: string;
  readonly schema: Schema;

  /** @param name of the Mongoose model */
  constructor(name: string, schema: Schema) {
    this.name = name;
    this.schema = schema;
    stores.push(this as never);
  }

  /** Name of the collection. */
  get collection(): string {
    return this.schema.get('collection') ?? this.name;
  }

  find(within: In, filter: FilterOf<Stored> = {}, fields: Fields<Stored> = null, options: Options<Stored> = {}) {
    return this.model(within).find(filter, fields, this.options(within, options)).lean() as never as Found<Stored[]>;
  }

  findOne(within: In, filter: FilterOf<Stored> = {}, fields: Fields<Stored> = null, options: Options<Stored> = {}) {
    const query = this.model(within).findOne(filter, fields, this.options(within, options));
    return query.lean() as never as Found<Stored | null>;
  }

  countDocuments(within: In, filter: FilterOf<Stored> = {}, options: Options<Stored> = {}): Work<number> {
    return this.model(within).countDocuments(filter, this.options(within, options) as never) as never;
  }

  /** Returns something if there is a document that fulfils the condition, else null. */
  exists(within: In, filter: FilterOf<Stored>): Work<object | null> {
    return this.model(within).exists(filter).setOptions(this.options(within)) as never;
  }

  distinct<Field extends keyof Stored & string>(within: In, field: Field, filter: FilterOf<Stored> = {}) {
    const query = this.model(within).distinct(field, filter).setOptions(this.options(within));
    return query as never as Work<(Stored[Field] extends readonly (infer One)[] ? One : Stored[Field])[]>;
  }

  aggregate<Result>(within: In, stages: PipelineStage[]): Work<Result[]> {
    const aggregation: Aggregate<Result[]> = this.model(within).aggregate<Result>(stages);
    return aggregation.option(this.options(within) as never) as never;
  }

  /** Stores a new document with the defaults of its fields, and returns it; its fields are checked. */
  async create(within: In, document: NewDocument<Stored>): Promise<Stored> {
    this.check(within, [document]);
    const made = new (this.model(within))(document);
    await made.save();
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
  }

  /** A new document with the defaults of its fields, which is stored nowhere. */
  complete(within: In, document: NewDocument<Stored> = {}): Stored {
    const made = new (this.model(within))(document as never);
    return made.toObject() as Stored;
  }

  updateOne(
    within: In,
    filter: FilterOf<Stored>,
    update: Update<Stored>,
    options: Options<Stored> = {},
  ): Work<Updated> {
    return this.model(within).updateOne(filter, update, this.options(within, options) as never) as never;
  }

  updateMany(
    within: In,
    filter: FilterOf<Stored>,
    update: Update<Stored>,
    options: Options<Stored> = {},
  ): Work<Updated> {
    return this.model(within).updateMany(filter, update, this.options(within, options) as never) as never;
  }

  replaceOne(within: In, filter: FilterOf<Stored>, document: Stored, options: Options<Stored> = {}): Work<Updated> {
    return this.model(within).replaceOne(filter, document as never, this.options(within, options) as never) as never;
  }

  findOneAndUpdate(within: In, filter: FilterOf<Stored>, update: Update<Stored>, options: Options<Stored> = {}) {
    const query = this.model(within).findOneAndUpdate(filter, update, this.options(within, options));
    return query.lean() as never as Found<Stored | null>;
  }

  findOneAndDelete(within: In, filter: FilterOf<Stored>, options: Options<Stored> = {}) {
    const query = this.model(within).findOneAndDelete(filter, this.options(within, options));
    return query.lean() as never as Found<Stored | null>;
  }

  deleteOne(within: In, filter: FilterOf<Stored>): Work<mongo.DeleteResult> {
    return this.model(within).deleteOne(filter).setOptions(this.options(within)) as never;
  }

  deleteMany(within: In, filter: FilterOf<Stored> = {}): Work<mongo.DeleteResult> {
    return this.model(within).deleteMany(filter).setOptions(this.options(within)) as never;
  }

  /** The Mongoose model in a service. */
  model(within: InService): Model<Stored> {
    return modelIn(serviceWithin(within), this.name, this.schema);
  }

  /** The collection in a service, for commands of the driver. */
  driver(within: InService): mongo.Collection {
    return this.model(within).collection as unknown as mongo.Collection;
  }

  /** The options of Mongoose for work in an access scope. */
  protected options(_within: In, options: Options<Stored> = {}): QueryOptions<Stored> {
    return options;
  }

  /** Rejects new documents that are not within. */
  protected check(_within: In, _documents: readonly NewDocument<Stored>[]): void {}
}

/** A store of whatever records. */
export type AnyStore = PlainStore<unknown, InService>;

const stores: AnyStore[] = [];

/** The stores of everything that is stored, as far as their files have been imported. */
export function allStores(): readonly AnyStore[] {
  return stores;
}

function serviceWithin(within: InService): Service {
  return 'service' in within ? within.service : within;
}
