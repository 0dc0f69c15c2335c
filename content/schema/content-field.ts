import { type ClassType, Extensions, Field, ObjectType } from 'type-graphql';

import type { DisplayContext } from './display-context.ts';
import type { Integer } from './integer.ts';
import type { Untyped } from '../../schema/untyped.ts';

/** Type of a field of a content record. */
type FieldType = typeof String | typeof Boolean | typeof Integer | typeof Untyped | ClassType;

/** Properties of a field in the content interface, beside its type. */
export interface ContentFieldOptions {
  /** True for a field that ignores writes. */
  readonly readonly?: boolean;
  /** True for a field that links are made of, so that it is read in every context. */
  readonly linked?: boolean;
  /** Further keywords of its JSON Schema, such as `format` and `enum`. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/**
 * A field of a content record: its type, where it shows, and what the schema of the route (OPTIONS) says of it.
 *
 * @param type what it is; `[type]` is a list
 * @param contexts where the field is shown; a field of none is never shown, but may still be written
 */
export function ContentField(
  type: () => FieldType | [FieldType],
  contexts: readonly DisplayContext[],
  description: string,
  options: ContentFieldOptions = {},
): PropertyDecorator {
  return (prototype, name) => {
    Field(type as () => typeof String, { nullable: true, description })(prototype, name);
    Extensions({ content: { in: contexts, ...options } })(prototype, name);
  };
}

/**
 * A value of a record that only its links are made of: it is read in every context, never shown, and no part of the
 * route's schema.
 */
export function LinkField(type: () => FieldType | [FieldType], description: string): PropertyDecorator {
  return (prototype, name) => {
    Field(type as () => typeof String, { nullable: true, description })(prototype, name);
    Extensions({ content: { in: [], linked: true, unlisted: true } })(prototype, name);
  };
}

/**
 * A record of the content interface.
 *
 * @param title how the schema of its routes names it, such as `post`
 * @param options `hasContexts: false` for one that is always shown whole, whose schema names no contexts; `name` where
 *   its GraphQL type is not named after the class
 */
export function ContentRecord(
  title: string,
  description: string,
  { hasContexts = true, name }: { readonly hasContexts?: boolean; readonly name?: string } = {},
): ClassDecorator {
  return (target) => {
    ObjectType(name ?? target.name, { simpleResolvers: true, description })(target);
    Extensions({ title, hasContexts })(target);
  };
}

/** Extensions of a field that {@link ContentField} and {@link LinkField} declare. */
export interface ContentExtension extends ContentFieldOptions {
  readonly in: readonly DisplayContext[];
  /** True for a field that the schema of the route omits. */
  readonly unlisted?: boolean;
}

/** Returns the extensions of a field of a record; undefined for a field that is not the content interface's. */
export function contentOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): ContentExtension | undefined {
  return field.extensions.content as ContentExtension | undefined;
}
