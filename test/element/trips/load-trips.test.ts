import { readFileSync } from 'node:fs';

import { buildSchema, parse, specifiedRules, validate } from 'graphql';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { ApiError, AuthError } from '../../../element/trips/load-failure.ts';
import { loadTrips, type TripsRequest } from '../../../element/trips/load-trips.ts';
import { TIMED_TRIPS_QUERY, TRIPS_QUERY } from '../../../schema/trips/trips-query.ts';
import { withDateTimeVariables } from '../../../graphql/endpoint/former-variables.ts';
import { limitsRule } from '../../../graphql/endpoint/graphql-limits.ts';
import {
  type FakeTripsService,
  pageOf,
  rejection,
  startFakeTripsService,
  wireTrip,
} from '../../browser/fake-trips-service.ts';

const TOKEN = 'a.b.c';

let service: FakeTripsService;
let request: TripsRequest;
const signal = new AbortController().signal;

beforeAll(async () => {
  service = await startFakeTripsService();
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('location', new URL('http://localhost/map'));
});
afterAll(() => service.close());
beforeEach(() => {
  service.calls.length = 0;
  request = {
    serviceUrl: service.url,
    vehicleKey: 'v',
    tripKey: null,
    startedAfter: null,
    startedBefore: null,
    timed: false,
  };
});

test.each([
  ['plain', TRIPS_QUERY],
  ['timed', TIMED_TRIPS_QUERY],
])('the %s operation is one that the service understands', (_, query) => {
  const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
  const document = withDateTimeVariables(schema, parse(query));
  expect(validate(schema, document, [...specifiedRules, limitsRule])).toEqual([]);
});

test('pages are followed to the last, with the token as bearer', async () => {
  const pages = [
    pageOf([wireTrip('a', [[1, 2]])], 'k2'),
    pageOf([wireTrip('b', [[1, 2]])], 'k3'),
    pageOf([wireTrip('c', [[1, 2]])]),
  ];
  service.respond = () => pages.shift() ?? pageOf([]);
  const trips = await loadTrips({ ...request, startedAfter: '2026-11-03T08:00+02' }, TOKEN, signal);
  expect(trips.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  expect(service.calls.map(({ variables }) => variables.after)).toEqual([undefined, 'k2', 'k3']);
  expect(service.calls[0]).toMatchObject({
    authorization: 'Bearer a.b.c',
    variables: { vehicle_key: 'v', started_after: '2026-11-03T08:00+02', tolerance_meters: 1 },
  });
});

test.each([
  ['to the metre that its encoding keeps', false, 1],
  ['whole, where each position has its time', true, 0],
])('of the first page the line comes %s, of later ones simpler', async (_, timed, tolerance) => {
  const pages = [pageOf([wireTrip('a', [[1, 2]])], 'k2'), pageOf([])];
  service.respond = () => pages.shift() ?? pageOf([]);
  await loadTrips({ ...request, timed }, TOKEN, signal);
  expect(service.calls.map(({ variables }) => variables.tolerance_meters)).toEqual([tolerance, 5]);
});

test('one trip is asked for without times', async () => {
  service.respond = () => pageOf([]);
  await loadTrips({ ...request, tripKey: 't' }, TOKEN, signal);
  expect(service.calls[0]?.variables).toMatchObject({ vehicle_key: 'v', trip_key: 't' });
  expect(Object.keys(service.calls[0]?.variables ?? {})).not.toContain('started_after');
});

test.each([
  ['401', rejection(401, 'UNAUTHENTICATED', 'Token expired'), 'Token expired'],
  ['403', rejection(403, 'FORBIDDEN', 'Narrower'), 'Narrower'],
  ['401 without a word', { status: 401, body: null }, 'The service rejected the token'],
  ['the code in a 200', rejection(200, 'UNAUTHENTICATED', 'Token expired'), 'Token expired'],
])('%s is an authentication error', async (_, answer, message) => {
  service.respond = () => answer;
  const failure = await loadTrips(request, TOKEN, signal).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AuthError);
  expect(failure).toHaveProperty('message', message);
});

test.each([
  ['404', rejection(404, 'NOT_FOUND', 'No such trip'), 'No such trip'],
  ['500', { status: 500, body: null }, 'The service answered with status 500'],
  ['an error in a 200', rejection(200, 'BAD_REQUEST', 'Bad'), 'Bad'],
  ['no list', { body: { data: {} } }, 'not a list of trips'],
  ['null', { body: null }, 'not a list of trips'],
  ['a list without page_info', { body: { data: { trips: { nodes: [] } } } }, 'not a list of trips'],
  ['a broken line', pageOf([{ ...wireTrip('t', []), path: { precision: 5, points: '_' } }]), 'an invalid trip'],
  ['the same page again and again', pageOf([], 'same'), 'same page of trips twice'],
])('%s is an API error', async (_, answer, message) => {
  service.respond = () => answer;
  const failure = await loadTrips(request, TOKEN, signal).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(String(failure)).toContain(message);
});

test('a service out of reach is an API error', async () => {
  const closed = await startFakeTripsService();
  await closed.close();
  await expect(loadTrips({ ...request, serviceUrl: closed.url }, TOKEN, signal)).rejects.toBeInstanceOf(ApiError);
});
