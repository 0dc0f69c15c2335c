import {
  execute,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isObjectType,
  isRequiredInputField,
  parse,
} from 'graphql';

import { authorize } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import { restSchema } from '../../resolvers/gateway-schema.ts';
import { MAX_TREE_DEPTH } from '../../schema/account/group.ts';
import { ServiceError } from '../../schema/service-error.ts';

import { CommandError } from './command-error.ts';
import type { Service } from '../../models/store/service.ts';

/** A root field of the API that a command calls as the operator. */
export interface RootFieldRequest {
  readonly field: string;
  readonly account_key: string;
  /** `{auth_url}`, for links. */
  readonly issuer: string;
  /** Arguments, or members of the argument `input`, by name; `point.lat` is a member of one. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Selections beside those of {@link recordSelection}, such as `tags { key value }`. */
  readonly relations: readonly string[];
  /** The member that nests records of the same kind. */
  readonly tree: string | undefined;
}

/**
 * Calls a root field with the checks of the API; returns its JSON.
 *
 * @throws ServiceError as the field does
 */
export async function askRootField(service: Service, request: RootFieldRequest): Promise<unknown> {
  const { field, values, account_key, issuer, relations, tree } = request;
  const schema = await restSchema();
  const { operation, root } = rootField(schema, field);
  const variables = variablesOf(root, values);
  const declared = root.args.filter(({ name }) => name in variables);
  const named = (write: (arg: GraphQLArgument) => string) =>
    declared.length === 0 ? '' : `(${declared.map(write).join(', ')})`;
  const text = `${operation}${named(({ name, type }) => `$${name}: ${String(type)}`)}
    { ${field}${named(({ name }) => `${name}: $${name}`)} ${selectionOf(root.type, relations, tree)} }`;
  const context: RequestContext = { service, caller: { kind: 'operator', account_key }, issuer };
  authorize(context, root);
  const document = parse(text);
  const { data, errors = [] } = await execute({ schema, document, variableValues: variables, contextValue: context });
  const [error] = errors;
  if (error) throw error.originalError ?? new CommandError(error.message);
  return data?.[field];
}

type RootField = GraphQLField<Record<string, unknown>, RequestContext>;

/** @throws TypeError if the schema has no such field */
function rootField(schema: GraphQLSchema, name: string): { readonly operation: string; readonly root: RootField } {
  const query = schema.getQueryType()?.getFields()[name];
  if (query) return { operation: 'query', root: query };
  const mutation = schema.getMutationType()?.getFields()[name];
  if (mutation) return { operation: 'mutation', root: mutation };
  throw new TypeError(`The schema has no root field ${name}`);
}

/** Arranges values as arguments of a field: the others are members of its `input`. */
function variablesOf({ name, args }: RootField, values: RootFieldRequest['values']): Record<string, unknown> {
  const names = new Set(args.map((arg) => arg.name));
  const inputType = getNamedType(args.find((arg) => arg.name === 'input')?.type);
  const members = isInputObjectType(inputType) ? inputType.getFields() : {};
  const direct = Object.entries(values).filter(([value]) => names.has(value));
  const input: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values).filter(([argument]) => !names.has(argument))) {
    const [member = '', below] = path.split('.');
    if (!(member in members)) throw new TypeError(`${name} has no argument ${path}`);
    input[member] = below === undefined ? value : { ...(input[member] as object | undefined), [below]: value };
  }
  for (const [member, value] of Object.entries(input)) checkWhole(members[member], value);
  return { ...Object.fromEntries(direct), ...(names.has('input') && { input }) };
}

/** @throws ServiceError BAD_REQUEST for a part of an input: a point has both coordinates */
function checkWhole(member: GraphQLInputField | undefined, value: unknown): void {
  const input = getNamedType(member?.type);
  if (!isInputObjectType(input) || Array.isArray(value) || value === null) return;
  const missing = Object.values(input.getFields()).find(
    (one) => isRequiredInputField(one) && !(one.name in Object(value)),
  );
  if (missing)
    throw new ServiceError('BAD_REQUEST', `${missing.name} is required with ${Object.keys(Object(value)).join()}`);
}

function selectionOf(type: GraphQLOutputType, relations: readonly string[], tree: string | undefined): string {
  const record = getNamedType(type);
  if (!isObjectType(record)) return '';
  const { nodes, page_info } = record.getFields();
  if (nodes && page_info) {
    return `{ nodes ${selectionOf(nodes.type, relations, tree)} page_info { end_cursor has_next_page } }`;
  }
  const isMember = (name: string) => name in record.getFields();
  const shown = relations.filter((relation) => isMember(/^\w*/.exec(relation)?.[0] ?? ''));
  const own = [recordSelection(record), ...shown].join(' ');
  const levels = tree !== undefined && isMember(tree) ? MAX_TREE_DEPTH : 0;
  return Array.from({ length: levels }).reduce<string>((below) => `{ ${own} ${tree} ${below} }`, `{ ${own} }`);
}

/** Selects a record without related ones: its values and objects of values, but no fields with arguments. */
function recordSelection(type: GraphQLObjectType): string {
  return Object.values(type.getFields())
    .map(({ name, args, type: fieldType }) => {
      const named = getNamedType(fieldType);
      if (args.length > 0) return '';
      if (isLeafType(named)) return name;
      return isObjectType(named) && !('key' in named.getFields()) ? `${name} { ${recordSelection(named)} }` : '';
    })
    .join(' ');
}
