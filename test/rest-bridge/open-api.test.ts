import { createConfig, lintFromString } from '@redocly/openapi-core';
import type { FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { parseDateTime } from '../../schema/date-time.ts';
import { accountRoutes } from '../../rest-bridge/account-routes.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { openHost } from '../hosts/open-host.ts';
import { testService } from '../services/database.ts';

let app: FastifyInstance;
let document: Record<string, Record<string, Record<string, Record<string, unknown>>>>;
beforeAll(async () => {
  app = await openHost([
    await accountEndpoint(testService, new URL('https://localhost:8443/api/v2'), new URL('https://localhost:8443')),
  ]);
  document = (await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } })).json();
});
afterAll(() => app.close());

test('the API says that it is version 2.1, in OpenAPI 3.1', () => {
  expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '2.1' } });
  expect(document.servers).toEqual([{ url: 'https://localhost:8443/api/v2' }]);
});

test('a public linter finds nothing to complain of', async () => {
  const config = await createConfig({ extends: ['recommended'], rules: { 'no-server-example.com': 'off' } });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('every row of the table is described, and nothing else', () => {
  const described = Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(Object.keys(accountRoutes).sort());
});

test('every operation has a name, a summary and a tag', () => {
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods));
  const names = operations.map(({ operationId }) => String(operationId));
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['listDevices', 'getDevice', 'updateDevice', 'exportTripAsGpx']));
  for (const { operationId, summary, tags } of operations) {
    expect([operationId, summary, tags]).toEqual([
      expect.stringMatching(/^[a-z]+[A-Za-z]*$/),
      expect.stringMatching(/^[A-Z][^\n]{3,149}$/),
      [expect.stringMatching(/^[a-z_]+$/)],
    ]);
  }
});

test('every parameter and every member of an input or a record is described', () => {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ of: `${method} ${path}`, operation })),
  );
  const undescribed = [
    ...operations.flatMap(({ of, operation: { parameters = [] } }) =>
      (parameters as readonly Described[]).filter(isUndescribed).map(({ name }) => `${of} ${name}`),
    ),
    ...Object.entries(document.components?.schemas ?? {}).flatMap(([of, { properties = {} }]) =>
      Object.entries(properties as Readonly<Record<string, Described>>)
        .filter(([, member]) => isUndescribed(member))
        .map(([name]) => `${of}.${name}`),
    ),
  ];
  expect(undescribed).toEqual([]);
});

interface Described {
  readonly name?: string;
  readonly description?: string;
  readonly $ref?: string;
}

const isUndescribed = ({ description = '', $ref }: Described) => description.length < 4 && $ref === undefined;

test('no two enums have a constant of one name, as clients in Go need', () => {
  const enums = Object.values(document.components?.schemas ?? {}).filter(({ enum: values }) => values !== undefined);
  const constants = enums.flatMap((schema) => schema['x-enum-varnames'] as string[]);
  expect(constants).toHaveLength(enums.flatMap((schema) => schema.enum as string[]).length);
  expect(constants).toEqual(expect.arrayContaining(['DeviceStatusPending', 'EventNameTripHardBrake']));
  expect(new Set(constants).size).toBe(constants.length);
});

test('every object has a name, as the record, the input or the list that it is', () => {
  const unnamed: string[] = [];
  const search = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null || place.endsWith('/example')) return;
    const isNamed = /^\/components\/schemas\/\w+$/.test(place);
    const isSchema = 'properties' in value || 'allOf' in value || ('type' in value && value.type === 'object');
    if (isSchema && !isNamed && !place.endsWith('/properties')) unnamed.push(place);
    for (const [name, below] of Object.entries(value)) search(below, `${place}/${name}`);
  };
  search(document, '');
  expect(unnamed).toEqual([]);
  const names = Object.keys(document.components?.schemas ?? {});
  for (const name of ['Device', 'DeviceList', 'VehicleInput', 'TagSummary', 'OwnTracksMessage', 'Errors']) {
    expect(names).toContain(name);
  }
});

const NONE_MATCH = expect.objectContaining({ name: 'If-None-Match', in: 'header', required: false });

