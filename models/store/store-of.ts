import mongoose, { type IndexDefinition, type IndexOptions, type SchemaDefinition } from 'mongoose';
import { type ClassType, Float, Int } from 'type-graphql';
import { classMetadata } from '../../schema/class-metadata.ts';
import { DateTime, SpacedDateTime } from '../../schema/date-time-scalars.ts';
import {
  addMarkFields,
  announceMarks,
  isMarked,
  type LoggedKind,
  loggedStores,
  markedUpdate,
  noteDeletions,
} from './logged-model.ts';
import { collectionOptions } from './collection-options.ts';
import type { DocumentOf, StoredFields } from './stored-fields.ts';
import { PlainStore, serviceWithin, type WriteRules } from './plain-store.ts';
import { Store } from './store.ts';
import { rejectUnnarrowed, type Tenancy } from './tenancy.ts';
import { changesPermissions, type Deciding, permissionsChanged } from './permission-stamp.ts';

/** Storage of a record, which its class does not declare: collection, tenancy, hidden fields, indexes. */
interface Storage<Hidden, Computed, Record, Tenant> {
  readonly collection: string;
  /** Null for records that belong to no tenant. */
  readonly tenancy: Tenant;
  /** Hidden fields: stored, but never shown. */
  readonly hidden: Hidden;
  /** Fields of the record that are computed and not stored. */
  readonly computed?: readonly Computed[];
  readonly indexes?: readonly (readonly [IndexDefinition, IndexOptions?])[];
  /** Fields that decide what callers may see: a change of one, or a removal, ends streams or begins them again. */
  readonly decides?: readonly ((keyof Hidden | keyof Record) & string)[];
  /** Kinds of its documents that grant access; all by default. */
  readonly permits?: readonly string[] | null;
  /** False if several records have the same `key`, that of another record. */
  readonly keyIsUnique?: boolean;
  /** Given if changes of the records are logged. */
  readonly logged?: LoggedKind;
  /** Fields by which a sharded cluster distributes the documents; every unique index except that of `key` begins with them. */
  readonly shardKey?: { readonly [field: string]: 1 };
}

/**
 * Options of an index by which documents are counted: the embedded database keeps the number of documents that have each
 * combination of its values, so that counts take as long for many documents as for few.
 */
export const COUNTING: IndexOptions = { name: 'counts' };

/** The same of a second index of a collection, by the account alone. */
export const COUNTING_ALL: IndexOptions = { name: 'counts_all' };

/** A document as a store reads it: the stored fields of the record, the hidden ones, and its identifier. */
export type StoredIn<Any> = Any extends PlainStore<infer Stored, never> ? Stored : never;

type StoredRecord<Record, Computed extends keyof Record, Hidden> = Omit<Record, Computed> &
  DocumentOf<Hidden> & { readonly _id: mongoose.Types.ObjectId };

/**
 * Derives the store of a record from its type-graphql class, so that a new field is one `@Field` line; a store without shown
 * fields has only a name.
 *
 * Each field becomes a path of the same name, nested records become sub-documents without `_id`, nullable fields are
 * stored as `null`, and timestamps as dates. A field `key` is unique. A document that lacks a field reads as `null` if
 * the field is nullable, `[]` if it is a list, else as the `defaultValue` of its `@Field`.
 */
export function storeOf<
  Hidden extends StoredFields,
  Record extends object = object,
  Computed extends keyof Record = never,
  Tenant extends Tenancy | null = Tenancy,
>(
  record: ClassType<Record> | string,
  {
    collection,
    tenancy,
    hidden,
    computed = [],
    indexes = [],
    decides,
    permits = null,
    keyIsUnique = true,
    logged,
    shardKey,
  }: Storage<Hidden, Computed, Record, Tenant>,
): Tenant extends Tenancy
  ? Store<StoredRecord<Record, Computed, Hidden>, Omit<Record, Computed>>
  : PlainStore<StoredRecord<Record, Computed, Hidden>> {
  const declared = definitionOf(record, computed);
  const definition = { ...declared, ...hidden };
  const options = { ...collectionOptions(collection), ...(shardKey && { shardKey }) };
  const schema = new mongoose.Schema(definition as SchemaDefinition, options);
  if ('key' in definition && keyIsUnique) schema.index({ key: 1 }, { unique: true });
  for (const [fields, options] of indexes) schema.index(fields, options);
  if (tenancy !== null) rejectUnnarrowed(schema);
  if (logged) addMarkFields(schema, logged);
  const rules = writeRulesOf(logged, decides && { fields: decides, kinds: permits });
  const name = typeof record === 'string' ? record : record.name;
  const store =
    tenancy === null
      ? new PlainStore(name, schema, rules)
      : new Store(name, schema, tenancy, Object.keys(declared), rules);
  if (logged && store instanceof Store) loggedStores.push({ ...logged, store });
  return store as never;
}

function definitionOf(record: unknown, computed: readonly PropertyKey[]): SchemaDefinition {
  const definition: SchemaDefinition = {};
  for (const field of classMetadata().fields) {
    if (!isDeclaredFor(record, field.target) || computed.includes(field.name)) continue;
    const type = storedType(field.getType());
    // Known only after the type has been read.
    const { array, nullable, defaultValue } = field.typeOptions;
    if (array) definition[field.name] = { type: [type], default: [] };
    else if (nullable) definition[field.name] = { type, default: null };
    // Mongoose's `required` rejects an empty string, which is a value like any other here.
    else definition[field.name] = { type, required: type !== String, default: defaultValue };
  }
  return definition;
}

/** Returns true if a field belongs to the class of a record or to one that it extends. */
function isDeclaredFor(record: unknown, target: unknown): boolean {
  return target === record || (typeof record === 'function' && record.prototype instanceof (target as ClassType));
}

function storedType(type: unknown): unknown {
  if (type === String || type === Boolean) return type;
  if (type === Int || type === Float || type === Number) return Number;
  if (type === DateTime || type === SpacedDateTime) return Date;
  // An enum is an object of its values; a record is a class.
  if (typeof type !== 'function') return String;
  return recordSchema(type as ClassType);
}

/** The type of sub-documents that are records of a class. */
export function recordSchema<Record extends object>(record: ClassType<Record>): mongoose.Schema<Record> {
  return new mongoose.Schema<Record>(definitionOf(record, []) as never, { _id: false });
}

/**
 * The rules for writes of a record: its changes are marked for the log of changes, and callers whose permissions change
 * are notified afterwards.
 */
function writeRulesOf(logged: LoggedKind | undefined, deciding: Deciding | undefined): WriteRules {
  return {
    ...(logged && {
      updated: (update) => markedUpdate(logged, update),
      removing: (service, find) => noteDeletions(service, logged, find),
    }),
    written: async (within, write) => {
      if (deciding && changesPermissions(deciding, write)) await permissionsChanged(serviceWithin(within));
      if (logged && (write.kind !== 'update' || write.updates.some(isMarked)))
        announceMarks(within, write.kind === 'removal' ? 'deletions' : logged.kind);
    },
  };
}
