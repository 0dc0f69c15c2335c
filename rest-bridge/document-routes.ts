import {
  type DocumentNode,
  getDirectiveValues,
  getOperationAST,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  TypeNameMetaFieldDef,
} from 'graphql';

import { ConfigError } from '../schema/config-error.ts';
import { ROUTE, type RouteArguments } from '../schema/routes/route-directives.ts';
import { notFound } from '../schema/service-error.ts';

import { accountRoutes } from './account-routes.ts';
import { documentAnswer } from './document-answer.ts';
import { argumentOf, commentAbove, isOfUrl, variableUses } from './document-arguments.ts';
import { endpointOf, type RestBridgeOptions, type RestEndpoint } from './rest-bridge.ts';
import { takesBody, type WrittenRoute } from './rest-table.ts';
import { selectedFields, type SelectedFields } from './selected-fields.ts';

/** Path with whole segments, or variables in braces, which an extension may follow. */
const PATH = /^(?:\/(?:[\w.~-]+|\{[A-Za-z_]\w*\}(?:\.[A-Za-z0-9]+)?))+\/?$/;

/** Statuses of success that a route may have. */
const STATUSES: readonly number[] = [200, 201, 202, 204];

/** Mutations with steps outside a transaction, which are completed by repeating them. */
const REPEATABLE = new Set(
  Object.values(accountRoutes).flatMap((route) => ('mutation' in route && route.repeatable ? route.mutation : [])),
);

/**
 * Serves the documents that have a `@route`: each as a row whose root field has the variables as arguments and the selected
 * fields as its result.
 *
 * @throws ConfigError naming TRUSTED_DOCUMENTS and the file of a route that cannot be served
 */
export function documentEndpoints(
  schema: GraphQLSchema,
  documents: readonly { readonly name: string; readonly document: DocumentNode }[],
  options: RestBridgeOptions,
): RestEndpoint[] {
  const files = new Map<string, string>();
  return documents.flatMap(({ name: file, document }) => {
    const operation = getOperationAST(document);
    if (!operation) return [];
    try {
      const route = getDirectiveValues(ROUTE, operation) as unknown as RouteArguments | undefined;
      if (!route) return [];
      const endpoint = documentEndpoint({ schema, document, operation, route }, options);
      for (const name of [endpoint.field.name.replaceAll('_', '').toLowerCase(), shapeOf(endpoint)]) {
        const other = files.get(name);
        if (other !== undefined) throw new TypeError(`its name and its path must differ from those of ${other}`);
        files.set(name, file);
      }
      return endpoint;
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof GraphQLError)) throw error;
      throw new ConfigError(`TRUSTED_DOCUMENTS must have valid routes only; ${file}: ${error.message}`, {
        cause: error,
      });
    }
  });
}

/** Method and path of an endpoint without the names of parameters: two of one shape get the same requests. */
export function shapeOf({ method, path }: Pick<RestEndpoint, 'method' | 'path'>): string {
  return `${method} ${withoutNames(path)}`;
}

/** A path without the names of its parameters. */
export function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, '{}');
}

/** The names of the parameters of a path. */
export function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

interface RoutedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly route: RouteArguments;
}