test('what is optional, defaulted, repeated and required is described as the specification says', () => {
  const { paths } = document;
  expect(paths?.['/devices']?.get?.parameters).toEqual([
    expect.objectContaining({ name: 'q', in: 'query', required: false, schema: { type: 'string' } }),
    expect.objectContaining({ name: 'size', schema: { type: 'integer', minimum: 1, default: 50 } }),
    expect.objectContaining({ name: 'cursor', required: false, schema: { type: 'string', minLength: 1 } }),
    NONE_MATCH,
  ]);
  expect(paths?.['/subscriptions']?.get?.parameters).toContainEqual(
    expect.objectContaining({ name: 'size', schema: { type: 'integer', minimum: 1, default: 100 } }),
  );
  expect(paths?.['/groups']?.get?.parameters).toEqual([
    expect.objectContaining({
      name: 'group_keys',
      schema: { type: 'array', items: { type: 'string' } },
      explode: true,
    }),
    expect.objectContaining({ name: 'show_inactive', schema: { type: 'boolean', default: false } }),
    NONE_MATCH,
  ]);
  const { schemas } = document.components ?? {};
  expect(schemas?.CreateGroupInput).toMatchObject({
    required: ['name'],
    properties: { name: { minLength: 1, maxLength: 255 }, parent_group_key: { type: ['string', 'null'] } },
  });
  expect(schemas?.DeviceInput).toMatchObject({
    properties: { subscription_status: { $ref: '#/components/schemas/SubscriptionStatus' } },
  });
  expect(schemas?.SubscriptionStatus).toMatchObject({ type: 'string', enum: ['active', 'canceled'] });
  expect(paths?.['/device/{key}']?.post?.requestBody).toMatchObject({
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/DeviceInput' },
        example: { subscription_status: 'canceled' },
      },
    },
  });
  expect(paths?.['/device/{key}']?.get?.parameters).toEqual([
    expect.objectContaining({ name: 'key', in: 'path', required: true }),
    NONE_MATCH,
  ]);
  expect(paths?.['/subscriptions']?.get?.security).toEqual([{ apiKey: [] }, { oauth2: ['billing.read'] }]);
});

test('a trip as a file has its media type, is for API keys and drivers, and may be absent', () => {
  for (const [format, mediaType, schema] of [
    ['gpx', 'application/gpx+xml', { type: 'string' }],
    ['geojson', 'application/geo+json', { $ref: '#/components/schemas/GeoJson' }],
  ] as const) {
    const operation = document.paths?.[`/trip/{key}.${format}`]?.get;
    expect(operation?.responses).toMatchObject({ 200: { content: { [mediaType]: { schema } } }, 404: {} });
    expect(operation?.security).toEqual([{ apiKey: [] }, { oauth2: ['trippoints.read'] }]);
  }
});

test('the write-only field of a device is in the request and never in an answer', () => {
  const { schemas } = document.components ?? {};
  expect(schemas?.Device).not.toHaveProperty('properties.subscription_status');
  expect(schemas?.DeviceInput).toHaveProperty('properties.subscription_status');
});

test('date parameters are described as the service reads them', () => {
  const parameters = ['/trips', '/events', '/places/visits'].flatMap(
    (path) => document.paths?.[path]?.get?.parameters as { name: string; schema: { pattern?: string } }[],
  );
  const dates = parameters.filter(({ name }) => /(?:^|_)(?:after|before)$/.test(name));
  const patterns = new Set(dates.map(({ schema }) => schema.pattern ?? ''));
  expect([dates.length, patterns.size]).toEqual([6, 1]);
  const pattern = new RegExp([...patterns].join(''));
  for (const text of ['', 'soon', '2026-02-30', '2026-13-01', '2026-03-01T24:00', '2026-03-01 08:00', '2026-03-01T08'])
    expect([text, pattern.test(text)]).toEqual([text, false]);
  for (const text of ['2024-02-29', '2026-03-01T08:00Z', '2026-03-01T08:00:00.5-1400', '2026-12-31T23:59:59+05:30'])
    expect([text, pattern.test(text)]).toEqual([text, true]);
  const mayNotBe = (text: string) => text.startsWith('0000') || text.includes('-02-29');
  const written = fc.stringMatching(pattern).filter((text) => !mayNotBe(text));
  fc.assert(fc.property(written, (text) => parseDateTime(text) !== null));
});
