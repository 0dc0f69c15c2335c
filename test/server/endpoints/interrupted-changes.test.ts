import { randomUUID } from 'node:crypto';

import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { IdempotentAnswerStore } from '../../../models/account/idempotent-answer.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';
import { hasTransactions } from '../../../models/store/transaction.ts';
import { WebhookStore } from '../../../models/webhooks/webhook.ts';
import { accountRoutes } from '../../../rest-bridge/account-routes.ts';
import { AccountClient } from '../../clients/account-client.ts';
import {
  type Described,
  exampleOf,
  makeWorld,
  OPERATIONS,
  openApp,
  send,
  type World,
} from '../../clients/example-requests.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { runSize } from '../../services/run-size.ts';
import { allStores } from '../../../models/store/plain-store.ts';

useDatabase();

/** Of the commands of a request, a kill comes after one in so many. */
const ONE_IN = runSize(6, 1);

/** The driver's methods that send a command. */
const COMMANDS = [
  ...['insertOne', 'insertMany', 'updateOne', 'updateMany', 'bulkWrite', 'findOneAndUpdate', 'findOneAndDelete'],
  ...['deleteOne', 'deleteMany', 'find', 'findOne', 'aggregate', 'countDocuments', 'distinct'],
] as const;

const CHANGES = OPERATIONS.filter(
  ({ method, path, operation }) =>
    method === 'post' &&
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key') &&
    operation.security.some((schemes) => 'apiKey' in schemes) &&
    !path.endsWith('/test'),
);

const nameOf = ({ method, path }: Described) => `${method.toUpperCase()} ${path}`;
const isRepeatable = (described: Described) => accountRoutes[nameOf(described)]?.repeatable === true;

let world: World;
beforeAll(async () => {
  const app = await openApp();
  app.log.level = 'silent';
  world = await makeWorld(await AccountClient.of(app));
  return () => app.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface SentCommand {
  readonly collection: string;
  readonly method: string;
  readonly isInSession: boolean;
}

/** Lists the commands of this process from now on; after so many of them, as if it were killed, none is sent. */
function listCommands(max = Infinity): readonly SentCommand[] {
  const sent: SentCommand[] = [];
  for (const store of allStores()) {
    const driver = store.driver(testService) as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of COMMANDS) {
      const real = driver[name]?.bind(driver);
      vi.spyOn(driver, name).mockImplementation((...args) => {
        if (sent.length >= max) throw new Error('killed');
        const isInSession = args.some((arg) => Boolean((arg as { readonly session?: unknown } | null)?.session));
        sent.push({ collection: store.collection, method: name, isInSession });
        return real?.(...args);
      });
    }
  }
  return sent;
}

/** Numbers of documents in collections, by their names. */
async function counts(names: ReadonlySet<string>): Promise<Map<string, number>> {
  const all = [...names].map(
    async (name) => [name, await testService.connection.collection(name).countDocuments()] as const,
  );
  return new Map(await Promise.all(all));
}

/** The difference that a request makes to the numbers of documents in the collections to which it sends commands. */
async function addedBy(names: ReadonlySet<string>, work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await counts(names);
  await work();
  const after = await counts(names);
  const added = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(added.filter(([, count]) => count !== 0));
}

/** Documents that each of these requests adds when it is made once. */
const ADDED: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'POST /devices': { devices: 1 },
  'POST /vehicles': { vehicles: 1 },
  'POST /vehicle/{key}/restore': { vehicles: 1, deleted_records: -1 },
  'POST /groups': { groups: 1 },
  'POST /users': { users: 1, security_events: 2 },
  'POST /user/{key}/restore': { users: 1, deleted_records: -1, security_events: 1 },
  'POST /user/{key}/invite': { security_events: 1 },
  'POST /places': { places: 1 },
  'POST /rules': { rules: 1 },
  'POST /shares': { shares: 1, security_events: 1 },
  'POST /webhooks': { webhooks: 1, security_events: 1 },
  'POST /webhook/{key}/rotate_secret': { security_events: 1 },
  'POST /trip/{key}': { vehicle_events: 1 },
  'POST /tags': { tags: 1 },
  'POST /api_keys': { api_keys: 1, security_events: 1 },
  'POST /forwarder_keys': { ingest_keys: 1, security_events: 1 },
  'POST /device/{device_key}/keys': { ingest_keys: 1, security_events: 1 },
  'POST /vehicles/pair': { vehicles: 1, devices: 1, ingest_keys: 1, security_events: 1 },
  'POST /privacy_zones': { privacy_zones: 1 },
  'POST /account/retention': { security_events: 1 },
  'POST /apps': { apps: 1, security_events: 1 },
  'POST /app/{client_id}/rotate_secret': { security_events: 1 },
  'POST /tag/{key}/apply': { vehicle_events: 1 },
};

