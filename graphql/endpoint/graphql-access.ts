import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { ApolloServerPlugin } from '@apollo/server';

import { authorize } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';

/** Rejects fields that the caller may not use before variables are checked: 401 and 403 come before 400 ("Errors"). */
export const accessPlugin: ApolloServerPlugin<RequestContext> = {
  requestDidStart: async () => ({
    didResolveOperation: async ({ schema, operation, document, contextValue }) => {
      if (operation !== undefined) authorizeOperation(contextValue, { schema, operation, document });
    },
  }),
};

/** An operation whose document has been read. */
export interface ReadOperation {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly document: DocumentNode;
}

/** Authorizes the fields of an operation; fields outside the schema, such as `__schema`, need no permission. */
export function authorizeOperation(context: RequestContext, read: ReadOperation): void {
  for (const field of rootFields(read)) {
    if (field !== undefined) authorize(context, field);
  }
}

/** The fields of the query or mutation that an operation selects; undefined stands for one outside the schema. */
export function rootFields({
  schema,
  operation,
  document,
}: ReadOperation): (GraphQLField<unknown, unknown> | undefined)[] {
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {};
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return [...rootFieldNames(operation.selectionSet, fragments)].map((name) => fields[name]);
}

/** Names of the root fields that an operation selects, in order, without duplicates. */
function rootFieldNames(set: SelectionSetNode, fragments: readonly FragmentDefinitionNode[]): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        names.add(selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.find(({ name }) => name.value === selection.name.value);
        if (fragment !== undefined) collect(fragment.selectionSet);
      }
    }
  };
  collect(set);
  return names;
}
