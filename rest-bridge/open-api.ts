import {
  type GraphQLArgument,
  type GraphQLField,
  GraphQLNonNull,
  getNamedType,
  getNullableType,
  isRequiredArgument,
} from 'graphql';

import {
  ENTITY_TAG,
  ERRORS,
  errorResponsesOf,
  GEO_JSON,
  NOT_MODIFIED,
  type OpenApiInfo,
  RESPONSES,
  securityOf,
  securitySchemes,
} from './open-api-responses.ts';
import { ComponentSchemas, type JsonSchema } from './open-api-schemas.ts';
import { describeWebhooks } from './open-api-webhooks.ts';
import { MAX_REST_PAGE } from './read-arguments.ts';
import {
  nodesOf,
  recordOf,
  isPage,
  isPageArgument,
  membersInQuery,
  readOf,
  showsRecord,
  type RestEndpoint,
} from './rest-bridge.ts';
import { EXAMPLE_KEY, isRead, type RestRoute, takesBody } from './rest-table.ts';

/** Describes the endpoints of a bridge: an OpenAPI 3.1 document, derived from the schema and the table alone. */
export function openApi(info: OpenApiInfo, endpoints: readonly RestEndpoint[]): JsonSchema {
  const { title, version, description } = info;
  const schemas = new ComponentSchemas(relationsOf(endpoints));
  schemas.named('Errors', ERRORS);
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = operationIdsOf(endpoints);
  for (const endpoint of endpoints) {
    const headers = headersOf(endpoint, endpoints);
    const described = { operationId: ids.get(endpoint), ...operationOf(endpoint, headers, schemas) };
    const operation = { [endpoint.method.toLowerCase()]: described };
    paths[endpoint.path] = { ...paths[endpoint.path], ...operation };
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: info.server }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name, description: info.tags[name] })),
    paths,
    webhooks: describeWebhooks(schemas),
    components: {
      schemas: schemas.all(),
      responses: RESPONSES,
      securitySchemes: securitySchemes(info),
    },
  };
}

/** Relations that rows of the same record add to it. */
function relationsOf(endpoints: readonly RestEndpoint[]): Map<string, Readonly<Record<string, string>>> {
  const relations = new Map<string, Readonly<Record<string, string>>>();
  for (const { field, route } of endpoints) {
    if (!route.expand) continue;
    const { name } = recordOf(field, route);
    relations.set(name, { ...relations.get(name), ...route.expand });
  }
  return relations;
}

/** The conditional headers that an operation takes. */
interface TakenHeaders {
  readonly isRead: boolean;
  readonly isOnce: boolean;
  readonly isConditional: boolean;
  readonly mayWait: boolean;
  /** True if the response has an `ETag`. */
  readonly isTagged: boolean;
}

function headersOf(endpoint: RestEndpoint, endpoints: readonly RestEndpoint[]): TakenHeaders {
  const { method, field, route } = endpoint;
  const isChange = method !== 'GET' && !(field.extensions.access as readonly string[]).includes('ingest');
  const isRecord = route.status !== 201 && readOf(endpoint, endpoints) !== undefined;
  return {
    isRead: isRead(endpoint),
    isOnce: isChange && method === 'POST' && route.file === undefined,
    isConditional: isChange && isRecord,
    mayWait: route.wait !== undefined,
    isTagged: route.mediaType === undefined && (isRead(endpoint) || showsRecord(endpoint, endpoints)),
  };
}

function headerParameters({ isRead: reads, isOnce, isConditional, mayWait }: TakenHeaders): JsonSchema[] {
  const parameter = (name: string, description: string, limits: JsonSchema = {}) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string', ...limits },
  });
  return [
    ...(reads
      ? [parameter('If-None-Match', 'The `ETag` of a response that the client has; 304 if nothing has changed.')]
      : []),
    ...(mayWait ? [parameter('Prefer', '`wait=20`: seconds to wait if there are no changes yet.')] : []),
    ...(isOnce
      ? [
          parameter(
            'Idempotency-Key',
            'Identifies the request: sent again within 24 hours, it gets the first response.',
            { pattern: '^[!-~]([ -~]{0,253}[!-~])?$' },
          ),
        ]
      : []),
    ...(isConditional
      ? [parameter('If-Match', 'The `ETag` of the record as the client knows it; 412 if the record has changed.')]
      : []),
  ];
}

