import { isDeepStrictEqual } from 'node:util';

import {
  GraphQLBoolean,
  type GraphQLField,
  GraphQLFloat,
  GraphQLID,
  type GraphQLInputField,
  type GraphQLInputObjectType,
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

import { DateTime, SpacedDateTime } from '../schema/date-time-scalars.ts';

import { selectionOf, shownFields } from './sofa-operations.ts';

/** A JSON Schema (draft 2020-12), as in OpenAPI 3.1. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Relations that rows add to records, by record name: each with its returned fields, `{ key name }`. */
export type Relations = ReadonlyMap<string, Readonly<Record<string, string>>>;

/**
 * The named schemas of a description, each created on first reference. Records, inputs and enums have the names of
 * their GraphQL types; the part of a record in relations is its `…Summary`.
 */
export class ComponentSchemas {
  readonly #schemas = new Map<string, JsonSchema>();

  constructor(private readonly relations: Relations) {}

  /** The schemas by name. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries(this.#schemas);
  }

  /**
   * Names a schema, and refers to it.
   * @throws TypeError if another schema has the same name
   */
  named(name: string, schema: JsonSchema): JsonSchema {
    const known = this.#schemas.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new TypeError(`Two schemas are named ${name}`);
    this.#schemas.set(name, schema);
    return schemaReference(name);
  }

  /** Names a schema that has a `title`, and each within it. */
  titled(schema: JsonSchema): JsonSchema {
    const { title, ...keywords } = mapValues(schema, (value) => (isObject(value) ? this.titled(value) : value));
    if (typeof title === 'string') return this.named(title, keywords);
    return title === undefined ? keywords : { title, ...keywords };
  }

  /** The schema of an answer. */
  output(type: GraphQLOutputType): JsonSchema {
    return isNonNullType(type) ? this.#definiteOutput(type.ofType) : orNull(this.#definiteOutput(type));
  }

  /**
   * The schema of an argument in JSON, which may be null unless it is required.
   * @param omitted members of an object that are sent elsewhere
   */
  input(type: GraphQLInputType, omitted: readonly string[] = []): JsonSchema {
    return isNonNullType(type) ? this.definiteInput(type, omitted) : orNull(this.definiteInput(type, omitted));
  }

  /** The schema of an argument that is not null. */
  definiteInput(type: GraphQLInputType, omitted: readonly string[] = []): JsonSchema {
    if (isNonNullType(type)) return this.definiteInput(type.ofType, omitted);
    if (isListType(type)) return { type: 'array', items: this.input(type.ofType) };
    if (type.name === DateTime.name) return DATE_TIME_TEXT;
    return isInputObjectType(type) ? this.#inputObject(type, omitted) : this.#scalar(type);
  }

  #definiteOutput(type: GraphQLOutputType): JsonSchema {
    if (isListType(type)) return { type: 'array', items: this.output(type.ofType) };
    return isObjectType(type) ? this.#record(type) : this.#scalar(type as GraphQLNamedType);
  }

  /** A record. Fields of GraphQL alone are omitted; guarded ones and relations may be absent. */
  #record(type: GraphQLObjectType): JsonSchema {
    const { name, description } = type;
    if (!this.#schemas.has(name)) {
      this.#schemas.set(name, {});
      const fields = shownFields(type);
      const required = fields
        .filter(({ extensions: { access, mayBeAbsent } }) => access === undefined && !mayBeAbsent)
        .map((field) => field.name);
      const properties = {
        ...propertiesOf(fields, (field) => this.output(field.type)),
        ...this.#relationsOf(type),
      };
      this.#schemas.set(name, { type: 'object', description, required, properties });
    }
    return schemaReference(name);
  }

  #relationsOf(type: GraphQLObjectType): Record<string, JsonSchema> {
    const relations = Object.entries(this.relations.get(type.name) ?? {});
    if (relations.length === 0) return {};
    const selection = selectionOf(`{ ${relations.map((relation) => relation.join(' ')).join(' ')} }`);
    return mapValues(this.#selected(type, selection), ({ description, ...schema }) => ({
      ...schema,
      description: `${description} Included if \`expand\` names it.`,
    }));
  }

  #selected(type: GraphQLObjectType, { selections }: SelectionSetNode): Record<string, JsonSchema> {
    const below = new Map<string, SelectionSetNode | undefined>();
    for (const one of selections) if (one.kind === Kind.FIELD) below.set(one.name.value, one.selectionSet);
    const fields = Object.values(type.getFields()).filter(({ name }) => below.has(name));
    return propertiesOf(fields, (field) => {
      const record = getNamedType(field.type);
      const selection = below.get(field.name);
      if (!selection || !isObjectType(record)) return this.output(field.type);
      const schema = this.#part(record, selection, type);
      if (isListType(getNullableType(field.type))) return { type: 'array', items: schema };
      return isNonNullType(field.type) ? schema : orNull(schema);
    });
  }

  /**
   * The part of a record that a selection answers; the record if that is all of it. A second part of the same type is named
   * after the record that it is a relation of.
   */
  #part(type: GraphQLObjectType, selection: SelectionSetNode, of: GraphQLObjectType): JsonSchema {
    const properties = this.#selected(type, selection);
    if (shownFields(type).every(({ name }) => Object.hasOwn(properties, name))) return this.#record(type);
    const { description } = type;
    const part = { type: 'object', description, required: Object.keys(properties), properties };
    const name = `${type.name}Summary`;
    const known = this.#schemas.get(name);
    return this.named(known && !isDeepStrictEqual(known, part) ? of.name + type.name : name, part);
  }

  #inputObject(type: GraphQLInputObjectType, omitted: readonly string[]): JsonSchema {
    const { name, description } = type;
    const fields = Object.values(type.getFields()).filter((field) => !omitted.includes(field.name));
    const required = fields.filter(isRequiredInputField).map((field) => field.name);
    const schema = {
      type: 'object',
      description,
      ...(required.length > 0 ? { required } : {}),
      properties: propertiesOf(fields, (field) =>
        field.extensions.notNull === true ? this.definiteInput(field.type) : this.input(field.type),
      ),
    };
    const known = this.#schemas.get(name);
    // Documents have the inputs of GraphQL, which take deprecated names, too.
    return this.named(known && !isDeepStrictEqual(known, schema) ? `Document${name}` : name, schema);
  }

  #scalar(type: GraphQLNamedType): JsonSchema {
    if (!isEnumType(type)) return SCALARS.get(type.name) ?? {};
    const { name, description } = type;
    const values = type.getValues().map((value) => value.name);
    const constants = values.map((value) => constantNameOf(name, value));
    return this.named(name, { type: 'string', enum: values, 'x-enum-varnames': constants, description });
  }
}

