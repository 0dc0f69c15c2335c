import type { GraphQLField } from 'graphql';

import { ContentError } from '../schema/content-error.ts';

import type { ContentContext } from './content-context.ts';

/**
 * Rejects a caller who may not use a root field with these arguments. For `Allow` it also runs for other methods of the same
 * path, with the arguments of that request, so it must accept any arguments.
 *
 * @throws ContentError
 */
export type PermissionCheck = (args: RawArguments, context: ContentContext) => unknown;

/** Arguments of a request that may be another method's, see {@link PermissionCheck}. */
export type RawArguments = Readonly<Record<string, unknown>>;

/** Permission checks of the root fields of a collection. */
export type FieldPermissions = Readonly<Record<'list' | 'read' | 'create' | 'update' | 'delete', PermissionCheck>>;

/** For fields that anybody may use; what they answer with is narrowed by the resolver itself. */
export const anyone: PermissionCheck = () => undefined;

/** Returns true if a list is asked for by a parameter: an empty text or list asks for nothing. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Returns true if a caller may use a root field with these arguments. */
export async function isPermittedTo(
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
  args: RawArguments,
  context: ContentContext,
): Promise<boolean> {
  try {
    const check = field.extensions.permitted as PermissionCheck | undefined;
    await check?.(args, context);
    return true;
  } catch (error) {
    if (error instanceof ContentError) return false;
    throw error;
  }
}
