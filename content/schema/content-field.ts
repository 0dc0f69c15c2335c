import {
  GraphQLBoolean,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  GraphQLScalarType,
  Kind,
} from 'graphql';

import { Untyped } from '../../schema/untyped.ts';

import type { DisplayContext } from './display-context.ts';

/** A whole number of any size that JavaScript can hold; GraphQL's own Int ends at 2^31. */
export const Integer = new GraphQLScalarType<number, number>({
  name: 'Integer',
  description: 'A whole number.',
  serialize: toNumber,
  parseValue: toNumber,
  parseLiteral: (node) => (node.kind === Kind.INT ? Number(node.value) : toNumber(node)),
});

function toNumber(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new TypeError('This must be a whole number');
  return value;
}

/** Properties of a field in the content interface apart from its type. */
interface ContentFieldOptions {
  /** True for a field that ignores writes. */
  readonly readonly?: boolean;
  /** True for a field that links need, so that it is read in every context. */
  readonly linked?: boolean;
  /** True for a field that the schema of the route omits. */
  readonly unlisted?: boolean;
  /** The record that the schema of the route describes in place of its own type. */
  readonly describedAs?: GraphQLObjectType;
  /** Further keywords of its JSON Schema, such as `format` and `enum`. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** Extensions of a field of a record. */
interface ContentExtension extends ContentFieldOptions {
  /** Contexts in which the field is shown; a field of none is never shown, but may still be written. */
  readonly in: readonly DisplayContext[];
}

/** A field of a content record: its type, its contexts, and its description in the schema of the route (OPTIONS). */
export interface ContentField<T = unknown> {
  readonly type: GraphQLOutputType;
  readonly description: string;
  readonly extensions: { readonly content: ContentExtension };
  /** Type of its values; never set. */
  readonly value?: T;
}

/** Fields of a content record by name, in the order in which they are shown. */
export type ContentFields = Readonly<Record<string, ContentField>>;

/** A type of records of the content interface, with values of the type `R`. */
export type ContentRecord<R = unknown> = GraphQLObjectType & { readonly record?: R };

/** The TypeScript type of the values of a content record. */
export type RecordOf<T> = T extends { readonly record?: infer R } ? R : never;

/** The TypeScript type of the values of some fields. */
export type ValuesOf<F extends ContentFields> = {
  readonly [K in keyof F]: F[K] extends { readonly value?: infer T } ? T : never;
};

/** Options of a field that only links need: it is read in every context, never shown, and not listed. */
export const LINK_ONLY = { linked: true, unlisted: true } as const;

/** Options of the address of a record. */
export const ADDRESS = { readonly: true, schema: { format: 'uri' } } as const;

/** The field of a record for which no meta fields are registered. */
export function metaField(contexts: readonly DisplayContext[]): ContentField<readonly never[]> {
  return untyped(contexts, 'Meta fields.', { schema: { type: 'object', properties: [] } });
}

/** A list whose members are never null. */
export function listOf(type: GraphQLOutputType): GraphQLOutputType {
  return new GraphQLList(new GraphQLNonNull(type));
}

/** Makes the function that declares fields of a GraphQL type. */
function fieldOf<T>(type: GraphQLOutputType) {
  return (
    contexts: readonly DisplayContext[],
    description: string,
    options: ContentFieldOptions = {},
  ): ContentField<T> => ({ type, description, extensions: { content: { in: contexts, ...options } } });
}

/** Declares a field for a text. */
export const text = fieldOf<string>(GraphQLString);

/** Declares a field for a whole number. */
export const integer = fieldOf<number>(Integer);

/** Declares a field that is true or false. */
export const flag = fieldOf<boolean>(GraphQLBoolean);

/** Declares a field for a list of texts. */
export const texts = fieldOf<readonly string[]>(listOf(GraphQLString));

/** Declares a field for a list of whole numbers. */
export const integers = fieldOf<readonly number[]>(listOf(Integer));

/** Declares a field for a JSON value of the type `T`. */
export function untyped<T>(...declaration: Parameters<typeof text>): ContentField<T> {
  return fieldOf<T>(Untyped)(...declaration);
}

/** Declares a field for a part of a record. */
export function part<R>(type: ContentRecord<R>, ...declaration: Parameters<typeof text>): ContentField<R> {
  return fieldOf<R>(type)(...declaration);
}

/**
 * Declares a record of the content interface, or a part of one.
 *
 * @param about `title` names a record in the schema of its routes, such as `post`; a part has none. `hasContexts: false` is
 *   for a record that is always shown whole, whose schema names no contexts
 */
export function contentRecord<F extends ContentFields>(
  about: { readonly name: string; readonly title?: string; readonly hasContexts?: boolean },
  description: string,
  fields: F,
): ContentRecord<ValuesOf<F>> {
  const { name, title, hasContexts = true } = about;
  return new GraphQLObjectType({
    name,
    description,
    fields: { ...fields },
    extensions: title === undefined ? {} : { title, hasContexts },
  });
}

/** Returns the extensions of a field of a record; undefined for a field outside the content interface. */
export function contentOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): ContentExtension | undefined {
  return field.extensions.content as ContentExtension | undefined;
}

/** A record as a resolver passes it to GraphQL: costly values are functions, computed only on request. */
export type ViewOf<R> = { readonly [K in keyof R]: R[K] | (() => R[K] | Promise<R[K]>) };
