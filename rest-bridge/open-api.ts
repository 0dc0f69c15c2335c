import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLField,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLNamedType,
  type GraphQLOutputType,
  GraphQLString,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import { formatOffsetDateTime } from '../schema/date-time.ts';

import { MAX_REST_PAGE } from './read-arguments.ts';
import { isPage, isPageArgument, type RestEndpoint } from './rest-bridge.ts';
import { takesBody } from './rest-table.ts';
import {
  errorResponsesOf,
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
  for (const endpoint of endpoints) {
    const operation = { [endpoint.method.toLowerCase()]: operationOf(endpoint, records) };
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

function operationOf(endpoint: RestEndpoint, records: Map<string, JsonSchema>): JsonSchema {
  const { field, method, path, route } = endpoint;
  const inBody = takesBody(method);
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  const paged = isPage(field, route);
  const parameters = field.args
    .filter(({ name }) => inPath.has(name) || (!inBody && !(paged && isPageArgument(name))))
    .map((argument) => parameterOf(argument, inPath.has(argument.name) ? 'path' : 'query'));
  if (paged) parameters.push(...pageParameters(field));
  const [summary, description] = (field.description ?? '').split('\n\n');
  return {
    operationId: field.name,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(endpoint)],
    security: securityOf(field.extensions.access as readonly string[]),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(inBody ? { requestBody: bodyOf(endpoint, inPath) } : {}),
    responses: {
      [route.status ?? 200]: {
        description: route.status === 201 ? 'Created.' : route.mediaType ? 'The file.' : 'Success.',
        content: contentOf(endpoint, paged, records),
      },
      ...errorResponsesOf({ takesBody: inBody, mayBeAbsent: inPath.size > 0 || route.namesObject === true }),
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

function pageParameters(field: GraphQLField<unknown, unknown>): JsonSchema[] {
  const fallback = field.args.find(({ name }) => name === 'first')?.defaultValue;
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
  const whole = field.args.find(({ name }) => name === route.body);
  const members = field.args.filter(({ name }) => !inPath.has(name));
  const required = members.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
  const schema = whole
    ? inputSchema(whole.type)
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
  if (route.root === undefined) return outputSchema(field.type, records);
  const list = paged ? nodesOf(field) : field.type;
  const properties = { [route.root]: outputSchema(list, records) };
  return {
    type: 'object',
    required: [route.root],
    properties: paged
      ? { ...properties, cursor: { type: 'string', description: 'Where to go on; absent on the last page.' } }
      : properties,
  };
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

/** A record: write-only fields are left out, and guarded ones may be absent. New properties may come at any time. */
function recordSchema(
  description: string | null | undefined,
  fields: readonly GraphQLField<unknown, unknown>[],
  records: Map<string, JsonSchema>,
): JsonSchema {
  const shown = fields.filter(({ extensions }) => extensions.writeOnly !== true);
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
    return {
      type: 'object',
      description: type.description,
      properties: Object.fromEntries(
        fields.map((field) => [field.name, { ...inputSchema(field.type), description: field.description }]),
      ),
    };
  }
  return scalarSchema(type);
}

function scalarSchema(type: GraphQLNamedType): JsonSchema {
  return SCALARS.get(type) ?? {};
}

const SCALARS = new Map<GraphQLNamedType, JsonSchema>([
  [GraphQLString, { type: 'string' }],
  [GraphQLBoolean, { type: 'boolean' }],
  [GraphQLInt, { type: 'integer', format: 'int32' }],
  [GraphQLFloat, { type: 'number' }],
]);
