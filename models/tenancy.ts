import mongoose, { type Aggregate, type mongo, type PipelineStage, type Query, type Schema } from 'mongoose';

import { announceUpdate, deleteNoted, insertMarked, markedUpdate, type NotedDocument } from './logged-model.ts';
import { stampPresence, stampUpdates } from './permission-stamp.ts';
import { firstOf } from './the-one.ts';
import { session } from './transaction.ts';

/**
 * Access scope of a caller: one account, of it only the given groups and those below them (null: all), and for records of
 * a vehicle, the one vehicle, which must have been found in this access scope; trips may be those of several, or of all
 * vehicles of the account (null). A driver sees of trips and visits only those on which it
 * drove, and learns of changes of these and of itself; who has the link of a share sees of trips only the one that is shared.
 */
export interface AccessScope {
  readonly account_key: string;
  readonly group_keys: readonly string[] | null;
  readonly vehicle_key?: string;
  readonly vehicle_keys?: readonly string[] | null;
  readonly driver_key?: string;
  readonly trip_key?: string;
}

/** Access to every account, for the command line, sign-in and the service's housekeeping. */
export const UNRESTRICTED: unique symbol = Symbol('everything');

/**
 * Relation of a record to its tenant: it is the account (`self`), or belongs to an account, groups, a vehicle, or is a trip or
 * a visit of one; or it is a change of a record, which belongs to groups or else to the account (null in place of a path).
 */
export type Tenancy = 'self' | 'account' | 'groups' | 'vehicle' | 'trip' | 'visit' | 'change';

/** Narrows an access scope to the records of one vehicle, which must have been found in it. */
export function vehicleAccessScope(accessScope: AccessScope, vehicle: { readonly key: string }): AccessScope {
  return { ...accessScope, vehicle_key: vehicle.key };
}

/**
 * Narrows an access scope to the trips of vehicles, which must have been found in it; null stands for all of the account,
 * which only a caller sees that is not restricted to groups.
 */
export function tripsAccessScope(accessScope: AccessScope, vehicleKeys: readonly string[] | null): AccessScope {
  return { ...accessScope, vehicle_keys: vehicleKeys };
}

/** Returns the access scope of an account's owner. */
export function accountAccessScope(accountKey: string): AccessScope {
  return { account_key: accountKey, group_keys: null };
}

/** Returns the conditions that documents in an access scope fulfil. */
export function narrow(tenancy: Tenancy, accessScope: AccessScope): Record<string, unknown> {
  switch (tenancy) {
    case 'self':
      return { key: accessScope.account_key };
    case 'account':
      return { account_key: accessScope.account_key };
    case 'groups':
      return narrowToGroups(accessScope);
    case 'change':
      return { ...narrowToGroups(accessScope, null), ...narrowToDriver('user_keys', accessScope) };
    case 'vehicle':
      if (accessScope.vehicle_key === undefined)
        throw new TypeError('Rejected: this query needs the access scope of one vehicle');
      return { account_key: accessScope.account_key, vehicle_key: accessScope.vehicle_key };
    case 'trip':
      return {
        ...narrowToVehicles(accessScope),
        ...narrowToDriver('user_key', accessScope),
        ...(accessScope.trip_key !== undefined && { key: accessScope.trip_key }),
      };
    case 'visit':
      return { ...narrowToVehicles(accessScope), ...narrowToDriver('driver_key', accessScope) };
  }
}

/** @param others paths of records that are accessible whatever the groups are */
function narrowToGroups({ account_key, group_keys }: AccessScope, ...others: readonly null[]): Record<string, unknown> {
  return group_keys === null ? { account_key } : { account_key, group_path: { $in: [...others, ...group_keys] } };
}

function narrowToDriver(field: string, { driver_key }: AccessScope): Record<string, string> {
  return driver_key === undefined ? {} : { [field]: driver_key };
}

function narrowToVehicles(accessScope: AccessScope): Record<string, unknown> {
  const { account_key, group_keys, vehicle_keys } = accessScope;
  if (accessScope.vehicle_key !== undefined || vehicle_keys === undefined) return narrow('vehicle', accessScope);
  if (vehicle_keys !== null) return { account_key, vehicle_key: { $in: vehicle_keys } };
  if (group_keys !== null) throw new TypeError('Rejected: a restricted caller does not see the trips of all vehicles');
  return { account_key };
}

