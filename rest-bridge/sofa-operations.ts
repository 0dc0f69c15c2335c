import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  getNamedType,
  isObjectType,
  GraphQLObjectType,
  GraphQLSchema,
  Kind,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { createSofa, createSofaRouter } from 'sofa-api';

import { MAX_TREE_DEPTH } from '../schema/account/group.ts';

import type { AllFields, RootField } from './rest-table.ts';

/**
 * Lets SOFA derive one operation for each row of a table. SOFA's router is called for each field once, at startup, and
 * executes nothing: it returns the operation. Requests bypass it, since it serves web hooks too, reads arguments in
 * ways that the specification does not, and answers null if a member must be absent.
 * @throws TypeError if a row names no field of the schema
 */
export async function sofaOperations(
  schema: GraphQLSchema,
  table: Readonly<Record<string, RootField>>,
): Promise<Map<string, DocumentNode>> {
  let derived: DocumentNode | undefined;
  const sofa = createSofa({
    schema: withFieldsOf(Object.values(table), schema),
    basePath: '/',
    depthLimit: MAX_TREE_DEPTH,
    routes: Object.fromEntries(
      Object.values(table).map((field) => [coordinateOf(field), { method: 'POST', path: `/${coordinateOf(field)}` }]),
    ),
    execute: ({ document }) => {
      derived = document;
      return { errors: [] };
    },
  });
  const router = createSofaRouter({ ...sofa, models: [] });
  const operations = new Map<string, DocumentNode>();
  for (const [row, field] of Object.entries(table)) {
    derived = undefined;
    await router.fetch(`http://sofa/${coordinateOf(field)}`, { method: 'POST' });
    if (!derived) throw new TypeError(`The row "${row}" names no field of the schema`);
    operations.set(row, withoutGraphqlOnly(derived, schema));
  }
  return operations;
}

/** Name of a root field as SOFA writes it: `Query.device`. */
function coordinateOf(field: RootField): string {
  return 'query' in field ? `Query.${field.query}` : `Mutation.${field.mutation}`;
}

function withFieldsOf(rows: readonly RootField[], schema: GraphQLSchema): GraphQLSchema {
  const named = new Set(rows.map(coordinateOf));
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()].map((root) => {
    if (!root) return undefined;
    const { fields, ...config } = root.toConfig();
    return new GraphQLObjectType({
      ...config,
      fields: Object.fromEntries(Object.entries(fields).filter(([name]) => named.has(`${root.name}.${name}`))),
      // For a type without a definition, SOFA prints and parses one for each argument, to find a description for a document
      // that is not used.
      astNode: { kind: Kind.OBJECT_TYPE_DEFINITION, name: { kind: Kind.NAME, value: root.name }, fields: [] },
    });
  });
  return new GraphQLSchema({ query, mutation });
}

/** Removes fields that only GraphQL shows from an operation, and variables that are unused then. */
function withoutGraphqlOnly(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  const used = new Set<string>();
  const shown = visit(
    document,
    visitWithTypeInfo(types, {
      [Kind.FIELD]: () => (types.getFieldDef()?.extensions.graphqlOnly === true ? null : undefined),
      [Kind.ARGUMENT]: ({ value }) => void (value.kind === Kind.VARIABLE && used.add(value.name.value)),
    }),
  );
  const definitions = shown.definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return definition;
    const { variableDefinitions = [] } = definition;
    return {
      ...definition,
      variableDefinitions: variableDefinitions.filter(({ variable }) => used.has(variable.name.value)),
    };
  });
  return { ...shown, definitions };
}

/**
 * Adds relations to the record of an operation, or to each of a page.
 *
 * @param relations each with its selected fields: `{ key name }`
 */
export function withRelations(document: DocumentNode, relations: Readonly<Record<string, string>>): DocumentNode {
  const added = Object.entries(relations).flatMap(
    ([name, selection]) => selectionOf(`{ ${name} ${selection} }`).selections,
  );
  if (added.length === 0) return document;
  return visit(document, {
    [Kind.OPERATION_DEFINITION]: (operation) => {
      const [root] = operation.selectionSet.selections;
      if (root?.kind !== Kind.FIELD || !root.selectionSet) return undefined;
      const field = { ...root, selectionSet: withSelections(root.selectionSet, added) };
      return { ...operation, selectionSet: { ...operation.selectionSet, selections: [field] } };
    },
  });
}

function withSelections(set: SelectionSetNode, added: readonly SelectionNode[]): SelectionSetNode {
  const isPage = set.selections.some((selection) => isNodes(selection));
  if (!isPage) return { ...set, selections: [...set.selections, ...added] };
  return {
    ...set,
    selections: set.selections.map((selection) =>
      isNodes(selection) ? { ...selection, selectionSet: withSelections(selection.selectionSet, added) } : selection,
    ),
  };
}

function isNodes(selection: SelectionNode): selection is FieldNode & { readonly selectionSet: SelectionSetNode } {
  return selection.kind === Kind.FIELD && selection.name.value === 'nodes' && selection.selectionSet !== undefined;
}

/** Parses a selection: `{ key name }`. */
export function selectionOf(text: string): SelectionSetNode {
  const [definition] = parse(text).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError(`${text} is not a selection`);
  return definition.selectionSet;
}

/** The fields of a record that REST answers. */
export function shownFields(type: GraphQLObjectType): GraphQLField<unknown, unknown>[] {
  return Object.values(type.getFields()).filter(({ extensions }) => extensions.graphqlOnly !== true);
}

/** The selection of the fields of a record that REST answers: `{ key name }`. */
export function selectionOfAll(type: GraphQLObjectType, { without = [], with: others = '' }: AllFields): string {
  const fields = shownFields(type).filter(({ name }) => !without.includes(name));
  const selected = fields.map(({ name, type: of }) => {
    const below = getNamedType(of);
    return isObjectType(below) ? `${name} ${selectionOfAll(below, {})}` : name;
  });
  return `{ ${selected.join(' ')} ${others} }`;
}
