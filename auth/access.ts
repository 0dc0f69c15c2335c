import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { Extensions } from 'type-graphql';

import { demand, isPermitted, type Permission, type RequestContext } from './caller.ts';

type Field = GraphQLField<Record<string, unknown>, RequestContext>;
type Resolve = GraphQLFieldResolver<Record<string, unknown>, RequestContext>;

/**
 * Sets who may use a field: owners always, and apps with one of the scopes; `'embed'` admits trip maps and shares, `'visitor'`
 * anyone, `'owner'` no app.
 */
export function Access(...permissions: Permission[]): MethodDecorator & PropertyDecorator {
  return Extensions({ access: permissions }) as MethodDecorator & PropertyDecorator;
}

/** The permissions of a field, or undefined if it names none. */
export function accessOf({ extensions }: Pick<Field, 'extensions'>): readonly Permission[] | undefined {
  return extensions.access as readonly Permission[] | undefined;
}

/** Names of the root fields that each request may use, as {@link authorize} decided. */
const authorized = new WeakMap<RequestContext, Set<string>>();

/**
 * Decides whether a request may use a root field. An endpoint calls it before it reads arguments, since 401 and 403 come
 * before 400; execution refuses every root field for which it was not called.
 *
 * @throws ServiceError UNAUTHENTICATED for a visitor, FORBIDDEN for anyone else without a permission
 * @throws TypeError if the field names no permission
 */
export function authorize(context: RequestContext, field: Pick<Field, 'name' | 'extensions'>): void {
  const access = accessOf(field);
  if (!access) throw new TypeError(`${field.name} has no access rule: add @Access`);
  demand(context.caller, access);
  authorized.set(context, (authorized.get(context) ?? new Set()).add(field.name));
}

/**
 * Applies the service's rules to every field of a schema: root fields are executed only after {@link authorize}, guarded
 * fields of records are null without their permission. Arguments, which type-graphql lists from the last to the first, are
 * put into the order of their declaration.
 *
 * @throws TypeError if a root field or an `@Access` names no permission, so that no endpoint is open by omission
 */
export function guard(schema: GraphQLSchema): GraphQLSchema {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields()) as Field[]) {
      Object.assign(field, { args: field.args.toReversed() });
      const access = accessOf(field);
      const isRoot = roots.includes(type);
      if (isRoot ? !access?.length : access?.length === 0) {
        throw new TypeError(`${type.name}.${field.name} has no access rule: add @Access`);
      }
      if (isRoot) requireAuthorized(field);
      else if (access) guardField(field, access);
    }
  }
  return schema;
}

function requireAuthorized(field: Field): void {
  const { resolve = defaultFieldResolver, subscribe } = field;
  field.resolve = authorizedOnly(field.name, resolve);
  if (subscribe) field.subscribe = authorizedOnly(field.name, subscribe);
}

function authorizedOnly(name: string, run: Resolve): Resolve {
  return (source, args, context, info) => {
    if (!authorized.get(context)?.has(name)) throw new TypeError(`${name} is executed without authorization`);
    return run(source, args, context, info);
  };
}

function guardField(field: Field, access: readonly Permission[]): void {
  const { resolve = defaultFieldResolver } = field;
  field.resolve = (source, args, context, info) =>
    isPermitted(context.caller, access) ? resolve(source, args, context, info) : null;
}