/** Tells whether a document that belongs to groups fulfils the conditions of {@link narrow}. */
export function isAccessible(
  { account_key, group_keys }: AccessScope,
  document: { readonly account_key: string; readonly group_path: readonly string[] },
): boolean {
  if (document.account_key !== account_key) return false;
  return group_keys === null || document.group_path.some((key) => group_keys.includes(key));
}

const NARROWED_QUERIES = [
  'countDocuments',
  'deleteMany',
  'deleteOne',
  'distinct',
  'find',
  'findOne',
  'findOneAndDelete',
  'findOneAndReplace',
  'findOneAndUpdate',
  'replaceOne',
  'updateMany',
  'updateOne',
] as const;

/** The relation of the records of each narrowed schema. */
const tenancies = new WeakMap<Schema, Tenancy>();

/** A change of one document. */
export interface OneUpdate {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly update: Readonly<Record<string, unknown>>;
}

/** A tenant's model, of which commands are sent by the driver. */
export interface NarrowedModel {
  readonly schema: Schema;
  readonly collection: unknown;
}

/** A filter of documents for the driver, with the conditions of an access scope; values are compared as they are given. */
function narrowedFilter(
  { schema }: NarrowedModel,
  accessScope: AccessScope | typeof UNRESTRICTED,
  filter: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const tenancy = tenancies.get(schema);
  if (tenancy === undefined) throw new TypeError('Rejected: the model has no tenancy');
  if (accessScope === UNRESTRICTED) return { ...filter };
  const { $and: conditions = [], ...others } = filter as { readonly $and?: readonly object[] };
  return { ...others, $and: [narrow(tenancy, accessScope), ...conditions] };
}

/**
 * Changes documents of a tenant's model by one command, each in its way, as far as they are in the access scope; returns
 * how many were. Values are stored as they are given: nothing is cast.
 */
export async function updateEach(
  model: NarrowedModel,
  accessScope: AccessScope,
  updates: readonly OneUpdate[],
): Promise<number> {
  const narrowed = updates.map(({ filter, update }) => ({
    filter: narrowedFilter(model, accessScope, filter),
    update: markedUpdate(model.schema, update),
  }));
  const count = await sendUpdates(model.collection as mongo.Collection, narrowed);
  for (const { update } of narrowed) announceUpdate(update);
  if (count > 0) {
    await stampUpdates(
      model.schema,
      narrowed.map(({ update }) => update),
    );
  }
  return count;
}

/** The driver takes half the time for one as it is. */
async function sendUpdates(
  driver: mongo.Collection,
  updates: readonly { filter: Record<string, unknown>; update: Record<string, unknown> }[],
): Promise<number> {
  const [only] = updates;
  if (only && updates.length === 1) return (await driver.updateOne(only.filter, only.update, session())).matchedCount;
  const writes = updates.map((one) => ({ updateOne: one }));
  return (await driver.bulkWrite(writes, { ordered: false, ...session() })).matchedCount;
}

/**
 * Documents of a tenant's model in the access scope, as they are stored. Sent by the driver: a query of Mongoose walks
 * through the paths of the schema, which costs a third of a small read. Filters are not cast, so their values must have
 * the types of the fields.
 */
export function findStored(
  model: NarrowedModel,
  accessScope: AccessScope | typeof UNRESTRICTED,
  filter: Readonly<Record<string, unknown>>,
  options: mongo.FindOptions,
): mongo.FindCursor {
  return (model.collection as mongo.Collection).find(narrowedFilter(model, accessScope, filter), {
    ...options,
    ...session(),
  });
}

/** The first documents in an order that fulfil a condition. */
export interface FirstStored {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly projection: Readonly<Record<string, 0 | 1>>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  readonly limit: number;
}

/**
 * Documents of a model by the vehicles that they are of, for each vehicle the first ones, by one command however many vehicles
 * there are. Only vehicles in the access scope have any. Filters are not cast, as in {@link findStored}.
 *
 * @param vehicles the model of vehicles
 */
