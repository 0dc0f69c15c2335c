import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { breakingRestChanges } from '../../command/rest-changes.js';
import { accountDescription } from '../../server/endpoints/account-endpoint.ts';

const RELEASED = join(import.meta.dirname, '../../command/released');
const read = async (file: string) => JSON.parse(await readFile(join(RELEASED, file), 'utf8'));

/** A document with an operation, and a record that contains itself. */
const BEFORE = {
  paths: {
    '/vans': {
      post: {
        parameters: [
          { name: 'wait', in: 'query', schema: { type: 'integer' } },
          { name: 'order', in: 'query', schema: { type: 'string', enum: ['name', 'age'] } },
        ],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/VanInput' } } } },
        responses: { '201': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Van' } } } } },
      },
    },
  },
  components: {
    schemas: {
      VanInput: { type: 'object', properties: { name: { type: 'string' }, seats: { type: 'integer' } } },
      Van: {
        type: 'object',
        required: ['key', 'tow'],
        properties: {
          key: { type: 'string' },
          tow: { anyOf: [{ $ref: '#/components/schemas/Van' }, { type: 'null' }] },
          tags: { type: 'array', items: { type: 'object', properties: { value: { type: 'string' } } } },
        },
      },
    },
  },
};

test.each([
  ['"/vans"', '"/cars"', ['POST /vans was removed.']],
  ['"name":"wait"', '"name":"prefer"', ['POST /vans: the query parameter wait was removed.']],
  ['"name":"wait"', '"required":true,"name":"wait"', ['POST /vans: the query parameter wait is required.']],
  ['{"type":"integer"}}', '{"type":"boolean"}}', ['POST /vans: the query parameter wait may not be integer any more.']],
  ['["name","age"]', '["name"]', ['POST /vans: the query parameter order may not be "age" any more.']],
  ['"requestBody":{', '"requestBody":{"required":true,', ['POST /vans: a body is required.']],
  ['"seats":', '"windows":', ['POST /vans: the body has no seats any more.']],
  ['{"seats"', '{"seats"', []],
  ['"VanInput":{', '"VanInput":{"required":["name"],', ['POST /vans: name of the body is required.']],
  ['"201"', '"200"', ['POST /vans: the status 201 was removed.']],
  ['"value":', '"text":', ['POST /vans: an element of tags of the response has no value any more.']],
  ['["key","tow"]', '["tow"]', ['POST /vans: key of the response may be absent.']],
  ['"key":{"type":"string"}', '"key":{"type":["string","null"]}', ['POST /vans: key of the response may be null.']],
  ['"key":{"type":"string"}', '"key":{"type":"string"},"new":{"type":"string"}', []],
  ['["name","age"]', '["name","age","size"]', []],
  ['{"type":"integer"}}', '{"type":"number"}}', []],
])('a change of REST breaks clients, or not: %s to %s', (old, now, changes) => {
  const text = JSON.stringify(BEFORE);
  expect(breakingRestChanges(BEFORE, JSON.parse(text.replace(old, now)))).toEqual(changes);
});

test('REST breaks no client of the last release, but for what is accepted', async () => {
  const addresses = { baseUrl: 'https://localhost/api/v2', authUrl: 'https://localhost' };
  const now = JSON.parse(JSON.stringify(await accountDescription(addresses)));
  const accepted = await read('accepted.json');
  const changes = breakingRestChanges(await read('openapi.json'), now);
  expect(changes.filter((change) => !Object.hasOwn(accepted, change))).toEqual([]);
});
