import { type ClassType, Extensions, Field, ObjectType } from 'type-graphql';

import type { DisplayContext } from './display-context.ts';
import type { Integer } from './integer.ts';
import type { Untyped } from '../../schema/untyped.ts';

/** What a field of a content record is made of. */
type FieldType = typeof String | typeof Boolean | typeof Integer | typeof Untyped | ClassType;

/** What the content interface says of a field beside its type. */
export interface ContentFieldOptions {
  /** The contexts in which the field is shown. A field of none is never shown; it may still be written. */
  readonly in: readonly DisplayContext[];
  readonly description: string;
  /** Whether writing it is ignored. */
  readonly readonly?: boolean;
  /** Whether links are made of it, so that it is read in every context. */
  readonly linked?: boolean;
  /** Further keywords of its JSON Schema, such as `format` and `enum`. */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/**
 * A field of a content record: its type, where it shows, and what the schema of the route (OPTIONS) says of it.
 *
 * @param type what it is; `[type]` is a list
 */
export function ContentField(type: () => FieldType | [FieldType], options: ContentFieldOptions): PropertyDecorator {
  const { description, ...content } = options;
  return (prototype, name) => {
    Field(type as () => typeof String, { nullable: true, description })(prototype, name);
    Extensions({ content })(prototype, name);
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

/** What {@link ContentField} and {@link LinkField} leave in the extensions of a field. */
export interface ContentExtension extends Omit<ContentFieldOptions, 'description'> {
  /** Whether the schema of the route leaves it out. */
  readonly unlisted?: boolean;
}

/** What is said of a field of a record; undefined where it is none of the content interface's. */
export function contentOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): ContentExtension | undefined {
  return field.extensions.content as ContentExtension | undefined;
}
