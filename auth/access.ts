import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { Extensions } from 'type-graphql';

import type { TimestampFormat } from '../schema/timestamp.ts';

import { demand, isPermitted, type Permission, type RequestContext } from './caller.ts';

type Field = GraphQLField<Record<string, unknown>, RequestContext>;

/**
 * Says who may use a root field, or see a field of a record: apps with one of the scopes, and owners, always;
 * `'embed'` admits trip maps, `'visitor'` anybody, `'owner'` no app.
 */
export function Access(...permissions: Permission[]): MethodDecorator & PropertyDecorator {
  return Extensions({ access: permissions }) as MethodDecorator & PropertyDecorator;
}

/** The permissions of a field, or undefined where it names none. */
export function accessOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): readonly Permission[] | undefined {
  return field.extensions.access as readonly Permission[] | undefined;
}

/**
 * Puts the service's rules on every field of a schema: root fields demand their permission, guarded fields of records
 * are null without it, timestamps are written in their format. Arguments, which type-graphql lists from the last to the
 * first, stand as they were declared.
 *
 * @throws TypeError where a root field names no permission, so that forgetting it cannot open an endpoint
 */
export function guard(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields()) as Field[]) {
      Object.assign(field, { args: field.args.toReversed() });
      const access = accessOf(field);
      if (roots.includes(type)) {
        if (!access) throw new TypeError(`${type.name}.${field.name} must say who may use it: add @Access`);
        guardRoot(field, access);
      } else if (access) {
        guardField(field, access);
      }
      const format = field.extensions.timestamp as TimestampFormat | undefined;
      if (format) formatTimestamp(field, format);
    }
  }
  return schema;
}

function guardRoot(field: Field, access: readonly Permission[]): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) => {
    demand(context.caller, access);
    return resolve(source, args, context, info);
  };
}

function guardField(field: Field, access: readonly Permission[]): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) =>
    isPermitted(context.caller, access) ? resolve(source, args, context, info) : null;
}

function formatTimestamp(field: Field, format: TimestampFormat): void {
  field.resolve = (source) => {
    const value = source[field.name];
    return value instanceof Date ? format(value) : null;
  };
}
