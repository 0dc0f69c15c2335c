import {
  type DocumentNode,
  type GraphQLCompositeType,
  getNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { contentOf } from '../schema/content-field.ts';
import type { DisplayContext } from '../schema/display-context.ts';

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
  wanted: ReadonlySet<string> | null,
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
          const isUnwanted = wanted !== null && isOfRecord(types.getParentType()) && !wanted.has(field.name);
          return content.in.includes(context) && !isUnwanted ? undefined : null;
        },
      },
    }),
  );
}

/** Distinguishes records from their parts, such as a title. */
function isOfRecord(type: GraphQLCompositeType | null | undefined): boolean {
  return typeof type?.extensions.title === 'string';
}

/** Names the fields of a record that its links need and a context does not show. */
export function unshownIn(context: DisplayContext, type: GraphQLOutputType): readonly string[] {
  const record = getNamedType(type);
  if (!isObjectType(record)) return [];
  return Object.values(record.getFields())
    .filter((field) => contentOf(field)?.linked && !contentOf(field)?.in.includes(context))
    .map(({ name }) => name);
}

/** Names of the fields that the parameter `_fields` keeps; null without it, for all of them. */
export function wantedFields(parameter: unknown): ReadonlySet<string> | null {
  if (parameter === undefined) return null;
  const isArray = typeof parameter === 'object' && parameter !== null;
  const names = isArray ? Object.values(parameter).map(String) : String(parameter).split(/[\s,]+/);
  return new Set(names.map((name) => name.trim()));
}
