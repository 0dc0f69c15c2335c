import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  Kind,
  type SelectionSetNode,
} from 'graphql';

import { formatOffsetDateTime } from '../schema/date-time.ts';

import { MAX_REST_PAGE } from './read-arguments.ts';
import { isPage, isPageArgument, type RestEndpoint } from './rest-bridge.ts';
import { isRead, type RestRoute, takesBody } from './rest-table.ts';
import { selectionOf } from './sofa-operations.ts';
import {
  errorResponsesOf,
  NOT_MODIFIED,
  type JsonSchema,
  type OpenApiInfo,
  RESPONSES,
  securityOf,
  securitySchemes,
} from './open-api-responses.ts';

/** Describes the endpoints of a bridge: an OpenAPI 3.1 document, made from the schema and the table alone. */
export function openApi(info: OpenApiInfo, endpoints: readonly RestEndpoint[]): JsonSchema {
  const { title, version, description } = info;
  const records = new Map<string, JsonSchema>();
  const paths: Record<string, Record<string, unknown>> = {};
  const read = new Set(endpoints.filter(isRead).map(({ path }) => path));
  for (const endpoint of endpoints) {
    const headers = headersOf(endpoint, read.has(endpoint.path));
    const operation = { [endpoint.method.toLowerCase()]: operationOf(endpoint, headers, records) };
    paths[endpoint.path] = { ...paths[endpoint.path], ...operation };
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: info.server }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({ name, description: `Endpoints of ${name}.` })),
    paths,
    components: {
      schemas: Object.fromEntries(records),
      responses: RESPONSES,
      securitySchemes: securitySchemes(info),
    },
  };
}

/** The conditional headers that an operation takes. */
interface TakenHeaders {
  readonly isRead: boolean;
  readonly isOnce: boolean;
  readonly isConditional: boolean;
}

/** @param isShown true where GET of the same path shows what the endpoint changes */
function headersOf(endpoint: RestEndpoint, isShown: boolean): TakenHeaders {
  const { method, field, route } = endpoint;
  const isChange = method !== 'GET' && !(field.extensions.access as readonly string[]).includes('ingest');
  const isRecord = isShown && route.status !== 201;
  return { isRead: isRead(endpoint), isOnce: isChange && method === 'POST', isConditional: isChange && isRecord };
}

function headerParameters({ isRead: reads, isOnce, isConditional }: TakenHeaders): JsonSchema[] {
  const parameter = (name: string, description: string) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  });
  return [
    ...(reads ? [parameter('If-None-Match', 'The `ETag` of an answer that the client has; 304 if it holds.')] : []),
    ...(isOnce
      ? [
          parameter(
            'Idempotency-Key',
            'Names the request: whoever sends it again within 24 hours gets the first answer.',
          ),
        ]
      : []),
    ...(isConditional
      ? [parameter('If-Match', 'The `ETag` of the record as the client knows it; 412 if it is another.')]
      : []),
  ];
}

function operationOf(endpoint: RestEndpoint, headers: TakenHeaders, records: Map<string, JsonSchema>): JsonSchema {
  const { field, method, path, route } = endpoint;
  const inBody = takesBody(method);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const paged = isPage(field, route);
  const isInQuery = (name: string) =>
    inBody
      ? route.inQuery?.includes(name)
      : !(paged && isPageArgument(name)) && !Object.hasOwn(route.fixed ?? {}, name);
  const parameters = (route.message === undefined ? field.args : [])
    .filter(({ name }) => inPath.has(name) || isInQuery(name))
    .map((argument) => {
      const name = route.named?.[argument.name] ?? argument.name;
      return parameterOf({ ...argument, name }, inPath.has(argument.name) ? 'path' : 'query');
    });
  if (paged) parameters.push(...pageParameters(field, route));
  if (route.expand) parameters.push(expandParameter(route.expand, route.expandsAll === true));
  for (const [name, text] of Object.entries(route.parameters ?? {})) parameters.push(textParameter(name, text));
  if (route.mediaType === undefined) parameters.push(...headerParameters(headers));
  const [summary, description] = (field.description ?? '').split('\n\n');
  return {
    operationId: method === 'GET' && !headers.isRead ? `${field.name}ByAddress` : field.name,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(endpoint)],
    security: securityOf(field.extensions.access as readonly string[], route.deviceKey),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(inBody ? { requestBody: bodyOf(endpoint, inPath) } : {}),
    responses: {
      [route.status ?? 200]: {
        description: route.status === 201 ? 'Created.' : route.mediaType ? 'The file.' : 'Success.',
        content: contentOf(endpoint, paged, records),
      },
      ...(headers.isRead && route.mediaType === undefined ? { 304: NOT_MODIFIED } : {}),
      ...errorResponsesOf({
        takesBody: inBody,
        mayBeAbsent: inPath.size > 0 || route.namesObject === true,
        ...headers,
      }),
    },
  };
}

