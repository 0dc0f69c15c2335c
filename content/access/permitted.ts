import { defaultFieldResolver, type GraphQLField, type GraphQLSchema } from 'graphql';
import { Extensions } from 'type-graphql';

import { ContentError } from '../schema/content-error.ts';

import type { ContentContext } from './content-context.ts';

/**
 * Rejects a caller who may not use a root field with these arguments. For `Allow` it also runs for other methods of the same
 * path, with the arguments of that request, so it must accept any arguments.
 *
 * @throws ContentError
 */
export type PermissionCheck<Args> = (args: Args, context: ContentContext) => unknown;

/** Arguments of a request that may be another method's, see {@link PermissionCheck}. */
export type RawArguments = Readonly<Record<string, unknown>>;

/** Permission checks of the root fields of a collection. */
export type FieldPermissions = Readonly<
  Record<'list' | 'read' | 'create' | 'update' | 'delete', PermissionCheck<RawArguments>>
>;

/** Declares who may use a root field of the content schema: it runs before the field's resolver. */
export function Permitted<Args>(check: PermissionCheck<Args>): MethodDecorator {
  return Extensions({ permitted: check }) as MethodDecorator;
}

/** Declares a check of arguments that only some callers may send. It runs before the permission, and not for `Allow`. */
export function CheckArguments<Args>(check: PermissionCheck<Args>): MethodDecorator {
  return Extensions({ argumentCheck: check }) as MethodDecorator;
}

/** For fields that anybody may use; what they answer with is narrowed by the resolver itself. */
export const anyone: PermissionCheck<unknown> = () => undefined;

/**
 * Puts its permission before every root field of a schema.
 *
 * @throws TypeError where one names none, so that forgetting it cannot open an endpoint
 */
export function guardContent(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {}) as GraphQLField<unknown, ContentContext>[]) {
      const check = checkOf(field);
      if (!check) throw new TypeError(`${type?.name}.${field.name} must say who may use it: add @Permitted`);
      const { resolve = defaultFieldResolver } = field;
      const checkArguments = field.extensions.argumentCheck as PermissionCheck<unknown> | undefined;
      field.resolve = async (source, args, context, info) => {
        await checkArguments?.(args, context);
        await check(args, context);
        return resolve(source, args, context, info);
      };
    }
  }
  return schema;
}

/** Tells whether a caller may use a root field with these arguments. */
export async function isPermittedTo(
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
  args: Readonly<Record<string, unknown>>,
  context: ContentContext,
): Promise<boolean> {
  try {
    await checkOf(field)?.(args, context);
    return true;
  } catch (error) {
    if (error instanceof ContentError) return false;
    throw error;
  }
}

function checkOf(field: Pick<GraphQLField<unknown, unknown>, 'extensions'>) {
  return field.extensions.permitted as PermissionCheck<Readonly<Record<string, unknown>>> | undefined;
}