function operationOf(endpoint: RestEndpoint, headers: TakenHeaders, schemas: ComponentSchemas): JsonSchema {
  const { field, method, path, route } = endpoint;
  const inBody = takesBody(method, route);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const paged = isPage(field, route);
  const isInQuery = (name: string) =>
    !inBody && name !== route.file && !(paged && isPageArgument(name)) && !Object.hasOwn(route.fixed ?? {}, name);
  const parameters = (route.message === undefined ? field.args : [])
    .flatMap((argument) =>
      inPath.has(argument.name) || isInQuery(argument.name) ? argument : membersInQuery(argument, route),
    )
    .map((argument) => {
      const name = route.named?.[argument.name] ?? argument.name;
      const limits = route.limits?.[argument.name];
      const schema = { ...schemas.definiteInput(argument.type), ...limits, ...defaultOf(argument) };
      const place = inPath.has(argument.name) ? 'path' : 'query';
      return parameterOf({ ...argument, name }, place, schema, route);
    });
  if (paged) parameters.push(...pageParameters(field, route));
  if (route.expand) parameters.push(expandParameter(route.expand, route.expandsAll === true));
  for (const [name, text] of Object.entries(route.parameters ?? {})) parameters.push(textParameter(name, text, route));
  if (route.mediaType === undefined) parameters.push(...headerParameters(headers));
  const [summary, ...more] = (field.description ?? '').split(/(?<=\.)\s+|\n\n/);
  return {
    summary,
    ...(more.length === 0 ? {} : { description: more.join(' ') }),
    tags: [tagOf(endpoint)],
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(field.extensions.access as readonly string[], route.deviceKey),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.file === undefined ? {} : { requestBody: fileBody(route, schemas) }),
    ...(inBody && route.unreadableBody === undefined ? { requestBody: bodyOf(endpoint, inPath, schemas) } : {}),
    responses: {
      [route.status ?? 200]: {
        ...(headers.isTagged ? { headers: ENTITY_TAG } : {}),
        description:
          route.status === 201
            ? 'Created.'
            : route.status === 202
              ? 'Started.'
              : route.mediaType
                ? 'The file.'
                : 'Success.',
        ...(route.status === 204 ? {} : { content: contentOf(endpoint, paged, schemas) }),
      },
      ...(headers.isRead && route.mediaType === undefined ? { 304: NOT_MODIFIED } : {}),
      ...errorResponsesOf({
        takesBody: inBody || route.file !== undefined,
        mayBeAbsent: inPath.size > 0 || route.namesObject === true,
        mayBeGone: route.wait !== undefined,
        ...headers,
      }),
    },
  };
}

/** Names of operations; those of documents are changed if another has them, whose client would be the same method. */
function operationIdsOf(endpoints: readonly RestEndpoint[]): Map<RestEndpoint, string> {
  const known = new Set<string>();
  return new Map(
    endpoints.map((endpoint) => {
      const name = endpoint.route.operationId ?? operationIdOf(endpoint);
      const id = known.has(name.toLowerCase()) ? `${name}Route` : name;
      known.add(id.toLowerCase());
      return [endpoint, id];
    }),
  );
}

