import type { mongo, PipelineStage, QueryOptions, Schema } from 'mongoose';

import { BATCH_SIZE } from './plain-store.ts';
import { fillDefaults } from './defaults-on-read.ts';
import { marksOf } from './logged-model.ts';
import { allStores, type Change, documentId, type NewDocument, PlainStore, type WriteRules } from './plain-store.ts';
import type { Service } from './service.ts';
import { type AccessScope, isUnrestricted, NARROWED, narrow, type Scope, type Tenancy } from './tenancy.ts';
import { decodeInTurns } from './decode-in-turns.ts';
import { joinFirst } from './join-stages.ts';
import { session } from './transaction.ts';
import { once } from '../../schema/once.ts';

/** A condition whose values have the types of the fields: nothing is cast. */
type StoredFilter = Readonly<Record<string, unknown>>;

/** A change of one document. */
export interface OneUpdate {
  readonly filter: StoredFilter;
  readonly update: Readonly<Record<string, unknown>>;
}

/** Documents to read, with hidden fields if any are named. */
export interface ShownQuery<Hidden> {
  readonly accessScope: Scope;
  readonly filter: StoredFilter;
  /** Hidden fields that are read too. */
  readonly hidden?: readonly Hidden[];
}

/** The first documents in an order that fulfil a condition. */
export interface FirstStored {
  readonly filter: StoredFilter;
  readonly projection: Readonly<Record<string, 0 | 1>>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

/**
 * The store of records that belong to tenants. Every method takes an access scope, and reads and changes only records
 * in it. Methods that say so send their command by the driver, where Mongoose would take most of the time.
 *
 * @typeParam Shown the fields that the class of the record declares
 */
export class Store<Stored, Shown> extends PlainStore<Stored, Scope> {
  readonly tenancy: Tenancy;
  readonly #declared: readonly string[];
  /** Projections by hidden fields: each is one object, by which defaults are known. */
  readonly #projections = new Map<string, Readonly<Record<string, 0 | 1>>>();

  /** @param declared fields that the class of the record declares */
  constructor(name: string, schema: Schema, tenancy: Tenancy, declared: readonly string[], rules: WriteRules) {
    super(name, schema, rules);
    this.tenancy = tenancy;
    this.#declared = declared;
  }

  /**
   * Documents with the fields of their record: everything that an answer needs. It reads by the driver, since every second
   * request uses it.
   */
  async readShown<Hidden extends keyof Stored & string = never>(
    { accessScope, filter, hidden = [] }: ShownQuery<Hidden>,
    { sort, limit = 0 }: { readonly sort: Readonly<Record<string, 1 | -1>>; readonly limit?: number },
  ): Promise<(Shown & Pick<Stored, Hidden>)[]> {
    const projection = this.shownFields(...hidden);
    const options = { projection, sort: { ...sort }, limit, batchSize: BATCH_SIZE };
    const cursor = this.findStored(accessScope, filter, options);
    return (await decodeInTurns(cursor, (found) => fillDefaults(this.schema, found, projection))) as never;
  }

  /** The one document that {@link readShown} would find, or null. */
  async readOneShown<Hidden extends keyof Stored & string = never>(
    query: ShownQuery<Hidden>,
  ): Promise<(Shown & Pick<Stored, Hidden>) | null> {
    const [found = null] = await this.readShown(query, { sort: {}, limit: 1 });
    return found;
  }

