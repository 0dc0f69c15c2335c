import mongoose, { type Schema, type SchemaDefinition, type SchemaOptions } from 'mongoose';

import { collectionOptions } from '../../models/store/collection-options.ts';

declare const VALUE: unique symbol;
declare const IS_ABSENT: unique symbol;

/** A path of a stored document, with values of the type `T`; at run time it is Mongoose's definition. */
export interface StoredPath<T> {
  readonly [VALUE]: T;
}

/** A path that documents may lack. */
export interface AbsentPath<T> extends StoredPath<T> {
  readonly [IS_ABSENT]: true;
}

/** Paths of a stored document by name, from which its schema and its type are made. */
type StoredPaths = Readonly<Record<string, StoredPath<unknown>>>;

type AbsentIn<P> = { [K in keyof P]: P[K] extends AbsentPath<unknown> ? K : never }[keyof P];
type ValueOf<D> = D extends StoredPath<infer T> ? T : never;

/** The type of the documents that have some paths. */
export type StoredOf<P> = { readonly [K in keyof Omit<P, AbsentIn<P>>]: ValueOf<P[K]> } & {
  readonly [K in AbsentIn<P>]?: ValueOf<P[K]>;
};

type Constructor = typeof String | typeof Number | typeof Boolean | typeof Date | typeof Buffer | Schema | object;

function path<T>(definition: object): StoredPath<T> {
  return definition as StoredPath<T>;
}

/** A text, empty unless it is given. */
export const TEXT = path<string>({ type: String, default: '' });

/** A number, 0 unless it is given. */
export const NUMBER = path<number>({ type: Number, default: 0 });

/** A value that every document has. */
export function required<T>(type: Constructor, choices?: readonly T[]): StoredPath<T> {
  return path<T>({ type, required: true, ...(choices && { enum: choices }) });
}

/** A value that is null unless it is given. */
export function nullable<T>(type: Constructor): StoredPath<T | null> {
  return path<T | null>({ type, default: null });
}

/** A value with a default. */
export function withDefault<T>(type: Constructor, value: T): StoredPath<T> {
  return path<T>({ type, default: value });
}

/** A value that documents may lack. Mongoose gives an empty list to those without one, unless told otherwise. */
export function absent<T>(type: Constructor): AbsentPath<T> {
  return (Array.isArray(type) ? { type, default: undefined } : { type }) as unknown as AbsentPath<T>;
}

/** The schema of the documents of a collection. */
export function schemaOf<T>(collection: string, paths: StoredPaths, options: SchemaOptions = {}): Schema<T> {
  return new mongoose.Schema<T>(
    paths as unknown as SchemaDefinition<T>,
    {
      ...collectionOptions(collection),
      ...options,
    } as object,
  );
}

/** Defaults of the paths that have one. */
export function defaultsOf<P extends StoredPaths>(paths: P): Partial<StoredOf<P>> {
  const defaults = Object.entries(paths).map(([name, definition]) => [name, Object(definition).default]);
  return Object.fromEntries(defaults.filter(([, value]) => value !== undefined)) as Partial<StoredOf<P>>;
}
