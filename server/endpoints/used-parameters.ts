import type { FastifyRequest } from 'fastify';
import { getNamedType, isInputObjectType } from 'graphql';

import { UsedNames } from '../../auth/usage/used-names.ts';
import { nameOfDocument } from '../../graphql/endpoint/sent-document.ts';
import { usedCoordinates } from '../../graphql/endpoint/used-coordinates.ts';
import { queryOf } from '../../http/requests/utf8.ts';
import { isPage, type RestEndpoint } from '../../rest-bridge/rest-bridge.ts';

/** Maximum number of combinations of parameters that are kept for a row. */
const MAX_COMBINATIONS = 100;

/** Names what a request uses: the path of its row, parameters of the query, and these members of a JSON body. */
type UsedBy = (request: FastifyRequest, members?: readonly string[]) => UsedNames;

/** Makes the function that names what requests of a row use. */
export function usedParameters(endpoint: RestEndpoint): UsedBy {
  const { method, path } = endpoint;
  const known = new Map<string, UsedNames>();
  const own = `${method} ${path}`;
  const operation = usedByOperation(endpoint);
  const names = namesOf(endpoint);
  return (request, members = []) => {
    const sent = [...queryOf(request.raw.url).keys(), ...members];
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
