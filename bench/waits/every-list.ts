import { type GraphQLField, type GraphQLSchema, getNamedType, isObjectType, isRequiredArgument } from 'graphql';

import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { readRow } from '../../rest-bridge/rest-table.ts';
import { selectAllFields } from '../../test/fixtures/select-all-fields.ts';
import type { LoadRequest } from '../https-load.ts';
import { graphqlRequest, restRequest, type Sender } from './send-requests.ts';

/** The largest pages, largest first: an operation that costs too much is sent with a smaller one. */
const SIZES = [1000, 500, 250, 100];

/** The list that begins at a cursor. */
const CHANGES = 'changes';

/** Keys that required arguments, and the paths of lists, name. */
export type ListKeys = Readonly<Record<string, string>>;

/** A list, with the requests for its largest pages of which the first that is permitted is measured. */
export type ListRequests = readonly [name: string, requests: readonly LoadRequest[]];

/** Requests for every list of the API by GraphQL, with all fields of its records. */
export function listsByGraphql(schema: GraphQLSchema, sender: Sender, keys: ListKeys): ListRequests[] {
  const fields = Object.values(schema.getQueryType()?.getFields() ?? {});
  return fields.flatMap((field): ListRequests[] => {
    const selection = selectionOf(field);
    if (selection === null) return [];
    const named = field.args.filter((argument) => isRequiredArgument(argument) || field.name === CHANGES);
    const given = named.flatMap(({ name }) => (keys[name] === undefined ? [] : [`${name}: "${keys[name]}"`]));
    const requests = SIZES.map((size) => {
      return graphqlRequest(sender, `{ ${field.name}(${[`first: ${size}`, ...given].join(', ')}) ${selection} }`);
    });
    return [[`${field.name} by GraphQL`, requests]];
  });
}

/** All fields of the records of a page; null for a field that answers no page. */
function selectionOf({ type, args }: GraphQLField<unknown, unknown>): string | null {
  const page = getNamedType(type);
  const nodes = isObjectType(page) ? page.getFields().nodes : undefined;
  if (!nodes || !args.some(({ name }) => name === 'first')) return null;
  return `{ nodes ${selectAllFields(nodes.type)} page_info { end_cursor } }`;
}

/** Requests for every list of the API by REST, with all relations of its records. */
export function listsByRest(sender: Sender, keys: ListKeys): ListRequests[] {
  return Object.entries(accountRoutes).flatMap(
    ([row, { root, expand = {}, exampleParameters = {} }]): ListRequests[] => {
      const { method, path } = readRow(row);
      if (method !== 'GET' || root === undefined) return [];
      const query = new URLSearchParams({ size: '200' });
      if (path === `/${CHANGES}`) query.set('cursor', keys.after ?? '');
      for (const name of Object.keys(expand)) query.append('expand', name);
      for (const [name, value] of Object.entries(exampleParameters)) query.set(name, keys[name] ?? String(value));
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => keys[name] ?? '');
      return [[row, [restRequest(sender, `${filled}?${query}`)]]];
    },
  );
}
