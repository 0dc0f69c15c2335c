import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLString,
  isListType,
  isObjectType,
} from 'graphql';
import { contentOf } from '../schema/content-field.ts';
import type { ParameterDefinition, ParameterTable } from '../schema/parameter.ts';
import type { ContentPath } from './content-paths.ts';
import { CONTENT_KINDS, type ContentKind } from '../schema/kinds/content-kinds.ts';

/** The links that the schema of an item's record names: what a caller may do with it. By the name of its GraphQL type. */
const SCHEMA_LINKS: Readonly<Record<string, (href: (path: string) => string) => readonly object[]>> =
  Object.fromEntries(CONTENT_KINDS.map((kind) => [kind.record.name, (href) => linksOf(kind, href)]));

const STATUS = { type: 'string', enum: ['publish', 'future'] };
const TERMS = { type: 'array', items: { type: 'integer' } };

function linksOf(kind: ContentKind, href: (path: string) => string): readonly object[] {
  const action = (name: string, what: string, properties: object) => ({
    rel: `https://api.w.org/action-${name}`,
    title: `The current user can ${what}.`,
    href: href(`/wp/v2/${kind.many}/{id}`),
    targetSchema: { type: 'object', properties },
  });
  return [
    ...(kind.isUploaded ? [] : [action('publish', 'publish this post', { status: STATUS })]),
    ...(kind.canBeSticky ? [action('sticky', 'sticky this post', { sticky: { type: 'boolean' } })] : []),
    action('assign-author', 'change the author on this post', { author: { type: 'integer' } }),
    ...kind.terms.flatMap(({ taxonomy, field }) =>
      ['assign', 'create'].map((verb) =>
        action(`${verb}-${field}`, `${verb} terms in the ${taxonomy} taxonomy`, { [field]: TERMS }),
      ),
    ),
  ];
}

/** A description or a JSON Schema (draft 4), as the interface has them. */
type Members = Readonly<Record<string, unknown>>;

/**
 * Describes a path: its methods, their parameters and, if it has no parameters itself, its address.
 *
 * @param api the root of the interface
 */
export function describeRoute({ pattern, namespace, endpoints }: ContentPath, api: string): Members {
  return {
    namespace,
    methods: endpoints.flatMap(({ methods }) => methods),
    endpoints: endpoints.map(({ methods, parameters }) => ({ methods, args: describeParameters(parameters) })),
    ...(pattern.includes('(?P<') ? {} : { _links: { self: api + pattern } }),
  };
}

/** Adds the schema of the record that a path is about, and the links that its schema names. */
export function describeFully(path: ContentPath, api: string): Members {
  const { _links, ...route } = describeRoute(path, api);
  const record = path.endpoints.find(({ record }) => record)?.record;
  const links = record && SCHEMA_LINKS[record.name]?.((below) => api + below);
  const schema = record && describeRecord(record);
  return {
    ...route,
    ...(schema ? { schema: links ? { ...schema, links } : schema } : {}),
    ...(_links === undefined ? {} : { _links }),
  };
}

function describeParameters(table: ParameterTable): unknown {
  const listed = Object.entries(table).filter(([, { unlisted }]) => !unlisted);
  const entries = listed.map(([name, definition]) => [name, describeParameter(definition)]);
  return entries.length > 0 ? Object.fromEntries(entries) : [];
}

/** Members that are undefined are not written as JSON. */
function describeParameter({
  required = false,
  description,
  type,
  items,
  ...definition
}: ParameterDefinition): Members {
  return { required, default: definition.default, enum: definition.enum, description, type, items };
}

/** The schema of a record, as OPTIONS shows it; undefined for what is no content record. */
function describeRecord(record: GraphQLObjectType): Members | undefined {
  if (typeof record.extensions.title !== 'string') return undefined;
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: record.extensions.title,
    type: 'object',
    properties: describeFields(record),
  };
}

function describeFields(record: GraphQLObjectType): Members {
  const properties: Record<string, unknown> = {};
  for (const field of Object.values(record.getFields())) {
    const content = contentOf(field);
    if (!content || content.unlisted) continue;
    properties[field.name] = {
      description: field.description,
      ...describeType(content.describedAs ?? field.type),
      ...content.schema,
      ...(record.extensions.hasContexts === false ? {} : { context: content.in }),
      ...(content.readonly ? { readonly: true } : {}),
    };
  }
  return properties;
}

function describeType(given: GraphQLOutputType): Members {
  const type = getNullableType(given);
  if (isListType(type)) return { type: 'array', items: describeType(type.ofType) };
  if (isObjectType(type)) return { type: 'object', properties: describeFields(type) };
  if (type === GraphQLString) return { type: 'string' };
  if (type === GraphQLBoolean) return { type: 'boolean' };
  return { type: getNamedType(type).name === 'Integer' ? 'integer' : 'object' };
}
