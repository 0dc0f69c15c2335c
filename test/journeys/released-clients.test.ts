import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

import {
  buildSchema,
  execute,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';

import { AccountStore } from '../../models/account/account.ts';
import { accountAccessScope } from '../../models/store/tenancy.ts';
import { updateBilling, updatePartner } from '../../resolvers/account/update-sales.ts';
import { EXAMPLE_KEY } from '../../rest-bridge/rest-table.ts';
import { leasedWorkEnded } from '../../tracking/recording/device-lease.ts';
import { AccountClient } from '../clients/account-client.ts';
import {
  type Description,
  type Described,
  operationsOf,
  type Parameter,
  resolved,
  send,
} from '../clients/example-requests.ts';
import { type FullWorld, fullWorld } from '../clients/full-world.ts';
import { httpsClient, jsonOf } from '../clients/https-client.ts';
import { ingestHost } from '../hosts/ingest-host.ts';
import { testCertificate } from '../hosts/test-host.ts';
import { circle, pointAt } from '../resolvers/places/visit-world.ts';
import { testService, useDatabase } from '../services/database.ts';

useDatabase();

const DESCRIPTION: Description = JSON.parse(readFileSync('command/released/openapi.json', 'utf8'));
const SCHEMA = buildSchema(readFileSync('command/released/schema.graphql', 'utf8'));

let ask: (path: string, request?: object) => ReturnType<ReturnType<typeof httpsClient>>;
let world: FullWorld;
/** Another one, which is changed. */
let changed: FullWorld;
/** The `id` of the vehicle, and the key of the latest event. */
let found: { readonly id: string; readonly event: string };
beforeAll(async () => {
  const host = await ingestHost();
  const { app } = host;
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const overHttps = httpsClient((await testCertificate()).ca, { keepAlive: true });
  ask = (path, request) => overHttps(`https://localhost:${port}${path}`, request);
  const inject = async ({ url, payload, ...request }: { url: string; payload?: string }) => {
    const { status: statusCode, headers, text: body } = await ask(url, { ...request, body: payload });
    return { statusCode, headers, body, json: () => JSON.parse(body) };
  };
  const client = await AccountClient.of({ inject } as unknown as FastifyInstance, DESCRIPTION);
  const described = await AccountClient.of(app);
  changed = await fullWorld(described);
  world = { ...(await fullWorld(described)), client };
  await addFacts(host);
  const { data } = await graphql('{ vehicles { nodes { id } } events { nodes { key } } }');
  const { vehicles, events } = data as Record<string, { readonly nodes: readonly { id: string; key: string }[] }>;
  found = { id: vehicles?.nodes[0]?.id ?? '', event: events?.nodes[0]?.key ?? '' };
  return () => app.close();
});

/** Adds what records have rarely: payment, a partner, retention, a driver, a trip with a stop and a gap between two places. */
async function addFacts(host: Awaited<ReturnType<typeof ingestHost>>): Promise<void> {
  const { account_key, headers, keys, secret } = world;
  await updateBilling(testService, account_key, { billing_method: 'card' });
  await updatePartner(testService, account_key, { partner_key: 'dealer', tier_key: 'gold', tier_name: 'Gold' });
  const retention = { positions_days: 3650, trips: 'keep_facts', pending: null } as const;
  await AccountStore.updateOne(accountAccessScope(testService, account_key), {}, { retention });
  await circle(host, headers, -26);
  await circle(host, headers);
  const standing = Array.from({ length: 20 }, (_, at) => pointAt(1060 + at * 30, -20));
  const points = [pointAt(1000, -26, 'engine_start'), pointAt(1030, -23), ...standing, pointAt(1660, -17)];
  await host.post(secret, { points: [...points, pointAt(1900, -3), pointAt(1930, 0, 'engine_stop')] });
  await leasedWorkEnded(testService);
  const { trips } = await host.ask('{ trips(last: 1) { nodes { key } } }', headers);
  const [{ key: trip }] = (trips as { readonly nodes: readonly [{ readonly key: string }] }).nodes;
  await host.ask(`mutation { updateTrip(key: "${trip}", input: { user_key: "${keys.user}" }) { key } }`, headers);
  world = { ...world, keys: { ...keys, trip } };
}

async function graphql(query: string, variables: object = {}, { headers }: Pick<FullWorld, 'headers'> = world) {
  const body = JSON.stringify({ query, variables });
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  return jsonOf(await ask('/graphql', sent));
}

/** Names what in an answer is not as the schema of the last release promises. */
async function brokenPromises(query: string, rootValue: unknown, variableValues = {}): Promise<readonly string[]> {
  const promised = await execute({ schema: SCHEMA, document: parse(query), rootValue, variableValues });
  // Values may be added to enumerations.
  const broken = promised.errors?.filter(({ message }) => !/^Enum "\w+" cannot represent/.test(message));
  return broken?.map(({ message }) => message) ?? [];
}

/** Selects the fields of a record that have no fields. */
function leavesOf(field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  if (isLeafType(type)) return '';
  const leaves = Object.values(isObjectType(type) ? type.getFields() : {}).filter((one) =>
    isLeafType(getNamedType(one.type)),
  );
  return `{ ${['__typename', ...leaves.map(({ name }) => name)].join(' ')} }`;
}

describe('a client of the last release selects by GraphQL, and receives what its schema promises:', () => {
  const keys: Readonly<Record<string, string>> = { deviceKeys: 'device', tripPoints: 'trip' };

  /** The arguments that a field requires, with records of the world. */
  function argumentsOf({ name, args }: GraphQLField<unknown, unknown>): string {
    const values: Readonly<Record<string, unknown>> = { lat: 53, long: 8, id: found.id };
    const required = args.filter(isRequiredArgument).filter(({ defaultValue }) => defaultValue === undefined);
    const given = required.map((one) => {
      const value = values[one.name] ?? { ...world.keys, event: found.event }[keys[name] ?? name];
      return `${one.name}: ${JSON.stringify(value)}`;
    });
    return given.length > 0 ? `(${given.join()})` : '';
  }

  /** Each type that Query leads to, with a shortest way there. */
  function waysToTypes(): Map<GraphQLObjectType, readonly GraphQLField<unknown, unknown>[]> {
    const query = SCHEMA.getQueryType();
    if (!query) throw new Error('There is no Query');
    const ways = new Map<GraphQLObjectType, readonly GraphQLField<unknown, unknown>[]>([[query, []]]);
    // A map visits what is added meanwhile.
    for (const [type, way] of ways) {
      for (const field of Object.values(type.getFields())) {
        const named = getNamedType(field.type);
        if (isObjectType(named) && !ways.has(named)) ways.set(named, [...way, field]);
      }
    }
    return ways;
  }

  /** The records to which fields lead. */
  const recordsAt = (data: unknown, way: readonly GraphQLField<unknown, unknown>[]) =>
    way.reduce<unknown[]>((found, { name }) => found.flatMap((one) => Object(one)[name] ?? []), [data]);

  // The root fields together would cost more than a request may.
  const selections = [...waysToTypes()].flatMap(([type, way]) => {
    const fields = Object.values(type.getFields());
    const parts = way.length > 0 ? [fields] : fields.map((field) => [field]);
    return parts.map((part) => [`${type.name}: ${part.map(({ name }) => name).join(' ')}`, way, part] as const);
  });

  test.each(selections)('%s', async (_title, way, fields) => {
    const query = way.reduceRight(
      (below, field) => `${field.name}${argumentsOf(field)} { ... on ${getNamedType(field.type)} { ${below} } }`,
      fields.map((field) => `${field.name}${argumentsOf(field)} ${leavesOf(field)}`).join(' '),
    );
    const { data, errors } = await graphql(`{ ${query} }`);
    expect([query, errors]).toEqual([query, undefined]);
    expect(await brokenPromises(`{ ${query} }`, data)).toEqual([]);
    expect(recordsAt(data, way)).not.toEqual([]);
  });
});

describe('a client of the last release changes by GraphQL, and receives what its schema promises:', () => {
  const numberOf = ({ name }: GraphQLField<unknown, unknown>) =>
    /^(delete|revoke|deactivate)/.test(name) ? 1 : Number(/^restore/.test(name)) * 2;
  const mutations = Object.values(SCHEMA.getMutationType()?.getFields() ?? {});

  /** Values of members by name, where not every value of the type is valid. */
  const VALUES: Readonly<Record<string, unknown>> = {
    color: '#ff8800',
    from_time: '08:00',
    preferred_locale: 'de-DE',
    redirect_uris: ['https://app.example/'],
    time_zone: 'Europe/Berlin',
    to_time: '18:00',
    vin: 'WVWZZZ1JZXW000001',
    year: 2024,
  };
  /** Members that cannot be combined with others. */
  const OMITTED = ['polygon', 'parent_group_key'];
  /** Kinds of the records that members name, if they are not named after them. */
  const KINDS: Readonly<Record<string, string>> = {
    ...{ client_id: 'app', driver_key: 'user', entity_keys: 'trip', member_keys: 'vehicle', tags: 'tag' },
  };

  /** A valid value of an argument, or of a member of one. */
  function argumentValue(
    { name, type }: { readonly name: string; readonly type: GraphQLInputType },
    field: string,
  ): unknown {
    if (name === 'email') return `${randomUUID()}@bakery.example`;
    if (name in VALUES) return VALUES[name];
    const nullable = getNullableType(type);
    if (isListType(nullable)) return [argumentValue({ name, type: nullable.ofType }, field)];
    if (isInputObjectType(nullable)) {
      const members = Object.values(nullable.getFields()).filter((member) => !OMITTED.includes(member.name));
      return Object.fromEntries(members.map((member) => [member.name, argumentValue(member, field)]));
    }
    if (isEnumType(nullable)) return nullable.getValues()[0]?.name;
    if (nullable.name !== 'String') return nullable.name === 'Boolean' || 5;
    const ofField = field
      .replace(/^[a-z]+/, '')
      .replaceAll(/(?<!^)[A-Z]/g, '_$&')
      .toLowerCase();
    const kind = name === 'key' ? ofField : (KINDS[name] ?? name.replace(/_keys?$/, ''));
    return changed.keys[kind] ?? randomUUID();
  }

  const inOrder = mutations.toSorted((a, b) => numberOf(a) - numberOf(b)).map((field) => [field.name, field] as const);

  test.each(inOrder)('%s', async (name, field) => {
    const args = field.args.filter((one) => !OMITTED.includes(one.name));
    const variables = Object.fromEntries(args.map((one) => [one.name, argumentValue(one, name)]));
    const declared = args.map((one) => `$${one.name}: ${one.type}`).join();
    const given = args.map((one) => `${one.name}: $${one.name}`).join();
    const mutation = args.length > 0 ? `(${declared}) { ${name}(${given})` : `{ ${name}`;
    const query = `mutation ${mutation} ${leavesOf(field)} }`;
    const { data, errors } = await graphql(query, variables, changed);
    expect([query, variables, errors]).toEqual([query, variables, undefined]);
    expect(await brokenPromises(query, data, variables)).toEqual([]);
  });
});

describe('a client of the last release is answered as its OpenAPI document describes:', () => {
  const operations = operationsOf(DESCRIPTION);
  const nameOf = ({ method, path }: Described) => `${method.toUpperCase()} ${path}`;

  const optional = operations.flatMap((described) =>
    (described.operation.parameters ?? [])
      .filter(({ name, in: place, required }) => place === 'query' && !required && name !== 'cursor')
      .map((parameter) => [`${nameOf(described)} ${parameter.name}`, described, parameter] as const),
  );

  /** An operation with the value of a parameter. */
  function withValue({ operation, ...described }: Described, name: string, example: unknown): Described {
    const parameters = (operation.parameters ?? []).map((one) => (one.name === name ? { ...one, example } : one));
    return { ...described, operation: { ...operation, parameters } };
  }

  function sampleOf({ name, schema, example }: Parameter): unknown {
    const { enum: words, examples, items } = resolved(schema, DESCRIPTION);
    if (/_keys?$/.test(name)) return EXAMPLE_KEY;
    return example ?? items?.enum?.join() ?? words?.[0] ?? examples?.[0] ?? '1';
  }

  test.each(optional)('%s', async (_title, described, parameter) => {
    const { statusCode, body } = await send(world, withValue(described, parameter.name, sampleOf(parameter)));
    expect([statusCode, body]).toEqual([200, body]);
    const { cursor } = parameter.name === 'size' ? JSON.parse(body) : {};
    if (cursor) expect((await send(world, withValue(described, 'cursor', cursor))).statusCode).toBe(200);
  });

  test.each(operations.map((described) => [nameOf(described), described] as const))('%s', async (_title, described) => {
    const { statusCode, body } = await send(world, described);
    expect([String(statusCode), body]).toEqual([Object.keys(described.operation.responses)[0], body]);
  });
});
