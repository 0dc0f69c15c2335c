import { readFileSync } from 'node:fs';

import {
  buildSchema,
  execute,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import type { FastifyInstance } from 'fastify';
import { beforeAll, describe, expect, test } from 'vitest';

import { EXAMPLE_KEY } from '../../rest-bridge/rest-table.ts';
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
import { useDatabase } from '../services/database.ts';

useDatabase();

const DESCRIPTION: Description = JSON.parse(readFileSync('command/released/openapi.json', 'utf8'));
const SCHEMA = buildSchema(readFileSync('command/released/schema.graphql', 'utf8'));

let ask: (path: string, request?: object) => ReturnType<ReturnType<typeof httpsClient>>;
let world: FullWorld;
/** The `id` of the vehicle, and the key of the latest event. */
let found: { readonly id: string; readonly event: string };
beforeAll(async () => {
  const { app } = await ingestHost();
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const overHttps = httpsClient((await testCertificate()).ca, { keepAlive: true });
  ask = (path, request) => overHttps(`https://localhost:${port}${path}`, request);
  const inject = async ({ url, payload, ...request }: { url: string; payload?: string }) => {
    const { status: statusCode, headers, text: body } = await ask(url, { ...request, body: payload });
    return { statusCode, headers, body, json: () => JSON.parse(body) };
  };
  const client = await AccountClient.of({ inject } as unknown as FastifyInstance, DESCRIPTION);
  world = { ...(await fullWorld(await AccountClient.of(app))), client };
  const { data } = await graphql('{ vehicles { nodes { id } } events { nodes { key } } }');
  const { vehicles, events } = data as Record<string, { readonly nodes: readonly { id: string; key: string }[] }>;
  found = { id: vehicles?.nodes[0]?.id ?? '', event: events?.nodes[0]?.key ?? '' };
  return () => app.close();
});

async function graphql(query: string) {
  const headers = { ...world.headers, 'content-type': 'application/json' };
  return jsonOf(await ask('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) }));
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

  /** Selects a field, with the fields of its record that have no fields. */
  function withLeaves(field: GraphQLField<unknown, unknown>): string {
    const type = getNamedType(field.type);
    if (isLeafType(type)) return field.name;
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    const leaves = fields.filter((one) => isLeafType(getNamedType(one.type))).map(({ name }) => name);
    return `${field.name}${argumentsOf(field)} { ${['__typename', ...leaves].join(' ')} }`;
  }

  // The root fields together would cost more than a request may.
  const selections = [...waysToTypes()].flatMap(([type, way]) => {
    const fields = Object.values(type.getFields());
    const parts = way.length > 0 ? [fields] : fields.map((field) => [field]);
    return parts.map((part) => [`${type.name}: ${part.map(({ name }) => name).join(' ')}`, way, part] as const);
  });

  test.each(selections)('%s', async (_title, way, fields) => {
    const query = way.reduceRight(
      (below, field) => `${field.name}${argumentsOf(field)} { ... on ${getNamedType(field.type)} { ${below} } }`,
      fields.map(withLeaves).join(' '),
    );
    const { data, errors } = await graphql(`{ ${query} }`);
    expect([query, errors]).toEqual([query, undefined]);
    const promised = await execute({ schema: SCHEMA, document: parse(`{ ${query} }`), rootValue: data });
    // Values may be added to enumerations.
    const broken = promised.errors?.filter(({ message }) => !/^Enum "\w+" cannot represent/.test(message));
    expect(broken ?? []).toEqual([]);
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