  /**
   * Projection of the fields of the record and of the named hidden ones: everything that an answer needs. Lists are read with
   * it, since decoding the other hidden fields takes as long as decoding these.
   */
  shownFields(...hidden: readonly (keyof Stored & string)[]): Readonly<Record<string, 0 | 1>> {
    const names = hidden.join(' ');
    const known = this.#projections.get(names);
    if (known) return known;
    const fields = [...this.#declared, ...hidden].map((name) => [name, 1] as const);
    const projection = Object.freeze({ _id: 0 as const, ...Object.fromEntries(fields) });
    this.#projections.set(names, projection);
    return projection;
  }

  /**
   * Documents as they are stored, by the driver: a query of Mongoose walks through the paths of the schema, which costs a
   * third of a small read.
   */
  findStored(accessScope: Scope, filter: StoredFilter, options: mongo.FindOptions): mongo.FindCursor {
    return this.driver(accessScope).find(this.narrowed(accessScope, filter), { ...options, ...session() });
  }

  /** The one document that {@link findStored} would find, or null; no cursor remains open. */
  findOneStored(accessScope: Scope, filter: StoredFilter, options: mongo.FindOptions): Promise<mongo.Document | null> {
    return this.driver(accessScope).findOne(this.narrowed(accessScope, filter), { ...options, ...session() });
  }

  /**
   * The first documents of each vehicle, by one command of the driver regardless of the number of
   * vehicles. Only vehicles in the access scope have any.
   *
   * @param vehicles the store of vehicles
   */
  async findStoredOfEach(
    vehicles: Pick<Store<unknown, unknown>, 'driver' | 'narrowed'>,
    accessScope: AccessScope,
    vehicleKeys: readonly string[],
    { filter, projection, sort, limit }: FirstStored,
  ): Promise<ReadonlyMap<string, mongo.Document[]>> {
    // The join narrows the documents to a vehicle that is in the access scope.
    const ofAccount = { ...accessScope, group_keys: null, vehicle_keys: null };
    const found = await vehicles
      .driver(accessScope)
      .aggregate<{ readonly key: string; readonly documents: mongo.Document[] }>(
        [
          { $match: vehicles.narrowed(accessScope, { key: { $in: vehicleKeys } }) },
          { $project: { _id: 0, key: 1 } },
          joinFirst(this.collection, 'key', 'vehicle_key', 'documents', [
            { $match: this.narrowed(ofAccount, filter) },
            { $sort: sort },
            { $limit: limit },
            { $project: projection },
          ]),
        ],
        session(),
      )
      .toArray();
    return new Map(found.map(({ key, documents }) => [key, documents]));
  }

  /**
   * Finds the sender of a request, by the driver: there is no access scope yet, so the pipeline may join other
   * collections. It begins with a secret.
   */
  identifyBySecret<Found extends object>(
    service: Service,
    secret_hash: string,
    stages: readonly PipelineStage[],
  ): Promise<Found[]> {
    return this.driver(service)
      .aggregate<Found>([{ $match: { secret_hash } }, ...stages])
      .toArray();
  }

  /**
   * Changes documents by one command of the driver, each by its own update, if they are in the access scope; returns
   * their number. Values are stored as they are given: nothing is cast.
   */
  async updateEach(accessScope: AccessScope, updates: readonly OneUpdate[]): Promise<number> {
    const narrowed = updates.map(({ filter, update }) => ({
      filter: this.narrowed(accessScope, filter),
      update: this.rules.updated?.(update) ?? update,
    }));
    const count = await sendUpdates(this.driver(accessScope), narrowed);
    const changes = narrowed.map(({ update }) => update);
    await this.rules.written?.(accessScope, { kind: 'update', updates: changes, isFound: count > 0 });
    return count;
  }

  /** Counts documents, by the driver. */
  override countDocuments(
    accessScope: Scope,
    filter: StoredFilter = {},
    options: { readonly limit?: number } = {},
  ): Promise<number> {
    return this.driver(accessScope).countDocuments(this.narrowed(accessScope, filter), { ...options, ...session() });
  }

  /**
   * Stores a new document with the defaults of its fields by the driver, and returns it. Values are stored as they are given:
   * making a Mongoose document only to cast them takes as long as storing it.
   * @throws TypeError if it lacks a field that every document has
   */
  override async create(accessScope: Scope, document: NewDocument<Stored>): Promise<Stored> {
    const made: Record<string, unknown> = { _id: documentId(), ...document };
    fillDefaults(this.schema, made);
    for (const { path, make } of this.#madeDefaults()) made[path] ??= make();
    const lacking = this.schema.requiredPaths().find((path) => !path.includes('.') && made[path] == null);
    if (lacking !== undefined) throw new TypeError(`${this.name}: \`${lacking}\` is required`);
    return this.insertStored(accessScope, made as Stored);
  }

  /** Stores a document by the driver as it is given. */
  async insertStored<Document extends NewDocument<Stored>>(accessScope: Scope, document: Document): Promise<Document> {
    this.check(accessScope, [document]);
    const options = { ignoreUndefined: true, ...session() };
    await this.driver(accessScope).insertOne({ ...document, ...marksOf(this.schema, document) }, options);
    await this.rules.written?.(accessScope, { kind: 'addition' });
    return document;
  }

  /** Defaults that are made for each new document, but for its marks. */
  readonly #madeDefaults = once(() =>
    Object.entries(this.schema.paths).flatMap(([path, { options }]) =>
      typeof options.default === 'function' && options.select !== false ? [{ path, make: options.default }] : [],
    ),
  );

  /** Removes and returns one document by the driver, as it was stored; null if it is not in the access scope. */
  async takeStored(accessScope: AccessScope, key: string): Promise<mongo.Document | null> {
    const filter = this.narrowed(accessScope, { key });
    const driver = this.driver(accessScope);
    await this.rules.removing?.(accessScope.service, (projection) =>
      driver.find(filter, { projection, ...session() }).toArray(),
    );
    const taken = await driver.findOneAndDelete(filter, session());
    const removal = { kind: 'removal', filter: { key }, isFound: taken !== null } as const;
    await this.rules.written?.(accessScope, removal);
    return taken;
  }

  override narrowed(accessScope: Scope, filter: Change): Record<string, unknown> {
    if (isUnrestricted(accessScope)) return { ...filter };
    const { $and: conditions = [], ...others } = filter as { readonly $and?: readonly object[] };
    return { ...others, $and: [narrow(this.tenancy, accessScope), ...conditions] };
  }

  protected override narrowedStages(accessScope: Scope, stages: PipelineStage[]): PipelineStage[] {
    if (isUnrestricted(accessScope)) return stages;
    if (stages.some((stage) => '$lookup' in stage || '$unionWith' in stage || '$graphLookup' in stage)) {
      throw new TypeError('Rejected: a narrowed aggregation may not read other collections');
    }
    return [{ $match: narrow(this.tenancy, accessScope) }, ...stages];
  }

  protected override options(options: QueryOptions<Stored> = {}): QueryOptions<Stored> {
    return { ...options, ...NARROWED };
  }

  protected override check(accessScope: Scope, documents: readonly NewDocument<Stored>[]): void {
    if (isUnrestricted(accessScope)) return;
    const name = this.tenancy === 'self' ? 'key' : 'account_key';
    if (documents.every((document) => document[name as keyof Stored] === accessScope.account_key)) return;
    throw new TypeError(`Rejected: a new document of ${this.name} is outside the access scope`);
  }
}

/** For a single document, the driver takes half the time. */
async function sendUpdates(driver: mongo.Collection, updates: readonly OneUpdate[]): Promise<number> {
  const [only] = updates;
  if (only && updates.length === 1)
    return (await driver.updateOne(only.filter, { ...only.update }, session())).matchedCount;
  const writes = updates.map(({ filter, update }) => ({ updateOne: { filter, update: { ...update } } }));
  return (await driver.bulkWrite(writes, { ordered: false, ...session() })).matchedCount;
}

/** All stores whose records have the key of an account. */
export function storesOfAccounts(): PlainStore<unknown>[] {
  return allStores().filter(({ schema }) => schema.path('account_key') !== undefined) as never;
}

/**
 * Deletes up to a number of documents of an account that fulfil a condition, by the driver, without entries in the log. Returns
 * false if there were none.
 */
export async function deleteOfAccount(
  store: Pick<PlainStore<unknown>, 'driver'>,
  { service, account_key }: AccessScope,
  { limit, ...condition }: { readonly limit: number } & Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const driver = store.driver(service);
  const filter = { ...condition, account_key };
  const found = await driver.find(filter, { projection: { _id: 1 }, limit, ...session() }).toArray();
  if (found.length === 0) return false;
  await driver.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } }, session());
  return true;
}
