import { buildSchema, isRequiredArgument } from 'graphql';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { SCOPES } from '../../../auth/scopes/scope.ts';
import { removeAccount, restoreAccount } from '../../../resolvers/account/remove-account.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { sendBehind } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { makeWorld, OPERATIONS, send, type World } from '../../clients/example-requests.ts';
import { queryOfAllFields } from '../../fixtures/all-fields.ts';
import { appFor, user } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { at, ingestHost } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
});
afterAll(() => host.app.close());

interface FullWorld extends World {
  readonly account_key: string;
}

/** An account with a record of each kind, whose vehicle has a driver, a group, a tag, positions, visits and events. */
async function fullWorld(): Promise<FullWorld> {
  const world = await makeWorld(client);
  const { headers, keys, secret } = world;
  const { key: account_key } = (await client.get('/account', headers)).json();
  const change = async (path: string, body: object) => {
    const answer = await client.post(path, body, headers);
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.body}`);
    return answer.json();
  };
  const group_keys = [keys.group];
  await change(`/user/${keys.user}`, { group_keys });
  await change(`/vehicle/${keys.vehicle}`, { group_keys, driver_key: keys.user, odometer: 1200 });
  const { key: tag } = await change('/tags', { type: 'Car', value: 'Cold' });
  await change(`/tag/${tag}/apply`, { entity_keys: [keys.vehicle] });
  await change('/places', { name: 'Road', point: at(10).point, radius: 30 });
  const points = [at(0, 'engine_start'), at(10, 'trip_hard_brake'), at(20), at(30, 'engine_stop')];
  await client.post('/ingest', { points }, { authorization: `Bearer ${secret}` });
  await leasedWorkEnded(testService);
  const app = await appFor(await user(account_key), Object.keys(SCOPES));
  await client.post('/webhooks', { url: 'https://app.example/', events: ['trip_end'] }, app.headers);
  return { ...world, account_key };
}

const KINDS = ['vehicle', 'device', 'user', 'group'] as const;

async function remove({ headers, keys }: FullWorld, kind: (typeof KINDS)[number]): Promise<void> {
  expect((await client.delete(`/${kind}/${keys[kind]}`, headers)).statusCode).toBe(200);
}

async function restore({ headers, keys }: FullWorld, kind: (typeof KINDS)[number]): Promise<void> {
  const path = `/${kind}/${keys[kind]}`;
  const isGroup = kind === 'group';
  const answer = await client.post(isGroup ? path : `${path}/restore`, isGroup ? { active: true } : {}, headers);
  expect(answer.statusCode).toBe(200);
}

/** Logs, in which the deletion has its place: of changes, of security, of deliveries. */
const LOGS = ['changes', 'securityEvents'];
const PATHS_OF_LOGS = ['/changes', '/security_events', '/webhook/{webhook_key}/deliveries'];

const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'));
const LISTS = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(
  // `nearbyVehicles` requires its point by the one name or the other.
  ({ name, args }) => !args.some(isRequiredArgument) && ![...LOGS, 'nearbyVehicles'].includes(name),
);
const PATHS = OPERATIONS.filter(
  ({ path, method }) => method === 'get' && !PATHS_OF_LOGS.includes(path) && !path.startsWith('/ingest'),
);

/** Fields that tell of the deletion: when a record last changed, and cursors, which may lie before the event below. */
const TRACES = ['updated', 'edges', 'page_info'];

/** That the device has left its vehicle is an event. */
function withoutTraces(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((item) => item?.event !== 'device_vehicle_change').map((item) => withoutTraces(item));
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).filter(([name]) => !TRACES.includes(name));
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutTraces(field)]));
}

/** Everything that the owner of the account reads: each list of GraphQL with all fields, each path of REST. */
async function everything(world: FullWorld): Promise<Readonly<Record<string, unknown>>> {
  const read: Record<string, unknown> = {};
  for (const { name } of LISTS) read[name] = withoutTraces(await host.ask(queryOfAllFields(name), world.headers));
  for (const operation of PATHS) {
    const { statusCode, body, headers } = await send(world, operation);
    const isJson = String(headers['content-type']).includes('json') && body !== '';
    read[operation.path] = [statusCode, isJson ? withoutTraces(JSON.parse(body)) : body];
  }
  const nearest = await client.get('/vehicles/nearby?lat=53&long=8', world.headers);
  read.nearest = nearest.json();
  return read;
}

const order = fc
  .shuffledSubarray([...KINDS], { minLength: 1 })
  .chain((removed) => fc.tuple(fc.constant(removed), fc.shuffledSubarray(removed, { minLength: removed.length })));

test('what is deleted and restored is read as before, whatever the order', async () => {
  await fc.assert(
    fc.asyncProperty(order, fc.boolean(), async ([removed, restored], isWithAccount) => {
      const world = await fullWorld();
      const before = await everything(world);
      expect(before.nearest).toMatchObject({ vehicles: [{ key: world.keys.vehicle }] });
      for (const kind of removed) await remove(world, kind);
      if (isWithAccount) await removeAccount(testService, world.account_key);
      await numberChanges(testService);
      await sendBehind(testService, webhookEvents);
      if (isWithAccount) await restoreAccount(testService, world.account_key);
      for (const kind of restored) await restore(world, kind);
      expect(await everything(world)).toEqual(before);
    }),
    { numRuns: runSize(4, 60) },
  );
}, 300_000);