/** Collections whose documents are none of a change: the claims, the one stamp, and entries that any request makes. */
const OTHERS = new Set(['idempotent_answers', 'permission_stamps', 'changes']);

/** The example of a change, with values of which there may be one, and the state that it needs. */
async function prepared(described: Described): Promise<(key: string) => ReturnType<typeof send>> {
  const unique = {
    '/devices': { serial: randomUUID() },
    '/tags': { value: randomUUID() },
    '/users': { email: `${randomUUID()}@bakery.example` },
  };
  const example = exampleOf(described.operation) as object | undefined;
  const body = example && { ...example, ...unique[described.path as keyof typeof unique] };
  const [, kind] = /^\/(\w+)\/\{key\}\/restore$/.exec(described.path) ?? [];
  const { client, headers, keys } = world;
  if (kind) await client.send('DELETE', `/${kind}/${keys[kind]}`, headers);
  if (described.path === '/webhooks')
    await WebhookStore.deleteMany(unrestricted(testService), { key: { $ne: keys.webhook ?? '' } });
  if (described.operation.tags[0] === 'trip' || described.path.endsWith('/apply')) {
    await client.post(`/trip/${keys.trip}`, { tags: [] }, headers);
  }
  return (key) => send(world, described, body, { 'idempotency-key': key });
}

describe.each(CHANGES.map((described) => [nameOf(described), described] as const))('%s', (name, described) => {
  test('is made once with its Idempotency-Key, after which command ever its process is killed', async () => {
    const undisturbed = await prepared(described);
    const sent = listCommands();
    const { statusCode } = await undisturbed(randomUUID());
    vi.restoreAllMocks();
    expect(statusCode).toBeLessThan(300);
    const collections = new Set(sent.map(({ collection }) => collection).filter((name) => !OTHERS.has(name)));
    for (let max = sent.length - 1; max > 0; max -= ONE_IN) {
      const request = await prepared(described);
      const key = randomUUID();
      const added = await addedBy(collections, async () => {
        listCommands(max);
        await request(key);
        vi.restoreAllMocks();
        await IdempotentAnswerStore.updateMany(testService, {}, { busy_until: new Date(0) });
        const again = await request(key);
        expect([max, again.statusCode, again.body]).toEqual([max, statusCode, again.body]);
        expect((await request(key)).body).toBe(again.body);
      });
      expect([max, added]).toEqual([max, ADDED[name] ?? {}]);
    }
  });

  test.skipIf(isRepeatable(described))('sends all of its commands in one transaction', async ({ skip }) => {
    if (!(await hasTransactions(testService))) skip('The database has no transactions');
    const request = await prepared(described);
    const sent = listCommands();
    await request(randomUUID());
    const claimed = sent.findIndex(
      ({ collection, method }) => collection === 'idempotent_answers' && method === 'insertOne',
    );
    expect(claimed).toBeGreaterThan(-1);
    expect(sent.slice(claimed + 1).filter(({ isInSession }) => !isInSession)).toEqual([]);
  });
});

test('A change with If-Match that is made in steps is completed by its Idempotency-Key, after which command ever its process is killed', async () => {
  const { client, headers, keys } = world;
  const path = `/group/${keys.group}`;
  const rename = async (key: string, onlyIf: string, name: string) =>
    client.post(path, { name }, { ...headers, 'idempotency-key': key, 'if-match': onlyIf });
  const tag = async () => String((await client.get(path, headers)).headers.etag);
  const before = await tag();
  const sent = listCommands();
  expect((await rename(randomUUID(), before, randomUUID())).statusCode).toBe(200);
  vi.restoreAllMocks();
  for (let max = sent.length - 1; max > 0; max--) {
    const [key, name, onlyIf] = [randomUUID(), randomUUID(), await tag()];
    listCommands(max);
    await rename(key, onlyIf, name);
    vi.restoreAllMocks();
    await IdempotentAnswerStore.updateMany(testService, {}, { busy_until: new Date(0) });
    const again = await rename(key, onlyIf, name);
    expect([max, again.statusCode, JSON.parse(again.body)]).toMatchObject([max, 200, { name }]);
    expect((await rename(key, onlyIf, name)).body).toBe(again.body);
    expect((await rename(randomUUID(), onlyIf, name)).statusCode).toBe(412);
  }
});
