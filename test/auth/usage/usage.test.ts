import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { issueApiKey } from '../../../auth/api-keys.ts';
import { usedNames, usersOf } from '../../../auth/usage/read-usage.ts';
import { usageOf } from '../../../auth/usage/usage-counter.ts';
import { UsedNames } from '../../../auth/usage/used-names.ts';
import { UsageStore } from '../../../models/usage/usage.ts';
import { apiHost } from '../../hosts/api-host.ts';
import { account, appFor, user, vehicle } from '../../services/account-fixture.ts';
import { testService, useDatabase } from '../../services/database.ts';

useDatabase();
let host: FastifyInstance;
beforeAll(async () => {
  host = await apiHost();
});
afterAll(() => host.close());

const EVER = new Date(0);
let owner: { key: string; secret: string; account_key: string };
beforeEach(async () => {
  await usageOf(testService).write();
  await UsageStore.deleteMany(testService);
  const { key: account_key } = await account();
  owner = { ...(await issueApiKey(testService, account_key)), account_key };
});

type Headers = Readonly<Record<string, string>>;

async function send(body: object, headers: Headers = {}) {
  const all = { 'service-api-key': owner.secret, 'user-agent': 'planner/2.1 (linux)', ...headers };
  return host.inject({ method: 'POST', url: '/graphql', payload: body, headers: all });
}

async function used(): Promise<Record<string, number>> {
  await usageOf(testService).write();
  return Object.fromEntries((await usedNames(testService, EVER)).map(({ name, count }) => [name, count]));
}

test('fields, arguments, members of inputs and values of enums are counted, written in the document or sent as variables', async () => {
  const query = `{
    vehicles(first: 2) { nodes { key odometer } }
    again: vehicles(first: 2) { nodes { ...Names } }
  }
  fragment Names on Vehicle { nickname }`;
  await send({ query });
  await send({ query });
  const change = 'mutation ($input: TagInput!) { createTag(input: $input) { key } }';
  expect((await send({ query: change, variables: { input: { value: 'Red', type: 'Trip' } } })).json().errors).toBe(
    undefined,
  );
  expect(await used()).toMatchObject({
    'Query.vehicles': 2,
    'Query.vehicles(first:)': 2,
    'Vehicle.odometer': 2,
    'Vehicle.nickname': 2,
    'Mutation.createTag(input:)': 1,
    'TagInput.value': 1,
    'TagInput.type': 1,
    'TagType.Trip': 1,
  });
  expect(await used()).not.toHaveProperty('Query.account');
});

test('REST paths are counted with the parameters of their query and the members of their body', async () => {
  const headers = { 'service-api-key': owner.secret };
  await host.inject({ url: '/api/v2/vehicles?size=1&unknown=2', headers });
  const payload = { value: 'Blue', type: 'vehicle' };
  await host.inject({ method: 'POST', url: '/api/v2/tags', payload, headers });
  await host.inject({ url: '/api/v2/vehicles', headers: { 'service-api-key': 'wrong' } });
  expect(await used()).toEqual({
    'GET /vehicles': 1,
    'GET /vehicles(size:)': 1,
    'POST /tags': 1,
    'POST /tags(type:)': 1,
    'POST /tags(value:)': 1,
  });
});

test('each key and each client that names itself is told apart, with the day of its last request', async () => {
  const other = await issueApiKey(testService, owner.account_key);
  const query = '{ account { key } }';
  await send({ query });
  await send({ query }, { 'apollographql-client-name': 'Dispatch app' });
  await send({ query }, { 'service-api-key': other.secret });
  await send({ query }, { 'service-api-key': other.secret });
  await usageOf(testService).write();
  const today = new Date().toISOString().slice(0, 10);
  const of = { account_key: owner.account_key, last_day: today };
  const users = await usersOf(testService, 'Account.key', EVER);
  expect(users).toHaveLength(3);
  expect(users).toEqual(
    expect.arrayContaining([
      { ...of, caller: `key ${owner.key}`, client: 'planner', count: 1 },
      { ...of, caller: `key ${owner.key}`, client: 'Dispatch app', count: 1 },
      { ...of, caller: `key ${other.key}`, client: 'planner', count: 2 },
    ]),
  );
});

test('what is written twice is added, and what could not be written is written the next time', async () => {
  const query = '{ account { key } }';
  await send({ query });
  expect(await used()).toMatchObject({ 'Account.key': 1 });
  await send({ query });
  const collection = UsageStore.driver(testService);
  const write = collection.bulkWrite;
  collection.bulkWrite = async () => Promise.reject(new Error('The disk is full'));
  await expect(usageOf(testService).write()).rejects.toThrow('The disk is full');
  collection.bulkWrite = write;
  await send({ query });
  expect(await used()).toMatchObject({ 'Account.key': 3 });
});

test('a client that invents more and more combinations is counted by name and not by combination', async () => {
  const usage = usageOf(testService);
  const caller = { kind: 'owner', account_key: owner.account_key, plan: 'premium' } as const;
  for (let at = 0; at < 250; at++)
    usage.count(caller, `client ${at}`, new UsedNames(['Query.account', `Name.${at % 3}`]));
  await usage.write();
  expect(await UsageStore.countDocuments(testService)).toBe(101);
  expect(await used()).toMatchObject({ 'Query.account': 250 });
});

test('an owner of an app sees its latest requests, and nobody else does', async () => {
  const vehicle_key = await vehicle(owner.account_key);
  const { client_id, headers } = await appFor(await user(owner.account_key), ['vehicles.read']);
  const query = 'query Fleet { vehicles(first: 2) { nodes { key } } }';
  await host.inject({ method: 'POST', url: '/graphql', payload: { query, operationName: 'Fleet' }, headers });
  await host.inject({ url: `/api/v2/vehicle/${vehicle_key}?expand=devices`, headers });
  await host.inject({ method: 'DELETE', url: `/api/v2/vehicle/${vehicle_key}`, headers });
  await usageOf(testService).write();
  const asked = `{ apps { nodes { client_id recent_requests(first: 2) { request_id method path operation status cost duration } } } }`;
  const shown = (await send({ query: asked })).json().data.apps.nodes;
  expect(shown).toEqual([
    {
      client_id,
      recent_requests: [
        expect.objectContaining({ method: 'DELETE', status: 403, cost: 0, operation: null }),
        expect.objectContaining({ method: 'GET', path: `/api/v2/vehicle/${vehicle_key}`, status: 200 }),
      ],
    },
  ]);
  const all = (await send({ query: asked.replace('first: 2', 'first: 10') })).json().data.apps.nodes[0].recent_requests;
  expect(all).toHaveLength(3);
  expect(all[2]).toMatchObject({ operation: 'Fleet', path: '/graphql', method: 'POST' });
  expect(all[2].cost).toBeGreaterThan(0);
});
