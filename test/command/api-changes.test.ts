import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { type ApiDocument, breakingApiChanges } from '../../command/api-changes.ts';
import { accountDescription } from '../../server/endpoints/account-endpoint.ts';

const RELEASED = join(import.meta.dirname, '../../command/released');
const URLS = { baseUrl: 'https://localhost:8443/api/v2', authUrl: 'https://localhost:8443' };

const describeApi = async () => (await accountDescription(URLS)) as unknown as ApiDocument;
const read = async (name: string) => JSON.parse(await readFile(join(RELEASED, name), 'utf8'));

test('REST does not break clients of the last release, but by accepted changes; `npm run release` writes its description', async () => {
  const now = await describeApi();
  if (process.env.WRITE_RELEASED) await writeFile(join(RELEASED, 'openapi.json'), `${JSON.stringify(now)}\n`);
  const [before, accepted] = [await read('openapi.json'), await read('accepted.json')];
  expect(breakingApiChanges(before, now).filter((change) => !Object.hasOwn(accepted, change))).toEqual([]);
});

test('a member is missed wherever its record is returned', async () => {
  const now = await describeApi();
  const without = JSON.parse(JSON.stringify(now), (name, value) => {
    if (name !== 'Vehicle') return value;
    const { plate_number: _, ...properties } = value.properties;
    return { ...value, properties, required: Object.keys(properties) };
  });
  const changes = breakingApiChanges(now, without);
  expect(changes).toContain('GET /vehicles response.vehicles[]: plate_number was removed.');
  expect(changes.every((change) => change.endsWith(': plate_number was removed.'))).toBe(true);
});

const text = { type: 'string' };
const operation = (schema: object, fields: object = {}) => ({
  ...fields,
  responses: { 200: { content: { 'application/json': { schema } } } },
});
const parameter = (schema: object, required = false) => ({
  parameters: [{ name: 'q', in: 'query', required, schema }],
});
const body = (schema: object) => ({ requestBody: { content: { 'application/json': { schema } } } });
const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required });

test.each<[string, object, object | undefined, string[]]>([
  ['a path that is gone', operation(text), undefined, ['GET /a was removed.']],
  ['a new member', operation(object({ a: text }, 'a')), operation(object({ a: text, b: text }, 'a')), []],
  ['a member that is gone', operation(object({ a: text })), operation(object({})), ['GET /a response: a was removed.']],
  [
    'a member that may be absent',
    operation(object({ a: text }, 'a')),
    operation(object({ a: text })),
    ['GET /a response: a may be absent.'],
  ],
  [
    'a member that may be null',
    operation(object({ a: text })),
    operation(object({ a: { type: ['string', 'null'] } })),
    ['GET /a response.a: may be null.'],
  ],
  ['a narrower number', operation({ type: 'number' }), operation({ type: 'integer' }), []],
  [
    'a parameter that is gone',
    operation(text, parameter(text)),
    operation(text),
    ['GET /a: the parameter query q was removed.'],
  ],
  ['a new parameter', operation(text), operation(text, parameter(text)), []],
  [
    'a required parameter',
    operation(text, parameter(text)),
    operation(text, parameter(text, true)),
    ['GET /a: the parameter query q became required.'],
  ],
  [
    'a parameter with fewer words',
    operation(text, parameter({ type: 'string', enum: ['x', 'y'] })),
    operation(text, parameter({ type: 'string', enum: ['x'] })),
    ['GET /a query q: y is no longer accepted.'],
  ],
  [
    'a body with a required member',
    operation(text, body(object({ a: text }))),
    operation(text, body(object({ a: text }, 'a'))),
    ['GET /a body: a became required.'],
  ],
  [
    'a body that takes no null',
    operation(text, body({ anyOf: [text, { type: 'null' }] })),
    operation(text, body(text)),
    ['GET /a body: null is no longer accepted.'],
  ],
  [
    'another status',
    operation(text),
    { responses: { 201: {} } },
    ['GET /a: the status 200 was removed.', 'GET /a: the response as application/json was removed.'],
  ],
])('%s is classified', (_, before, now, changes) => {
  const documentOf = (get: object | undefined) => ({ paths: { '/a': get && { get } } }) as unknown as ApiDocument;
  expect(breakingApiChanges(documentOf(before), documentOf(now))).toEqual(changes);
});
