import {
  type DocumentNode,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { groupedBy } from '../../models/grouped-by.ts';
import { contentOf } from '../schema/content-field.ts';
import type { DisplayContext } from '../schema/display-context.ts';

/** Names of the fields of a record that are wanted; null for all. */
type Wanted = Pick<ReadonlySet<string>, 'has'> | null;

/**
 * Narrows an operation to the fields that a context shows or that links need: no others are computed.
 *
 * @param wanted names of the fields of a record that are to be shown, null for all of the context
 * @param isLinked false if no links are made
 */
export function narrowTo(
  context: DisplayContext,
  document: DocumentNode,
  schema: GraphQLSchema,
  wanted: Wanted,
  isLinked: boolean,
): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.FIELD]: {
        enter: () => {
          const field = types.getFieldDef();
          const content = field && contentOf(field);
          if (!content || (content.linked && isLinked)) return undefined;
          const isUnwanted =
            wanted !== null && typeof types.getParentType()?.extensions.title === 'string' && !wanted.has(field.name);
          return content.in.includes(context) && !isUnwanted ? undefined : null;
        },
      },
    }),
  );
}

/** Names the fields of a record that its links need and a context does not show. */
export function unshownIn(context: DisplayContext, type: GraphQLOutputType): readonly string[] {
  const record = getNamedType(type);
  if (!isObjectType(record)) return [];
  return Object.values(record.getFields())
    .filter((field) => contentOf(field)?.linked && !contentOf(field)?.in.includes(context))
    .map(({ name }) => name);
}

/** Names of fields, each with the names of its parts that are kept, or `true` for all of it. */
export type WantedFields = ReadonlyMap<string, WantedFields | true>;

/** The fields that the parameter `_fields` keeps, `title.rendered` for a part of one; null without it, for all of them. */
export function wantedFields(parameter: unknown): WantedFields | null {
  if (parameter === undefined) return null;
  const isArray = typeof parameter === 'object' && parameter !== null;
  const names = isArray ? Object.values(parameter).map(String) : String(parameter).split(/[\s,]+/);
  return treeOf(names.map((name) => name.trim().split('.')));
}

function treeOf(paths: readonly (readonly string[])[]): WantedFields {
  return new Map(
    [...groupedBy(paths, ([name = '']) => name)].map(([name, below]) => {
      const isWhole = below.some(({ length }) => length === 1);
      return [name, isWhole || treeOf(below.map(([, ...rest]) => rest))] as const;
    }),
  );
}

/** Keeps the wanted members of an object, or elements of a list by their numbers; a value without parts is kept as it is. */
export function keepWanted(value: object, wanted: WantedFields): object {
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const parts = wanted.get(name);
    if (parts === undefined) return [];
    const isWhole = parts === true || typeof member !== 'object' || member === null;
    return [[name, isWhole ? member : keepWanted(member, parts)] as const];
  });
  return Array.isArray(value) ? kept.map(([, member]) => member) : orEmptyList(Object.fromEntries(kept));
}

/** PHP writes an array without members as a list. */
export function orEmptyList(members: object): object {
  return Object.keys(members).length > 0 ? members : [];
}