/** Names the constant of an enum's value, such as `DeviceStatusPending`: generators for Go keep all constants in one package. */
function constantNameOf(type: string, value: string): string {
  return type + value.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Refers to a named schema. */
export function schemaReference(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function propertiesOf<Field extends GraphQLField<unknown, unknown> | GraphQLInputField>(
  fields: readonly Field[],
  schemaOf: (field: Field) => JsonSchema,
): Record<string, JsonSchema> {
  return Object.fromEntries(
    fields.map((field) => {
      const { name, description, deprecationReason } = field;
      return [name, { ...schemaOf(field), description, ...(deprecationReason && { deprecated: true }) }];
    }),
  );
}

function orNull(schema: JsonSchema): JsonSchema {
  if (Object.keys(schema).length === 0) return schema;
  return typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function mapValues<From, To>(values: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

const DAY = '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|[12]\\d))';
const TIME = 'T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?';
const OFFSET = '(?:Z|[+-](?:0\\d|1[0-3])(?::?[0-5]\\d)?|[+-]14(?::?00)?)';

/** A date-time as `parseDateTime` reads it; a pattern cannot express leap years. */
const DATE_TIME_TEXT: JsonSchema = {
  type: 'string',
  pattern: `^\\d{4}-${DAY}(?:${TIME}${OFFSET}?)?$`,
  examples: ['2026-03-01T08:00:00+01:00', '2026-03-01'],
};

const SCALARS = new Map<string, JsonSchema>([
  [GraphQLString.name, { type: 'string' }],
  [GraphQLID.name, { type: 'string' }],
  [GraphQLBoolean.name, { type: 'boolean' }],
  [GraphQLInt.name, { type: 'integer', format: 'int32' }],
  [GraphQLFloat.name, { type: 'number' }],
  [DateTime.name, { type: 'string', format: 'date-time', examples: ['2026-03-01T12:00:00+00:00'] }],
  [
    SpacedDateTime.name,
    { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$', examples: ['2026-03-01 12:00:00'] },
  ],
]);
