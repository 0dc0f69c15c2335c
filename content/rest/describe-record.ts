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

/** A JSON Schema (draft 4), as the interface has them. */
export type RecordSchema = Readonly<Record<string, unknown>>;

/** The schema of a record, as OPTIONS shows it; undefined for what is no content record. */
export function describeRecord(type: GraphQLOutputType): RecordSchema | undefined {
  const record = getNamedType(type);
  if (!isObjectType(record) || typeof record.extensions.title !== 'string') return undefined;
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: record.extensions.title,
    type: 'object',
    properties: describeFields(record),
  };
}

function describeFields(record: GraphQLObjectType): RecordSchema {
  const properties: Record<string, unknown> = {};
  for (const field of Object.values(record.getFields())) {
    const content = contentOf(field);
    if (!content || content.unlisted) continue;
    properties[field.name] = {
      description: field.description,
      ...describeType(field.type),
      ...content.schema,
      ...(record.extensions.hasContexts === false ? {} : { context: content.in }),
      ...(content.readonly ? { readonly: true } : {}),
    };
  }
  return properties;
}

function describeType(given: GraphQLOutputType): RecordSchema {
  const type = getNullableType(given);
  if (isListType(type)) return { type: 'array', items: describeType(type.ofType) };
  if (isObjectType(type)) return { type: 'object', properties: describeFields(type) };
  if (type === GraphQLString) return { type: 'string' };
  if (type === GraphQLBoolean) return { type: 'boolean' };
  return { type: getNamedType(type).name === 'Integer' ? 'integer' : 'object' };
}
