import { GraphQLNonNull, type GraphQLNullableType, GraphQLObjectType } from 'graphql';

import { type ContentRecord, Integer, listOf } from '../schema/content-field.ts';
import type { ParametersOf, ParameterTable } from '../schema/parameter.ts';

import type { ContentContext } from './content-context.ts';
import {
  type FieldOptions,
  type FieldPermissions,
  type PermissionCheck,
  type RawArguments,
  rootField,
  type RootFields,
  type SelectedFields,
} from './root-field.ts';

type Resolve<A> = (args: A, context: ContentContext, selected: SelectedFields) => unknown;

/** A root field of a collection: its parameters, how it is resolved, and options. */
interface CollectionField {
  readonly takes: ParameterTable;
  readonly resolve: Resolve<RawArguments>;
  readonly options: FieldOptions;
}

/** Declares what a root field of a collection takes, and how it is resolved. */
export function taking<T extends ParameterTable, A = ParametersOf<T>>(
  takes: T,
  resolve: Resolve<A>,
  options: FieldOptions = {},
): CollectionField {
  return { takes, resolve: resolve as Resolve<never> as Resolve<RawArguments>, options };
}

/**
 * The root fields of a collection. A list has items and a total, and the number of its page if that is computed from an offset.
 */
type Collection = Readonly<Record<'list' | 'read' | 'update' | 'delete', CollectionField>> & {
  /** Undefined if objects cannot be created by a request body. */
  readonly create?: CollectionField | undefined;
};

/** Names of a kind of records, from which those of its root fields and paths follow. */
export interface Named {
  readonly one: string;
  readonly many: string;
  readonly record: ContentRecord;
}

/** Declares the root fields of a collection: `posts`, `post`, `createPost`, `updatePost`, `deletePost`. */
export function collectionFields(
  { one, many, record }: Named,
  may: FieldPermissions,
  { list, read, create, update, delete: remove }: Collection,
): RootFields {
  const { name } = record;
  return {
    queries: {
      [many]: field(itemPageOf(record), `A page of ${many}.`, may.list, paged(list)),
      [one]: field(record, `One of the ${many}.`, may.read, read),
    },
    mutations: {
      ...(create && { [`create${name}`]: field(record, `Adds to the ${many}.`, may.create, create) }),
      [`update${name}`]: field(record, `Changes one of the ${many}.`, may.update, update),
      [`delete${name}`]: field(record, `Moves one of the ${many} to the trash, or deletes it.`, may.delete, remove),
    },
  };
}

function field(
  returns: GraphQLNullableType,
  description: string,
  permitted: PermissionCheck,
  { takes, resolve, options }: CollectionField,
) {
  return rootField<ParameterTable, RawArguments>(description, { returns, takes, permitted, ...options }, resolve);
}

/** Adds the number of pages to a list. */
function paged(list: CollectionField): CollectionField {
  return {
    ...list,
    resolve: async (args, context, selected) => {
      const found = (await list.resolve(args, context, selected)) as { readonly total: number };
      return { ...found, total_pages: pagesOf(found.total, Number(args.per_page)) };
    },
  };
}

/** Makes the type of a page of records, the one shape of paged lists in the content schema. */
export function itemPageOf(record: ContentRecord): GraphQLObjectType {
  const count = new GraphQLNonNull(Integer);
  return new GraphQLObjectType({
    name: `${record.name}Page`,
    description: `A page of ${record.name} objects.`,
    fields: {
      items: { type: new GraphQLNonNull(listOf(record)), description: 'The objects of this page, in order.' },
      total: { type: count, description: 'Number of objects on all pages.' },
      total_pages: { type: count, description: 'Number of pages.' },
      page: { type: Integer, description: 'Number of this page, if computed from an offset.' },
    },
  });
}

/** Computes the number of pages of a list. */
export function pagesOf(total: number, perPage: number): number {
  return Math.ceil(total / perPage);
}