/** Names an operation as clients call it: `listDevices`, `getDevice`, otherwise the name of its root field. */
function operationIdOf(endpoint: RestEndpoint): string {
  const { field, method, route } = endpoint;
  if (!isRead(endpoint)) return method === 'GET' ? `${field.name}ByAddress` : field.name;
  if (route.mediaType !== undefined) return field.name;
  return `${route.root === undefined ? 'get' : 'list'}${capitalized(field.name)}`;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function tagOf({ path, route }: RestEndpoint): string {
  if (route.tag !== undefined) return route.tag;
  const [first = ''] = path.slice(1).split('/');
  return first.endsWith('s') ? first.slice(0, -1) : first;
}

function parameterOf(
  argument: GraphQLArgument,
  place: 'path' | 'query',
  schema: JsonSchema,
  { exampleParameters }: RestRoute,
): JsonSchema {
  const { name, description } = argument;
  const isText = schema.type === 'string' && schema.pattern === undefined;
  const example = exampleParameters?.[name] ?? (place === 'path' && isText ? EXAMPLE_KEY : undefined);
  return {
    name,
    in: place,
    required: place === 'path' || isRequiredArgument(argument),
    description,
    schema,
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    ...(example === undefined ? {} : { example }),
  };
}

function defaultOf({ defaultValue }: GraphQLArgument): JsonSchema {
  return defaultValue === undefined ? {} : { default: defaultValue };
}

function textParameter(name: string, description: string, { exampleParameters }: RestRoute): JsonSchema {
  const example = exampleParameters?.[name];
  const parameter = { name, in: 'query', required: false, description, schema: { type: 'string' } };
  return example === undefined ? parameter : { ...parameter, example };
}

function expandParameter(expand: Readonly<Record<string, string>>, isAllByDefault: boolean): JsonSchema {
  return {
    name: 'expand',
    in: 'query',
    required: false,
    description: `Relations to include in each record, repeated or separated by commas; ${isAllByDefault ? 'all' : 'none'} unless given.`,
    schema: { type: 'array', items: { type: 'string', enum: Object.keys(expand) } },
    style: 'form',
    explode: true,
  };
}

function pageParameters(field: GraphQLField<unknown, unknown>, route: RestRoute): JsonSchema[] {
  const fallback = route.size ?? field.args.find(({ name }) => name === 'first')?.defaultValue;
  return [
    {
      name: 'size',
      in: 'query',
      required: false,
      description: `Objects a page; more than ${MAX_REST_PAGE} is served as ${MAX_REST_PAGE}.`,
      schema: { type: 'integer', minimum: 1, default: fallback },
    },
    {
      name: 'cursor',
      in: 'query',
      required: false,
      description: 'The `cursor` of the previous response; the other parameters must be the same.',
      schema: { type: 'string', minLength: 1 },
    },
  ];
}

/** A body that is a file of any type, or a form with a file, in which the parameters of the query may be fields. */
function fileBody({ fileExample: example }: RestRoute, schemas: ComponentSchemas): JsonSchema {
  const file = { type: 'string', format: 'binary', description: 'The file.' };
  const properties = { file };
  const title = 'FileForm';
  const form = schemas.titled({ title, type: 'object', properties, required: ['file'], additionalProperties: true });
  return {
    required: true,
    content: {
      'application/octet-stream': { schema: file, example },
      'multipart/form-data': { schema: form, example: { file: example } },
    },
  };
}

function bodyOf(
  { field, route }: RestEndpoint,
  inPath: ReadonlySet<string | undefined>,
  schemas: ComponentSchemas,
): JsonSchema {
  const inputOf = ({ name, type }: GraphQLArgument) => {
    const limits = route.limits?.[name];
    const schema = schemas.input(type, route.inQuery);
    return limits === undefined ? schema : schemas.titled({ ...schema, ...limits });
  };
  const whole = field.args.find(({ name }) => name === (route.message ?? route.body));
  const members = field.args.filter(({ name }) => !inPath.has(name));
  const required = members.filter(isRequiredArgument).map(({ name }) => name);
  const schema = whole
    ? inputOf(whole)
    : schemas.named(capitalized(field.name) + (route.operationId === undefined ? 'Input' : 'Variables'), {
        type: 'object',
        properties: Object.fromEntries(
          members.map((member) => [member.name, { ...inputOf(member), description: member.description }]),
        ),
        ...(required.length > 0 ? { required } : {}),
      });
  const example = route.example === undefined ? {} : { example: route.example };
  return { required: true, content: { 'application/json': { schema, ...example } } };
}

function contentOf(endpoint: RestEndpoint, paged: boolean, schemas: ComponentSchemas): JsonSchema {
  const { mediaType } = endpoint.route;
  if (mediaType === undefined) return { 'application/json': { schema: answerOf(endpoint, paged, schemas) } };
  return {
    [mediaType]: { schema: mediaType.endsWith('json') ? schemas.named('GeoJson', GEO_JSON) : { type: 'string' } },
  };
}

function answerOf({ field, route }: RestEndpoint, paged: boolean, schemas: ComponentSchemas): JsonSchema {
  // A record that is not found is 404, never null.
  if (route.root === undefined) return schemas.output(new GraphQLNonNull(getNullableType(field.type)));
  const list = paged ? nodesOf(field) : field.type;
  const properties = { [route.root]: { ...schemas.output(list), description: 'The objects, in their order.' } };
  return schemas.named(`${getNamedType(list).name}List`, {
    type: 'object',
    required: [route.root],
    properties: paged
      ? { ...properties, cursor: { type: 'string', description: 'Cursor of the next page; absent on the last page.' } }
      : properties,
  });
}
