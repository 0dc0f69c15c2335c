import { Schema } from 'mongoose';

declare const VALUE: unique symbol;

/** A field as Mongoose defines it, which reads as a `Value`. */
export interface StoredField<Value> {
  readonly type: unknown;
  readonly default?: unknown;
  readonly [VALUE]?: Value;
}

/** Definitions of stored fields, by name. */
export type StoredFields = { readonly [name: string]: StoredField<unknown> };

/** A document with the fields that are defined. */
export type DocumentOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends StoredField<infer Value> ? Value : never;
};

type ValueOf<Type> = Type extends StringConstructor
  ? string
  : Type extends NumberConstructor
    ? number
    : Type extends BooleanConstructor
      ? boolean
      : Type extends readonly [infer Element]
        ? readonly ValueOf<Element>[]
        : Type extends abstract new (
              ...args: never
            ) => infer Instance
          ? Instance
          : Type extends Schema<infer Nested>
            ? Nested
            : never;

/** A field that every document has. */
export function required<const Type>(type: Type): StoredField<ValueOf<Type>> {
  return { type, required: true } as StoredField<ValueOf<Type>>;
}

/** A field that every document has and that filters compare, but no read returns, so that reads are not slowed by it. */
export function filterOnly<const Type>(type: Type): StoredField<ValueOf<Type> | undefined> {
  // Otherwise a list has the default `[]`, which a writer that forgets the field would store.
  return { type, required: true, default: undefined, select: false } as StoredField<ValueOf<Type> | undefined>;
}

/** A field that is null unless it is set. */
export function nullable<const Type>(type: Type): StoredField<ValueOf<Type> | null> {
  return { type, default: null };
}

/** A field that is null unless it is set, and that is returned only if named, so that other reads are not slowed by it. */
export function nullableUnlisted<const Type>(type: Type): StoredField<ValueOf<Type> | null | undefined> {
  return { type, default: null, select: false } as StoredField<ValueOf<Type> | null | undefined>;
}

/** A field with a default, which may be a function that returns it. */
export function defaulting<const Type>(type: Type, value: ValueOf<Type> | (() => ValueOf<Type>)) {
  return { type, default: value } as StoredField<ValueOf<Type>>;
}

/** A type of sub-documents. */
export function nested<Fields extends StoredFields>(fields: Fields): Schema<DocumentOf<Fields>> {
  return new Schema<DocumentOf<Fields>>(fields as never, { _id: false });
}

/** The type of a position on earth, in degrees. */
export const POINT = nested({ lat: required(Number), lon: required(Number) });
