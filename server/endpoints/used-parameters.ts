import type { FastifyRequest } from 'fastify';
import { getNamedType, isInputObjectType } from 'graphql';

import { UsedNames } from '../../auth/usage/used-names.ts';
import { nameOfDocument } from '../../graphql/endpoint/sent-document.ts';
import { usedCoordinates } from '../../graphql/endpoint/used-coordinates.ts';
import { queryOf } from '../../http/requests/utf8.ts';
import { isPage, type RestEndpoint } from '../../rest-bridge/rest-bridge.ts';
import { takesBody } from '../../rest-bridge/rest-table.ts';

/** Maximum number of combinations of parameters that are kept for a row. */
const MAX_COMBINATIONS = 100;

/** Makes the function that names what requests of a row use: its path, parameters of the query, members of a JSON body. */
export function usedParameters(endpoint: RestEndpoint): (request: FastifyRequest) => UsedNames {
  const { method, path } = endpoint;
  const known = new Map<string, UsedNames>();
  const own = `${method} ${path}`;
  const operation = usedByOperation(endpoint);
  const names = namesOf(endpoint);
  const hasMembers = takesBody(method, endpoint.route) && endpoint.route.message === undefined;
  return (request) => {
    const sent = [...queryOf(request.raw.url).keys(), ...(hasMembers ? membersOf(request.body) : [])];
    const parameters = [...new Set(sent)].filter((name) => names.has(name));
    const key = parameters.join();
    const used = known.get(key) ?? operation.with([own, ...parameters.map((name) => `${own}(${name}:)`)]);
    if (known.size < MAX_COMBINATIONS) known.set(key, used);
    return used;
  };
}

/** Names of what the document of an endpoint uses; none without one. */
function usedByOperation({ operation }: RestEndpoint): UsedNames {
  if (!operation) return new UsedNames([]);
  const used = usedCoordinates({ ...operation, operationName: null, variableValues: {} });
  return used.with([`document ${nameOfDocument(operation.document)}`]);
}

function namesOf({ field, route }: RestEndpoint): ReadonlySet<string> {
  const body = getNamedType(field.args.find(({ name }) => name === route.body)?.type);
  const members = isInputObjectType(body) ? Object.keys(body.getFields()) : [];
  const args = field.args.map(({ name }) => route.named?.[name] ?? name);
  const ofPage = isPage(field, route) ? ['size', 'cursor'] : [];
  return new Set([...args, ...members, ...ofPage, ...(route.expand ? ['expand'] : [])]);
}

/** Names of the members of a body; none if it is no JSON object, or too large to be read again. */
function membersOf(body: unknown): string[] {
  if (!Buffer.isBuffer(body) || body.length > MAX_READ_AGAIN) return [];
  try {
    return Object.keys(Object(JSON.parse(body.toString())));
  } catch {
    return [];
  }
}

/** Maximum size of a body that is read again for the names of its members, in bytes. */
const MAX_READ_AGAIN = 64 * 1024;
