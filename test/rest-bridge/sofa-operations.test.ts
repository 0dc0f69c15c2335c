import { buildSchema, execute, print } from 'graphql';
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
Object.assign(secret ?? {}, { extensions: { writeOnly: true } });

/** The operation of a row as it is executed. */
async function operationOf(row: string): Promise<string> {
  const table = { 'GET /device/{key}': { query: 'device' }, 'POST /device/{key}': { mutation: 'rename' } } as const;
  let text = '';
  const operations = await sofaOperations(SCHEMA, table, (operation) => {
    text = print(operation.document);
    return { data: {} };
  });
  expect([...operations.keys()]).toEqual(Object.keys(table));
  expect(text).toBe('');
  await operations.get(row)?.({}, {});
  return text;
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

test('one field may answer several rows, each by its own arguments', async () => {
  const rows = { 'GET /one/{key}': { query: 'device' }, 'GET /two/{key}': { query: 'device' } } as const;
  const executed: unknown[] = [];
  const operations = await sofaOperations(SCHEMA, rows, ({ variableValues, contextValue }) => {
    executed.push([variableValues, contextValue]);
    return { data: {} };
  });
  await operations.get('GET /one/{key}')?.({ key: '1' }, 'a');
  await operations.get('GET /two/{key}')?.({ key: '2' }, 'b');
  expect(executed).toEqual([
    [{ key: '1' }, 'a'],
    [{ key: '2' }, 'b'],
  ]);
});

test('a row that names no field stops the start', async () => {
  const table = { 'GET /nothing': { query: 'nothing' } };
  await expect(sofaOperations(SCHEMA, table, execute)).rejects.toThrow('"GET /nothing" names no field of the schema');
});
