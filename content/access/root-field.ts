import { type GraphQLFieldConfig, GraphQLNonNull, type GraphQLNullableType } from 'graphql';

import type { DisplayContext } from '../schema/display-context.ts';
import { fieldArguments } from '../schema/field-arguments.ts';
import type { ParametersOf, ParameterTable } from '../schema/parameter.ts';

import { changingContent } from '../caching/changing-content.ts';

import type { ContentContext } from './content-context.ts';
import type { PermissionCheck, RawArguments } from './permitted.ts';
import { type SelectedFields, selectedFields } from './selected-fields.ts';

/** Declaration of a root field of the content schema. */
interface RootFieldDefinition<T extends ParameterTable> {
  readonly returns: GraphQLNullableType;
  readonly description: string;
  /** Its parameters: the arguments, and their checks and conversions in a request. */
  readonly takes: T;
  /** Rejects callers who may not use it, before it is resolved. */
  readonly permitted: PermissionCheck;
  /** Checks arguments that only some callers may send. It runs before the permission, and not for `Allow`. */
  readonly checkArguments?: PermissionCheck;
  /** Context in which the answer to a change is shown, where that depends on the caller. */
  readonly shownIn?: (context: ContentContext) => DisplayContext;
}

/** A root field of the content schema. */
export type RootField = GraphQLFieldConfig<unknown, ContentContext>;

/** The root fields of a subject by name. */
export interface RootFields {
  readonly queries?: Readonly<Record<string, RootField>>;
  readonly mutations?: Readonly<Record<string, RootField>>;
}

/** Declares a root field of the content schema: no other way leads into it, so that none goes without a permission. */
export function rootField<T extends ParameterTable, A = ParametersOf<T>>(
  { returns, description, takes, permitted, checkArguments, shownIn }: RootFieldDefinition<T>,
  resolve: (args: A, context: ContentContext, selected: SelectedFields) => unknown,
): RootField {
  return {
    type: new GraphQLNonNull(returns) as RootField['type'],
    description,
    args: fieldArguments(takes),
    extensions: { parameters: takes, permitted, shownIn },
    resolve: async (_source, args: RawArguments, context, info) => {
      await checkArguments?.(args, context);
      await permitted(args, context);
      const resolved = async () => resolve(args as A, context, selectedFields(info));
      if (info.operation.operation !== 'mutation') return resolved();
      // Only now: whoever may not write keeps nobody from what is kept.
      return changingContent(context.service, resolved).finally(() => context.items.clear());
    },
  };
}
