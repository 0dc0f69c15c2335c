import {
  type GraphQLFieldConfig,
  GraphQLNonNull,
  type GraphQLNullableType,
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLInputType,
  GraphQLList,
  type GraphQLScalarType,
  GraphQLString,
  type GraphQLField,
  type FieldNode,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
} from 'graphql';

import type { DisplayContext } from '../schema/display-context.ts';
import type { ParametersOf, ParameterTable, ParameterDefinition } from '../schema/parameter.ts';

import { changingContent } from '../caching/changing-content.ts';

import type { ContentContext } from './content-context.ts';
import { Untyped } from '../../schema/untyped.ts';
import { Integer } from '../schema/content-field.ts';
import { ContentError } from '../schema/content-error.ts';

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

/** For fields that anyone may use; the resolver itself narrows the result. */
export const anyone: PermissionCheck = () => undefined;

/** Returns true if a caller may use a root field with these arguments. */
export async function isPermittedTo(
  { extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
  args: RawArguments,
  context: ContentContext,
): Promise<boolean> {
  const check = extensions.permitted as PermissionCheck | undefined;
  return check === undefined || passes(check, args, context);
}

/** Returns true if a permission check accepts a caller with these arguments. */
export async function passes(check: PermissionCheck, args: RawArguments, context: ContentContext): Promise<boolean> {
  try {
    await check(args, context);
    return true;
  } catch (error) {
    if (error instanceof ContentError) return false;
    throw error;
  }
}

/** Options of a root field. */
export interface FieldOptions {
  /** Checks arguments that only some callers may send. It runs before the permission, and not for `Allow`. */
  readonly checkArguments?: PermissionCheck;
  /** Context in which the answer to a change is shown, if that depends on the caller. */
  readonly shownIn?: (context: ContentContext) => DisplayContext;
}

/** Declaration of a root field of the content schema. */
interface RootFieldDefinition<T extends ParameterTable> extends FieldOptions {
  readonly returns: GraphQLNullableType;
  /** Its parameters: the arguments, and their checks and conversions in a request. */
  readonly takes: T;
  /** Rejects callers who may not use it, before it is resolved. */
  readonly permitted: PermissionCheck;
}

/** A root field of the content schema. */
export type RootField = GraphQLFieldConfig<unknown, ContentContext>;

/** The root fields of a subject by name. */
export interface RootFields {
  readonly queries?: Readonly<Record<string, RootField>>;
  readonly mutations?: Readonly<Record<string, RootField>>;
}

/** Declares a root field of the content schema: the only way to add one, so that none lacks a permission. */
export function rootField<T extends ParameterTable, A = ParametersOf<T>>(
  description: string,
  { returns, takes, permitted, checkArguments, shownIn }: RootFieldDefinition<T>,
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
      // Only now: a caller who may not write must not disable the cache.
      return changingContent(context.service, resolved).finally(() => context.items.clear());
    },
  };
}

/** Makes the arguments of a root field of the content interface from a table of parameters. */
function fieldArguments(table: ParameterTable): GraphQLFieldConfigArgumentMap {
  return Object.fromEntries(
    Object.entries(table).map(([name, definition]) => [
      name,
      { type: typeOf(definition), description: definition.description ?? name },
    ]),
  );
}

/** The parameters of a root field; undefined if it was not declared with `rootField`. */
export function parametersOf(field: {
  readonly extensions: Readonly<Record<string, unknown>>;
}): ParameterTable | undefined {
  return field.extensions.parameters as ParameterTable | undefined;
}

const SCALARS: Readonly<Record<string, GraphQLScalarType>> = {
  integer: Integer,
  boolean: GraphQLBoolean,
  string: GraphQLString,
};

function typeOf({ type = 'object', items, unchecked }: ParameterDefinition): GraphQLInputType {
  if (unchecked) return Untyped;
  if (type !== 'array') return SCALARS[type] ?? Untyped;
  return new GraphQLList(new GraphQLNonNull(items?.type === 'integer' ? Integer : GraphQLString));
}

/** Names of the fields that an operation selects of a record: data for other fields need not be read. */
export type SelectedFields = Pick<ReadonlySet<string>, 'has'>;

/** Selects every field. */
export const ALL_FIELDS: SelectedFields = { has: () => true };

const known = new WeakMap<FieldNode, SelectedFields>();

/** Returns the fields that an operation selects of the record of a root field, or of those on its page. */
function selectedFields({ fieldNodes }: Pick<GraphQLResolveInfo, 'fieldNodes'>): SelectedFields {
  const [node] = fieldNodes;
  if (!node) return ALL_FIELDS;
  const selected = known.get(node) ?? namesIn(itemsOf(node)?.selectionSet ?? node.selectionSet);
  known.set(node, selected);
  return selected;
}

/** The selection of the records on a page; undefined if a root field has no pages. */
function itemsOf({ selectionSet }: FieldNode): FieldNode | undefined {
  return selectionSet?.selections.find(
    (selection): selection is FieldNode => selection.kind === Kind.FIELD && selection.name.value === 'items',
  );
}

function namesIn(set: SelectionSetNode | undefined): SelectedFields {
  const names = set?.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : null)) ?? [];
  return names.includes(null) ? ALL_FIELDS : new Set(names);
}
