import { buildSchema, print } from 'graphql';
import { expect, test } from 'vitest';

import { sofaOperations } from '../../rest-bridge/sofa-operations.ts';

const SCHEMA = buildSchema(`
  type Query { device(key: String!, fields: [String!] = []): Device!, hidden: String }
  type Mutation { rename(key: String!, input: Name!): Device! }
  input Name { name: String! }
  type Device { key: String!, name: String, secret: String, group: Group }
  type Group { key: String! }
`);
const secret = (SCHEMA.getType('Device') as import('graphql').GraphQLObjectType).getFields().secret;
Object.assign(secret ?? {}, { extensions: { graphqlOnly: true } });

/** The operation of a row. */
async function operationOf(row: string): Promise<string> {
  const table = { 'GET /device/{key}': { query: 'device' }, 'POST /device/{key}': { mutation: 'rename' } } as const;
  const operations = await sofaOperations(SCHEMA, table);
  expect([...operations.keys()]).toEqual(Object.keys(table));
  const document = operations.get(row);
  return document ? print(document) : '';
}

test('SOFA derives the operation of a query, with all readable fields', async () => {
  expect(await operationOf('GET /device/{key}')).toBe(
    `query device_query($key: String!, $fields: [String!] = []) {
  device(key: $key, fields: $fields) {
    key
    name
    group {
      key
    }
  }
}`,
  );
});

test('SOFA derives the operation of a mutation', async () => {
  expect(await operationOf('POST /device/{key}')).toMatch(
    /^mutation rename_mutation\(\$key: String!, \$input: Name!\) \{\n {2}rename\(key: \$key, input: \$input\)/,
  );
});

test('one field may answer several rows', async () => {
  const rows = { 'GET /one/{key}': { query: 'device' }, 'GET /two/{key}': { query: 'device' } } as const;
  const operations = await sofaOperations(SCHEMA, rows);
  expect([...operations.keys()]).toEqual(Object.keys(rows));
});

test('a row that names no field stops the start', async () => {
  const table = { 'GET /nothing': { query: 'nothing' } };
  await expect(sofaOperations(SCHEMA, table)).rejects.toThrow('"GET /nothing" names no field of the schema');
});