export async function findStoredOfEach(
  { vehicles, model }: { readonly vehicles: NarrowedModel; readonly model: NarrowedModel },
  accessScope: AccessScope,
  vehicleKeys: readonly string[],
  { filter, projection, sort, limit }: FirstStored,
): Promise<ReadonlyMap<string, mongo.Document[]>> {
  const [outer, inner] = [vehicles.collection as mongo.Collection, model.collection as mongo.Collection];
  // The join narrows the documents to a vehicle that is in the access scope.
  const ofAccount = { ...accessScope, group_keys: null, vehicle_keys: null };
  const found = await outer
    .aggregate<{ readonly key: string; readonly documents: mongo.Document[] }>(
      [
        { $match: narrowedFilter(vehicles, accessScope, { key: { $in: vehicleKeys } }) },
        { $project: { _id: 0, key: 1 } },
        firstOf(inner.collectionName, 'key', 'vehicle_key', 'documents', [
          { $match: narrowedFilter(model, ofAccount, filter) },
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
 * Stores a new document of a model by the driver. A Mongoose document, made to be checked and dropped, takes as long as
 * storing it; so every field must be given, with a value of its type.
 */
export async function insertStored<Document extends object>(
  { schema, collection }: NarrowedModel,
  document: Document,
): Promise<Document> {
  await insertMarked(schema, document, (marked) => (collection as mongo.Collection).insertOne(marked, session()));
  return document;
}

/** Takes one document out of a tenant's model, as it was stored; null where it is not in the access scope. */
export async function takeStored(
  model: NarrowedModel,
  accessScope: AccessScope,
  key: string,
): Promise<mongo.Document | null> {
  const filter = narrowedFilter(model, accessScope, { key });
  const driver = model.collection as mongo.Collection<NotedDocument>;
  const taken = await deleteNoted(
    model.schema,
    (projection) => driver.find(filter, { projection, ...session() }).toArray(),
    () => driver.findOneAndDelete(filter, session()),
  );
  if (taken) await stampPresence(model.schema);
  return taken;
}

/** The models of everything that has the key of an account, in whatever file each is. */
export function modelsOfAccounts(): NarrowedModel[] {
  return Object.values(mongoose.models).filter(({ schema }) => schema.path('account_key') !== undefined);
}

/**
 * Deletes up to so many documents of an account that fulfil a condition, by the driver: no log is told of them. Returns false
 * where there were none.
 */
export async function deleteOfAccount(
  { collection }: NarrowedModel,
  account_key: string,
  { limit, ...condition }: { readonly limit: number } & Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const driver = collection as mongo.Collection;
  const filter = { ...condition, account_key };
  const found = await driver.find(filter, { projection: { _id: 1 }, limit, ...session() }).toArray();
  if (found.length === 0) return false;
  await driver.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } }, session());
  return true;
}

/**
 * Finds who sends a request, by the driver: before that there is no access scope, and so the pipeline may join other
 * collections. It must begin with a secret.
 */
export function identifyBySecret<Found extends object>(
  { collection }: NarrowedModel,
  secret_hash: string,
  stages: readonly PipelineStage[],
): Promise<Found[]> {
  return (collection as mongo.Collection).aggregate<Found>([{ $match: { secret_hash } }, ...stages]).toArray();
}

const REFUSED_STATICS = ['bulkWrite', 'bulkSave', 'estimatedDocumentCount', 'watch'] as const;

/**
 * Narrows every query of a tenant's model by its option `accessScope`, and rejects queries without one or that cannot
 * be narrowed. This is the one place that keeps accounts and groups apart; it fails closed.
 */
export function tenancyPlugin(schema: Schema, tenancy: Tenancy): void {
  schema.pre([...NARROWED_QUERIES], function (this: Query<unknown, unknown>) {
    const accessScope = givenAccessScope(this.getOptions());
    if (accessScope !== UNRESTRICTED) this.and([narrow(tenancy, accessScope)]);
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    const accessScope = givenAccessScope(this.options);
    if (accessScope === UNRESTRICTED) return;
    if (this.pipeline().some((stage) => '$lookup' in stage || '$unionWith' in stage || '$graphLookup' in stage)) {
      throw new TypeError('Rejected: a narrowed aggregation may not read other collections');
    }
    this.pipeline().unshift({ $match: narrow(tenancy, accessScope) });
  });
  tenancies.set(schema, tenancy);
  for (const name of REFUSED_STATICS) {
    schema.static(name, () => {
      throw new TypeError(`Rejected: ${name} cannot be narrowed to an access scope`);
    });
  }
}

function givenAccessScope(options: object): AccessScope | typeof UNRESTRICTED {
  const { accessScope } = options as { accessScope?: AccessScope | typeof UNRESTRICTED };
  if (accessScope === undefined) throw new TypeError('Rejected: a query of tenant data needs the option accessScope');
  return accessScope;
}
