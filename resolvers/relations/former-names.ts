import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLNonNull,
  type GraphQLSchema,
  GraphQLString,
  isInputObjectType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import { accessOf, authorize } from '../../auth/access.ts';
import type { RequestContext } from '../../auth/caller.ts';
import type { Deletion } from '../../schema/deletion.ts';
import { ServiceError } from '../../schema/service-error.ts';

type Args = Readonly<Record<string, unknown>>;
type Field = GraphQLField<Record<string, unknown>, RequestContext>;
type Resolve = NonNullable<Field['resolve']>;

/** Deprecated fields by their coordinates, each with the field of its type that replaces it. */
const FIELDS: Readonly<Record<string, string>> = {
  'AppCredentials.client_secret': 'secret',
  'IssuedApiKey.api_key': 'secret',
  'IssuedDeviceKey.device_key_secret': 'secret',
  'IssuedForwarderKey.forwarder_key_secret': 'secret',
  'PrivacyZone.radius_meters': 'radius',
  'SecurityEvent.time': 'timestamp',
  'Subscription.vehicle_moved': 'vehicleMoved',
  'TimedTripPath.bbox': 'bounding_box',
  'TripPath.bbox': 'bounding_box',
};

/** A deprecated mutation with another answer than the one that replaces it. */
interface FormerMutation {
  readonly use: string;
  /** Its answer; that of a query, which takes the key of the deleted record. */
  readonly answer: 'key' | 'true' | { readonly query: string };
  readonly names?: Readonly<Record<string, string>>;
}

/** Deprecated mutations. */
const MUTATIONS: Readonly<Record<string, FormerMutation>> = {
  deleteApp: { use: 'deregisterApp', answer: 'key' },
  deletePrivacyZone: { use: 'removePrivacyZone', answer: 'true' },
  requireAppPkce: { use: 'updateApp', answer: 'key', names: { required: 'input.requires_pkce' } },
  revokeApiKey: { use: 'deleteApiKey', answer: { query: 'apiKey' } },
  revokeAppGrant: { use: 'deleteAppGrant', answer: 'key' },
  revokeDeviceKey: { use: 'deleteDeviceKey', answer: 'true' },
  revokeForwarderKey: { use: 'deleteForwarderKey', answer: 'true' },
};

const CIRCLE = { lat: 'point.lat', lon: 'point.lon', radius_meters: 'radius' };

/** Deprecated members of inputs, each with the member, or the member of one, that replaces it. */
const INPUTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  PrivacyZoneChange: CIRCLE,
  PrivacyZoneInput: CIRCLE,
};

/** Names of arguments of queries in REST, which GraphQL has deprecated. */
const ARGUMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  nearbyVehicles: { lat: 'point.lat', long: 'point.lon', size: 'first' },
};

/** Adds the names that version 0.2 had to the schema of the gateway, deprecated, with the one that replaces each. */
export function addFormerNames(schema: GraphQLSchema): GraphQLSchema {
  for (const [place, use] of Object.entries(FIELDS)) {
    const [type = '', name = ''] = place.split('.');
    const fields = fieldsOf(schema.getType(type));
    fields[name] = formerField(named(fields, use), name);
  }
  const mutations = fieldsOf(schema.getMutationType());
  const queries = fieldsOf(schema.getQueryType());
  for (const [name, former] of Object.entries(MUTATIONS))
    mutations[name] = formerMutation(name, former, mutations, queries);
  for (const [name, names] of Object.entries(ARGUMENTS)) takeFormerNames(named(queries, name), names);
  for (const field of Object.values(mutations)) takeFormerMembers(field);
  for (const [name, names] of Object.entries(INPUTS)) {
    const input = schema.getType(name);
    if (!isInputObjectType(input)) throw new TypeError(`${name} is not an input`);
    const members = withFormerNames(Object.values(input.getFields()), names);
    Object.assign(input.getFields(), Object.fromEntries(members.map((member) => [member.name, member])));
  }
  return schema;
}

/** Names the arguments of queries as REST does. */
export function nameAsRest(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, names] of Object.entries(ARGUMENTS)) {
    const field = named(fieldsOf(schema.getQueryType()), name);
    const { resolve } = field;
    Object.assign(field, { args: inFormerNames(field.args, names) });
    field.resolve = (source, args, context, info) => resolve?.(source, current(args, names), context, info);
  }
  return schema;
}

function fieldsOf(type: unknown): Record<string, Field> {
  if (!isObjectType(type)) throw new TypeError(`${String(type)} is not a type with fields`);
  return type.getFields();
}

function named(fields: Record<string, Field>, name: string): Field {
  const { [name]: field } = fields;
  if (!field) throw new TypeError(`There is no field ${name}`);
  return field;
}

