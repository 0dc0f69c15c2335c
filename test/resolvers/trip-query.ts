import { type ExecutionResult, getNamedType, graphql, type GraphQLSchema, isObjectType } from 'graphql';
import { buildSchema } from 'type-graphql';

import { guard } from '../../auth/access.ts';
import type { Caller } from '../../auth/caller.ts';
import { PrivacyZoneResolver } from '../../resolvers/privacy-zone-resolver.ts';
import { TripResolver } from '../../resolvers/trip-resolver.ts';

const schema = buildSchema({ resolvers: [TripResolver, PrivacyZoneResolver], validate: false }).then(guard);

/** Asks the trips part of the schema as a caller; the outcome is plain JSON, as it leaves. */
export async function ask<Data>(
  caller: Caller,
  source: string,
  variableValues: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly data: Data; readonly codes: readonly unknown[]; readonly messages: readonly string[] }> {
  const result = await graphql({ schema: await schema, source, variableValues, contextValue: { caller } });
  const { data, errors = [] } = JSON.parse(JSON.stringify(result)) as ExecutionResult<Data>;
  return {
    data: data as Data,
    codes: errors.map(({ extensions }) => extensions?.code),
    messages: errors.map(({ message }) => message),
  };
}

/** The owner of an account. */
export function ownerOf(account_key: string): Caller {
  return { kind: 'owner', account_key, plan: 'premium' };
}

/** A trip map for a vehicle, with the given window. */
export function embedOf(account_key: string, vehicle_key: string, scope: { gte?: number; lt?: number } = {}): Caller {
  const issued = { client_id: 'app', grant_hash: 'grant' };
  return { kind: 'embed', account_key, ...issued, group_keys: null, vehicle_key, scope, trips_state: '' };
}

/** Selects every field of a type and of all below it, as far as arguments need not be given. */
export async function everyFieldOf(typeName: string): Promise<string> {
  return selectionOf(await schema, typeName);
}

function selectionOf(of: GraphQLSchema, typeName: string): string {
  const type = of.getType(typeName);
  if (!isObjectType(type)) throw new TypeError(`${typeName} is not an object type`);
  const fields = Object.values(type.getFields()).map((field) => {
    const below = getNamedType(field.type);
    return isObjectType(below) ? `${field.name} { ${selectionOf(of, below.name)} }` : field.name;
  });
  return fields.join(' ');
}