/** @throws TypeError with the reason why a route cannot be served */
function documentEndpoint(routed: RoutedOperation, options: RestBridgeOptions): RestEndpoint {
  const { schema, document, operation, route } = routed;
  const name = operation.name?.value.replaceAll('_', '');
  if (!name) throw new TypeError('the operation must have a name');
  const isQuery = operation.operation === OperationTypeNode.QUERY;
  const { path, method = isQuery ? 'GET' : 'POST', status, answer = null, body } = route;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const selected = selectedFields({ schema, operation, fragments });
  const roots = [...selected.values()].map(({ field }) => field).filter((one) => one !== TypeNameMetaFieldDef);
  const { type, bodyOf } = documentAnswer(name, selected, answer);
  const uses = variableUses(schema, document);
  const field: GraphQLField<unknown, unknown> = {
    ...{ name, type, deprecationReason: undefined, astNode: undefined },
    description: commentAbove(operation.loc?.startToken) ?? `The operation \`${name}\` of this installation.`,
    args: (operation.variableDefinitions ?? []).map((definition) => argumentOf(schema, definition, uses)),
    extensions: { access: accessTo(selected, roots) },
  };
  const row: WrittenRoute = {
    ...(isQuery ? { query: name } : { mutation: name }),
    ...(body && { body }),
    ...(roots.some((root) => REPEATABLE.has(root.name)) && { repeatable: true }),
    status,
    namesObject: true,
    operationId: name.charAt(0).toLowerCase() + name.slice(1),
    tag: 'route',
  };
  requireServable({ field, roots, method, path, route: row });
  const plan = options.plan(schema, document);
  return endpointOf(
    {
      ...{ method, path, field, roots, route: row, operation: { schema, document } },
      ...{ fixedMembers: [], sentNames: new Map([...uses].map(([variable, { name }]) => [name, variable])) },
      planOf: () => plan,
      resultOf: (data) => {
        const value = bodyOf(data);
        if (value === null && isQuery) throw notFound('object');
        return value;
      },
    },
    options,
  );
}

/** @throws TypeError for a route that cannot be served */
function requireServable({ field, roots, method, path, route }: Omit<RestEndpoint, 'answer'>): void {
  const demand = (condition: boolean, reason: string) => {
    if (!condition) throw new TypeError(reason);
  };
  const isQuery = 'query' in route;
  demand(isQuery === (method === 'GET'), isQuery ? 'a query has the method GET' : 'GET is for queries');
  demand(isQuery || roots.length === 1, 'a mutation with a route has one root field');
  demand(!isQuery || route.status === 200, 'a query has the status 200');
  demand(STATUSES.includes(route.status ?? 200), `status must be one of ${STATUSES.join(', ')}`);
  demand(PATH.test(path), 'path must have segments of letters, digits and ._~-, or variables in braces: /fleet/{key}');
  const inPath = parametersOf(path);
  demand(new Set(inPath).size === inPath.length, 'path must have each variable once');
  for (const variable of [...inPath, ...(route.body === undefined ? [] : [route.body])]) {
    demand(
      field.args.some(({ name }) => name === variable),
      `the operation has no variable $${variable}`,
    );
  }
  const inBody = takesBody(method, route);
  demand(route.body === undefined || inBody, `body must be omitted; ${method} takes its variables from the address`);
  for (const { name, type } of field.args) {
    const isMember = inBody && !inPath.includes(name);
    demand(
      !isMember || route.body === undefined || route.body === name,
      `$${name} must be in the path, beside the body`,
    );
    if (!isMember)
      demand(isOfUrl(type), `$${name} must be a scalar, an enum or a list of them, since it is in the address`);
  }
}

/** Permissions of all selected fields: scopes, or those of API keys alone if a root field has no scope. */
function accessTo(selected: SelectedFields, roots: RestEndpoint['roots']): readonly string[] {
  const isOfApps = roots.every((root) => accessOf(root).some(isScope));
  if (!isOfApps) return roots.length === 1 && roots[0] ? accessOf(roots[0]) : ['owner'];
  const scopes = new Set<string>();
  const collect = (fields: SelectedFields) => {
    for (const { field, below } of fields.values()) {
      for (const permission of [...accessOf(field), ...furtherAccessTo(field, below)]) scopes.add(permission);
      collect(below);
    }
  };
  collect(selected);
  return [...scopes].filter(isScope);
}

/** Permissions of a record of which a field shows a part to all, if more than that part is selected. */
function furtherAccessTo({ extensions }: GraphQLField<unknown, unknown>, below: SelectedFields) {
  const further = extensions.further as Readonly<Record<'access' | 'shows', readonly string[]>> | undefined;
  const names = [...below.values()].map(({ field: { name } }) => name);
  return further && names.some((name) => ![...further.shows, 'id', '__typename'].includes(name)) ? further.access : [];
}

function accessOf({ extensions }: GraphQLField<unknown, unknown>): readonly string[] {
  return (extensions.access as readonly string[] | undefined) ?? [];
}

function isScope(permission: string): boolean {
  return permission.includes('.');
}