function tagOf({ path }: RestEndpoint): string {
  const [first = ''] = path.slice(1).split('/');
  return first.endsWith('s') ? first.slice(0, -1) : first;
}

function parameterOf(argument: GraphQLArgument, place: 'path' | 'query'): JsonSchema {
  const schema = inputSchema(argument.type);
  const isList = schema.type === 'array';
  return {
    name: argument.name,
    in: place,
    required: place === 'path' || isNonNullType(argument.type),
    description: argument.description,
    schema: argument.defaultValue === undefined ? schema : { ...schema, default: argument.defaultValue },
    ...(isList ? { style: 'form', explode: true } : {}),
    ...(place === 'path' ? { example: 'q3Zs0oGk0Vw1YyPZxJmX4A' } : {}),
  };
}

function textParameter(name: string, description: string): JsonSchema {
  return { name, in: 'query', required: false, description, schema: { type: 'string' } };
}

function expandParameter(expand: Readonly<Record<string, string>>, isAllByDefault: boolean): JsonSchema {
  return {
    name: 'expand',
    in: 'query',
    required: false,
    description: `Relations to answer with each record, repeated or separated by commas; ${isAllByDefault ? 'all' : 'none'} unless given.`,
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
      description: 'The `cursor` of the answer before, with the same other parameters.',
      schema: { type: 'string' },
    },
  ];
}

function bodyOf({ field, route }: RestEndpoint, inPath: ReadonlySet<string | undefined>): JsonSchema {
  const whole = field.args.find(({ name }) => name === (route.message ?? route.body));
  const members = field.args.filter(({ name }) => !inPath.has(name) && !route.inQuery?.includes(name));
  const required = members.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
  const schema = whole
    ? { ...inputSchema(whole.type), ...route.limits?.[whole.name] }
    : {
        type: 'object',
        properties: Object.fromEntries(
          members.map(({ name, type, description }) => [
            name,
            { ...inputSchema(type), ...route.limits?.[name], description },
          ]),
        ),
        ...(required.length > 0 ? { required } : {}),
      };
  const example = route.example === undefined ? {} : { example: route.example };
  return { required: true, content: { 'application/json': { schema, ...example } } };
}

function contentOf(endpoint: RestEndpoint, paged: boolean, records: Map<string, JsonSchema>): JsonSchema {
  const { mediaType } = endpoint.route;
  if (mediaType === undefined) return { 'application/json': { schema: answerOf(endpoint, paged, records) } };
  return { [mediaType]: { schema: { type: mediaType.endsWith('json') ? 'object' : 'string' } } };
}

function answerOf({ field, route }: RestEndpoint, paged: boolean, records: Map<string, JsonSchema>): JsonSchema {
  if (route.root === undefined) return expandedSchema(field.type, route, records);
  const list = paged ? nodesOf(field) : field.type;
  const properties = { [route.root]: expandedSchema(list, route, records) };
  return {
    type: 'object',
    required: [route.root],
    properties: paged
      ? { ...properties, cursor: { type: 'string', description: 'Where to go on; absent on the last page.' } }
      : properties,
  };
}

/** The schema of a record, or of a list of records, with the relations that a row may add to each. */
function expandedSchema(
  type: GraphQLOutputType,
  { expand = {} }: RestRoute,
  records: Map<string, JsonSchema>,
): JsonSchema {
  const schema = outputSchema(type, records);
  const record = getNamedType(type);
  if (!isObjectType(record) || Object.keys(expand).length === 0) return schema;
  const relations = Object.entries(expand).map(([name, selection]) => `${name} ${selection}`);
  const added = selectedProperties(record, selectionOf(`{ ${relations.join(' ')} }`), records);
  const whole = { allOf: [{ $ref: `#/components/schemas/${record.name}` }, { type: 'object', properties: added }] };
  return schema.type === 'array' ? { ...schema, items: whole } : whole;
}

