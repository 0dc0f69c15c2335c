import { buildSchema, isRequiredArgument } from 'graphql';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { removeAccount, restoreAccount } from '../../../resolvers/account/remove-account.ts';
import { numberChanges } from '../../../notifying/changes/number-changes.ts';
import { sendBehind } from '../../../notifying/webhooks/webhook-dispatch.ts';
import { webhookEvents } from '../../../resolvers/webhooks/webhook-events.ts';
import { AccountClient } from '../../clients/account-client.ts';
import { OPERATIONS, send } from '../../clients/example-requests.ts';
import { type FullWorld, fullWorld } from '../../clients/full-world.ts';
import { queryOfAllFields } from '../../fixtures/all-fields.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { ingestHost } from '../../hosts/ingest-host.ts';
import { runSize } from '../../services/run-size.ts';

useDatabase();

let host: Awaited<ReturnType<typeof ingestHost>>;
let client: AccountClient;
beforeAll(async () => {
  host = await ingestHost();
  client = await AccountClient.of(host.app);
});
afterAll(() => host.app.close());

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
      const world = await fullWorld(client);
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
