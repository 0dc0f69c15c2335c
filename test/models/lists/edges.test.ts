import { beforeAll, describe, expect, test } from 'vitest';

import { newKey } from '../../../models/key.ts';
import { VisitStore } from '../../../models/places/visit.ts';
import { WebhookDeliveryStore } from '../../../models/webhooks/webhook-delivery.ts';
import { gatewaySchema } from '../../../resolvers/gateway-schema.ts';
import { type AskGraphql, graphqlClient } from '../../clients/graphql-client.ts';
import { drivenPoints } from '../../fixtures/driven-points.ts';
import { storeTrip } from '../../fixtures/stored-trip.ts';
import { account, appFor, device, subscription, user, vehicle } from '../../services/account-fixture.ts';
import { useDatabase, testService } from '../../services/database.ts';
import { unrestricted } from '../../../models/store/tenancy.ts';

useDatabase();

const COUNT = 4;

let ask: AskGraphql;
let owner: Awaited<ReturnType<typeof account>>;
let trip_key: string;
let device_key: string;
let webhook_key: string;
beforeAll(async () => {
  ask = await graphqlClient();
  owner = await account();
  const { key: account_key, headers } = owner;
  for (let at = 0; at < COUNT; at += 1) {
    const vehicle_key = await vehicle(account_key);
    const [made, user_key] = await Promise.all([
      device(account_key, { vehicle_key }),
      user(account_key),
      subscription(account_key),
    ]);
    device_key ??= made.key;
    await appFor(user_key, ['account.read']);
    trip_key = await storeTrip({ account_key, vehicle_key, points: drivenPoints(COUNT, at + 1) });
    const entry_timestamp = new Date(Date.UTC(2026, 4, 1 + Math.trunc(at / 2)));
    const visit = {
      account_key,
      vehicle_key,
      place_key: newKey(),
      entry_timestamp,
      exit_timestamp: null,
      staged: false,
    };
    await VisitStore.driver(testService).insertOne({ key: newKey(), ...visit } as never);
    const webhook = 'createWebhook(input: { url: "https://bakery.example/", events: [trip_end] }) { key }';
    const { data } = await ask(`mutation { ${webhook} }`, headers);
    const { createWebhook } = data as { readonly createWebhook: { readonly key: string } };
    webhook_key ??= createWebhook.key;
    const delivery = {
      account_key,
      webhook_key,
      vehicle_key,
      event: 'trip_end' as const,
      event_key: `trip_end.${at}`,
      number: at,
    };
    await WebhookDeliveryStore.create(unrestricted(testService), {
      ...delivery,
      key: newKey(),
      sequence: at,
      timestamp: new Date(),
      status: 'pending' as const,
      created: new Date(),
    });
    await ask(
      `mutation { createShare(input: { vehicle_key: "${vehicle_key}", expires: "2030-01-01" }) { key } }`,
      headers,
    );
    await ask(`mutation { createTag(input: { value: "Tag ${at}", type: Car }) { key } }`, headers);
    await ask(`mutation { createRule(input: { name: "Rule ${at}", speed_limit: 75 }) { key } }`, headers);
    await ask(
      `mutation { createPlace(input: { name: "Place ${at}", point: { lat: 53, lon: 8 }, radius: 100 }) { key } }`,
      headers,
    );
    await ask(
      `mutation {
        issueApiKey { api_key }
        issueForwarderKey { key }
        issueDeviceKey(device_key: "${device_key}") { key }
        createPrivacyZone(input: { lat: -${at}, lon: 0, radius_meters: 1 }) { key }
      }`,
      headers,
    );
  }
});

/** The lists of the schema, each with the field that tells their objects apart. */
const LISTS: readonly (readonly [field: string, told: string])[] = [
  ['devices', 'key'],
  ['vehicles', 'key'],
  ['users', 'key'],
  ['subscriptions', 'key'],
  ['tags', 'key'],
  ['places', 'key'],
  ['trips', 'key'],
  ['events', 'key'],
  ['visits', 'key'],
  ['securityEvents', 'key'],
  ['tripPoints', 'timestamp'],
  ['apiKeys', 'key'],
  ['appGrants', 'key'],
  ['apps', 'client_id'],
  ['deviceKeys', 'key'],
  ['forwarderKeys', 'key'],
  ['privacyZones', 'key'],
  ['shares', 'key'],
  ['rules', 'key'],
  ['webhooks', 'key'],
  ['webhookDeliveries', 'key'],
];