function deprecated(use: string) {
  return { deprecationReason: `Use \`${use}\`.`, astNode: undefined };
}

function formerField(field: Field, name: string): Field {
  const { resolve = defaultFieldResolver, subscribe } = field;
  const run =
    (of: Resolve): Resolve =>
    (source, args, context, info) => {
      if (accessOf(field)) authorize(context, field);
      return of(source, args, context, { ...info, fieldName: field.name });
    };
  return {
    ...field,
    ...deprecated(field.name),
    name,
    resolve: run(resolve),
    ...(subscribe && { subscribe: run(subscribe) }),
  };
}

function formerMutation(
  name: string,
  { use, answer, names = {} }: FormerMutation,
  mutations: Record<string, Field>,
  queries: Record<string, Field>,
): Field {
  const field = named(mutations, use);
  const query = typeof answer === 'object' ? named(queries, answer.query) : null;
  const type = query?.type ?? (answer === 'true' ? GraphQLBoolean : GraphQLString);
  const resolve: Resolve = async (source, given, context, info) => {
    authorize(context, field);
    const done = (await field.resolve?.(source, current(given, names), context, info)) as Partial<Deletion>;
    if (query === null) return answer === 'true' ? done.deleted : Object.values(given)[0];
    authorize(context, query);
    return query.resolve?.(source, given, context, info);
  };
  const args = inFormerNames(field.args, names);
  return { ...field, ...deprecated(use), name, type: new GraphQLNonNull(getNullableType(type)), args, resolve };
}

/** Lets a field take deprecated names of its arguments, too. */
function takeFormerNames(field: Field, names: Readonly<Record<string, string>>): void {
  const { args, resolve } = field;
  const required = requiredOf(args);
  Object.assign(field, { args: withFormerNames(args, names) });
  field.resolve = (source, given, context, info) =>
    resolve?.(source, whole(current(given, names), required), context, info);
}

/** Lets a field take deprecated names of members of its inputs, too. */
function takeFormerMembers(field: Field): void {
  const { args, resolve } = field;
  for (const { name, type } of args) {
    const input = getNamedType(type);
    const names = INPUTS[input.name];
    if (!names || !isInputObjectType(input)) continue;
    const required = requiredOf(Object.values(input.getFields()));
    field.resolve = (source, given, context, info) => {
      const value = whole(current(given[name] as Args, names), required);
      return resolve?.(source, { ...given, [name]: value }, context, info);
    };
  }
}

function requiredOf(values: readonly { readonly name: string; readonly type: GraphQLInputType }[]): readonly string[] {
  return values.filter(({ type }) => isNonNullType(type)).map(({ name }) => name);
}

/** @throws ServiceError BAD_REQUEST naming a required value that is given by neither name */
function whole(values: Args, required: readonly string[]): Args {
  const missing = required.find((name) => values[name] == null);
  if (missing !== undefined) throw new ServiceError('BAD_REQUEST', `${missing} is required`);
  return values;
}

/** Values by the names that replace those by which they were given. */
function current(given: Args, names: Readonly<Record<string, string>>): Args {
  const values: Record<string, unknown> = { ...given };
  for (const [former, path] of Object.entries(names)) {
    if (!(former in given)) continue;
    delete values[former];
    const [name = '', member] = path.split('.');
    values[name] =
      member === undefined ? given[former] : { ...(values[name] as Args | undefined), [member]: given[former] };
  }
  return values;
}

type Value = GraphQLArgument | GraphQLInputField;

/** Values, of which the replaced ones are optional, and their former names. */
function withFormerNames<Of extends Value>(values: readonly Of[], names: Readonly<Record<string, string>>): Of[] {
  const replacing = new Set(Object.values(names).map((path) => path.split('.')[0]));
  const optional = (value: Of): Of => ({ ...value, type: getNullableType(value.type), astNode: undefined });
  const former = inFormerNames(values, names).filter(({ name }) => Object.hasOwn(names, name));
  return [
    ...values.map((value) => (replacing.has(value.name) ? optional(value) : value)),
    ...former.map((value) => ({ ...optional(value), ...deprecated(names[value.name] ?? ''), defaultValue: undefined })),
  ];
}

/** Values by their former names. */
function inFormerNames<Of extends Value>(values: readonly Of[], names: Readonly<Record<string, string>>): Of[] {
  return values.flatMap((value) => {
    const former = Object.entries(names).filter(([, path]) => path.split('.')[0] === value.name);
    if (former.length === 0) return [value];
    return former.map(([name, path]) => {
      const input = getNamedType(value.type);
      const [, member = ''] = path.split('.');
      const replacing = (isInputObjectType(input) && input.getFields()[member]) || value;
      const { type, description, defaultValue } = replacing;
      return { ...value, name, type, description, defaultValue };
    });
  });
}