function selectedProperties(
  type: GraphQLObjectType,
  { selections }: SelectionSetNode,
  records: Map<string, JsonSchema>,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    selections.flatMap((selection) => {
      const field = selection.kind === Kind.FIELD ? type.getFields()[selection.name.value] : undefined;
      if (selection.kind !== Kind.FIELD || !field) return [];
      const below = getNamedType(field.type);
      const { description } = field;
      if (!selection.selectionSet || !isObjectType(below)) {
        return [[field.name, { ...outputSchema(field.type, records), description }]];
      }
      const isList = isListType(getNullableType(field.type));
      const mayBeNull = !isList && !isNonNullType(field.type);
      const properties = selectedProperties(below, selection.selectionSet, records);
      const object = { type: mayBeNull ? ['object', 'null'] : 'object', properties };
      return [[field.name, isList ? { type: 'array', items: object, description } : { ...object, description }]];
    }),
  );
}

function nodesOf(field: GraphQLField<unknown, unknown>): GraphQLOutputType {
  const type = isNonNullType(field.type) ? field.type.ofType : field.type;
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined;
  if (!nodes) throw new TypeError(`${field.name} is no connection`);
  return nodes.type;
}

function outputSchema(type: GraphQLOutputType, records: Map<string, JsonSchema>): JsonSchema {
  if (isNonNullType(type)) return definiteSchema(type.ofType, records);
  const schema = definiteSchema(type, records);
  return typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

function definiteSchema(type: GraphQLOutputType, records: Map<string, JsonSchema>): JsonSchema {
  if (isListType(type)) return { type: 'array', items: outputSchema(type.ofType, records) };
  if (isObjectType(type)) {
    if (!records.has(type.name)) {
      records.set(type.name, {});
      records.set(type.name, recordSchema(type.description, Object.values(type.getFields()), records));
    }
    return { $ref: `#/components/schemas/${type.name}` };
  }
  return scalarSchema(type as GraphQLNamedType);
}

/** A record: fields of GraphQL alone are left out, and guarded ones may be absent. New properties may come at any time. */
function recordSchema(
  description: string | null | undefined,
  fields: readonly GraphQLField<unknown, unknown>[],
  records: Map<string, JsonSchema>,
): JsonSchema {
  const shown = fields.filter(({ extensions }) => extensions.graphqlOnly !== true);
  return {
    type: 'object',
    description,
    required: shown.filter(({ extensions }) => extensions.access === undefined).map(({ name }) => name),
    properties: Object.fromEntries(
      shown.map((field) => [
        field.name,
        { ...outputSchema(field.type, records), ...timestampFormat(field), description: field.description },
      ]),
    ),
  };
}

function timestampFormat({ extensions }: GraphQLField<unknown, unknown>): JsonSchema {
  if (extensions.timestamp === undefined) return {};
  return extensions.timestamp === formatOffsetDateTime
    ? { format: 'date-time', examples: ['2026-03-01T12:00:00+00:00'] }
    : { pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', examples: ['2026-03-01 12:00:00'] };
}

function inputSchema(type: GraphQLInputType): JsonSchema {
  if (isNonNullType(type)) return inputSchema(type.ofType);
  if (isListType(type)) return { type: 'array', items: inputSchema(type.ofType) };
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const required = fields.filter(isRequiredInputField).map(({ name }) => name);
    return {
      type: 'object',
      description: type.description,
      properties: Object.fromEntries(
        fields.map((field) => [field.name, { ...inputSchema(field.type), description: field.description }]),
      ),
      ...(required.length > 0 ? { required } : {}),
    };
  }
  return scalarSchema(type);
}

function scalarSchema(type: GraphQLNamedType): JsonSchema {
  if (isEnumType(type)) {
    return { type: 'string', enum: type.getValues().map(({ name }) => name), description: type.description };
  }
  return SCALARS.get(type) ?? {};
}

const SCALARS = new Map<GraphQLNamedType, JsonSchema>([
  [GraphQLString, { type: 'string' }],
  [GraphQLBoolean, { type: 'boolean' }],
  [GraphQLInt, { type: 'integer', format: 'int32' }],
  [GraphQLFloat, { type: 'number' }],
]);
