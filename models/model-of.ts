import mongoose, { type IndexDefinition, type IndexOptions, type Model, type SchemaDefinition } from 'mongoose';
import { type ClassType, Float, Int } from 'type-graphql';

import { collectionOptions } from './collection-options.ts';
import { tenancyPlugin, type Tenancy } from './tenancy.ts';

/** Storage of a record, which its class does not declare: collection, tenancy, hidden fields, indexes. */
export interface Storage<Record, Hidden, Computed extends keyof Record> {
  readonly collection: string;
  readonly tenancy: Tenancy;
  /** Fields that are stored and never leave, as Mongoose definitions. */
  readonly hidden: { readonly [K in keyof Hidden]-?: NonNullable<SchemaDefinition[string]> };
  /** Fields of the record that are worked out and not stored. */
  readonly computed?: readonly Computed[];
  readonly indexes?: readonly (readonly [IndexDefinition, IndexOptions?])[];
}

/** A stored record as it is read: the fields of the record that are stored, the hidden ones, and its place in time. */
export type Stored<Record, Hidden, Computed extends keyof Record = never> = Omit<Record, Computed> &
  Hidden & { readonly _id: mongoose.Types.ObjectId };

/**
 * Derives the Mongoose model of a record from its type-graphql class, so that a new field is one `@Field` line.
 *
 * Each field becomes a path of the same name, nested records become sub-documents without `_id`, nullable fields are
 * stored as `null`, and timestamps as dates. A field `key` is unique. A document that lacks a field reads as `null` where
 * the field is nullable, `[]` where it is a list, else as the `defaultValue` of its `@Field`.
 */
export function modelOf<Record extends object, Hidden extends object, Computed extends keyof Record = never>(
  record: ClassType<Record>,
  storage: Storage<Record, Hidden, Computed>,
): Model<Stored<Record, Hidden, Computed>> {
  const definition = { ...definitionOf(record, storage.computed ?? []), ...storage.hidden };
  const schema = new mongoose.Schema(definition as SchemaDefinition, collectionOptions(storage.collection));
  if ('key' in definition) schema.index({ key: 1 }, { unique: true });
  for (const [fields, options] of storage.indexes ?? []) schema.index(fields, options);
  tenancyPlugin(schema, storage.tenancy);
  return mongoose.model(record.name, schema) as unknown as Model<Stored<Record, Hidden, Computed>>;
}

/** The part of type-graphql's metadata that is read here; the package keeps it in a global and exports no accessor. */
interface MetadataStorage {
  readonly fields: readonly {
    readonly target: unknown;
    readonly name: string;
    readonly getType: () => unknown;
    readonly typeOptions: { readonly array?: boolean; readonly nullable?: unknown; readonly defaultValue?: unknown };
  }[];
  readonly fieldExtensions: readonly { target: unknown; fieldName: string; extensions: { timestamp?: unknown } }[];
}

function definitionOf(record: unknown, computed: readonly PropertyKey[]): SchemaDefinition {
  const { TypeGraphQLMetadataStorage: metadata } = globalThis as unknown as {
    /** Absent until the first class with fields has been read. */
    TypeGraphQLMetadataStorage?: MetadataStorage;
  };
  const definition: SchemaDefinition = {};
  for (const field of metadata?.fields ?? []) {
    if (field.target !== record || computed.includes(field.name)) continue;
    const isTimestamp = metadata?.fieldExtensions.some(
      (entry) => entry.target === record && entry.fieldName === field.name && entry.extensions.timestamp !== undefined,
    );
    const type = isTimestamp ? Date : storedType(field.getType());
    // Known only once the type has been read.
    const { array, nullable, defaultValue } = field.typeOptions;
    if (array) definition[field.name] = { type: [type], default: [] };
    else if (nullable) definition[field.name] = { type, default: null };
    // Mongoose's `required` rejects an empty string, which is a value like any other here.
    else definition[field.name] = { type, required: type !== String, default: defaultValue };
  }
  return definition;
}

function storedType(type: unknown): unknown {
  if (type === String || type === Boolean) return type;
  if (type === Int || type === Float || type === Number) return Number;
  return new mongoose.Schema(definitionOf(type, []), { _id: false });
}
