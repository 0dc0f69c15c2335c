import {
  type DocumentNode,
  getNamedType,
  getOperationAST,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  Kind,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { UsedNames } from '../../auth/usage/used-names.ts';

/** Maximum number of combinations of members that are kept for a document. */
const MAX_COMBINATIONS = 100;

/** Use of an operation whatever its variables are, with the variables that have members or values of an enum. */
interface OperationUse {
  readonly used: UsedNames;
  readonly variables: ReadonlyMap<string, GraphQLInputType>;
  /** The same with members that its variables had. */
  readonly withMembers: Map<string, UsedNames>;
}

const uses = new WeakMap<DocumentNode, Map<string | null, OperationUse>>();

/** An operation and its values. */
export interface SentOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  readonly variableValues: Readonly<Record<string, unknown>>;
}

/** Schema coordinates of the fields, arguments, members of inputs and values of enums that an operation uses. */
export function usedCoordinates({ schema, document, operationName, variableValues }: SentOperation): UsedNames {
  const known = uses.get(document) ?? new Map<string | null, OperationUse>();
  uses.set(document, known);
  const use = known.get(operationName) ?? useOf(schema, document, operationName);
  known.set(operationName, use);
  if (use.variables.size === 0) return use.used;
  const members = new Set<string>();
  for (const [name, type] of use.variables) addMembers(members, type, variableValues[name]);
  if (members.size === 0) return use.used;
  const key = [...members].join();
  const used = use.withMembers.get(key) ?? use.used.with([...members]);
  if (use.withMembers.size < MAX_COMBINATIONS) use.withMembers.set(key, used);
  return used;
}

function useOf(schema: GraphQLSchema, document: DocumentNode, operationName: string | null): OperationUse {
  const operation = getOperationAST(document, operationName);
  const types = new TypeInfo(schema);
  const names = new Set<string>();
  const definitions = document.definitions.filter(
    (definition) => definition === operation || definition.kind === Kind.FRAGMENT_DEFINITION,
  );
  visit(
    { ...document, definitions },
    visitWithTypeInfo(types, {
      [Kind.FIELD]: ({ name }) => {
        const parent = types.getParentType();
        if (parent && !name.value.startsWith('__')) names.add(`${parent.name}.${name.value}`);
      },
      [Kind.ARGUMENT]: ({ name }) => {
        const [parent, field] = [types.getParentType(), types.getFieldDef()];
        if (parent && field && !types.getDirective()) names.add(`${parent.name}.${field.name}(${name.value}:)`);
      },
      [Kind.OBJECT_FIELD]: ({ name }) => {
        const parent = getNamedType(types.getParentInputType());
        if (parent) names.add(`${parent.name}.${name.value}`);
      },
      [Kind.ENUM]: ({ value }) => {
        const type = getNamedType(types.getInputType());
        if (type) names.add(`${type.name}.${value}`);
      },
    }),
  );
  const variables = new Map<string, GraphQLInputType>();
  for (const { variable, type: sent } of operation?.variableDefinitions ?? []) {
    const type = typeFromAST(schema, sent as never) as GraphQLInputType | undefined;
    const named = getNamedType(type);
    if (type && (isInputObjectType(named) || isEnumType(named))) variables.set(variable.name.value, type);
  }
  return { used: new UsedNames(names), variables, withMembers: new Map() };
}

function addMembers(names: Set<string>, type: GraphQLInputType, value: unknown): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value)) {
    for (const one of value) addMembers(names, type, one);
    return;
  }
  const named = getNamedType(type);
  if (isEnumType(named) && named.getValue(String(value))) names.add(`${named.name}.${String(value)}`);
  if (!isInputObjectType(named)) return;
  const fields = named.getFields();
  for (const [name, member] of Object.entries(Object(value))) {
    const field = fields[name];
    if (!field) continue;
    names.add(`${named.name}.${name}`);
    addMembers(names, field.type, member);
  }
}