/** The arguments without which there is no list. */
function argumentsOf(field: string): string[] {
  if (field === 'webhookDeliveries') return [`webhook_key: "${webhook_key}"`];
  if (field === 'tripPoints') return [`trip_key: "${trip_key}"`];
  return field === 'deviceKeys' ? [`device_key: "${device_key}"`] : [];
}

describe.each(LISTS)('edges of %s', (field, told) => {
  /** Asks for a page by its arguments. */
  async function page(...given: readonly string[]) {
    const args = [...given, ...argumentsOf(field)];
    const list = `${field}${args.length > 0 ? `(${args.join(', ')})` : ''}`;
    const query = `{ ${list} { nodes { ${told} } edges { cursor node { ${told} } } page_info { end_cursor has_next_page start_cursor has_previous_page } } }`;
    const { data, errors } = await ask(query, owner.headers);
    expect(errors).toBeUndefined();
    return data?.[field] as {
      nodes: readonly unknown[];
      edges: readonly { cursor: string; node: unknown }[];
      page_info: {
        end_cursor: string | null;
        has_next_page: boolean;
        start_cursor: string | null;
        has_previous_page: boolean;
      };
    };
  }

  test('have the objects of the page, and after the cursor of each come those that follow it', async () => {
    const { nodes, edges, page_info } = await page('first: 50');
    expect(page_info).toMatchObject({
      start_cursor: edges[0]?.cursor,
      end_cursor: edges.at(-1)?.cursor,
      has_previous_page: false,
    });
    expect(nodes.length).toBeGreaterThanOrEqual(COUNT);
    expect(edges.map(({ node }) => node)).toEqual(nodes);
    for (const [at, { cursor }] of edges.entries()) {
      const next = await page('first: 2', `after: "${cursor}"`);
      expect(next.nodes).toEqual(nodes.slice(at + 1, at + 3));
      expect(next.page_info).toMatchObject({
        has_next_page: at + 3 < nodes.length,
        start_cursor: next.edges[0]?.cursor ?? null,
        end_cursor: next.edges.at(-1)?.cursor ?? null,
        has_previous_page: true,
      });
    }
  });

  test('lead through the whole list, one page after the other', async () => {
    const { nodes } = await page('first: 50');
    const found: unknown[] = [];
    for (let after: string[] = []; ; ) {
      const { edges, page_info } = await page('first: 3', ...after);
      found.push(...edges.map(({ node }) => node));
      expect(page_info.end_cursor).toBe(edges.at(-1)?.cursor);
      after = [`after: "${page_info.end_cursor}"`];
      if (!page_info.has_next_page) break;
    }
    expect(found).toEqual(nodes);
  });

  test('go on from cursors of version 0.2: from the key of an object, and after the cursor of its edge', async () => {
    const { nodes } = await page('first: 50');
    for (const [at, node] of nodes.entries()) {
      const key = field === 'tripPoints' ? at : Object.values(node as object)[0];
      const [from, after] = [await page(`after: "${key}"`), await page(`after: ">${key}"`)];
      expect([from.nodes, after.nodes]).toEqual([nodes.slice(at), nodes.slice(at + 1)]);
    }
  });
});

test.each([
  ['visits', 'entry_timestamp'],
  ['events', 'timestamp'],
])('%s go on from cursors of version 0.2, which have their times', async (field, time) => {
  const listed = async (args = '') => {
    const { data } = await ask(`{ list: ${field}${args} { nodes { key time: ${time} } } }`, owner.headers);
    const { list } = data as { list: { nodes: { key: string; time: string }[] } };
    return list.nodes;
  };
  const all = await listed();
  for (const [at, { key, time: written }] of all.entries()) {
    const cursor = `${Date.parse(written).toString(36)}.${key}`;
    expect(await listed(`(after: "${cursor}")`)).toEqual(all.slice(at));
    expect(await listed(`(after: ">${cursor}")`)).toEqual(all.slice(at + 1));
  }
});

test('every list has edges', async () => {
  const fields = Object.values((await gatewaySchema()).getQueryType()?.getFields() ?? {});
  const lists = fields.filter(({ type }) => /Connection!?$/.test(String(type))).map(({ name }) => name);
  // The log of changes is read from a cursor on, which `changes.test.ts` does.
  expect(lists.toSorted()).toEqual(['changes', ...LISTS.map(([field]) => field)].toSorted());
});
