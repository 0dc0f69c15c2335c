import { beforeAll, describe, expect, test } from 'vitest';

import { newKey } from '../../models/key.ts';
import { GroupStore } from '../../models/account/group.ts';
import { nicknameFields, VehicleStore } from '../../models/vehicles/vehicle.ts';
import { operationAnswered } from '../../graphql/endpoint/graphql-server.ts';
import { gatewayEndpoint } from '../clients/graphql-client.ts';
import { connectTls } from '../clients/raw-client.ts';
import { account, appFor, user } from '../services/account-fixture.ts';
import { useDatabase, testService } from '../services/database.ts';
import { openHost } from '../hosts/open-host.ts';
import { queriesDuring } from '../services/queries-during.ts';
import { signal } from '../processes/signal.ts';
import { listen } from '../hosts/test-host.ts';
import { unrestricted } from '../../models/store/tenancy.ts';

useDatabase();

/** Scopes that an app asks for unless it names others. */
const DEFAULT_SCOPES = ['account.read', 'account_activity.read', 'vehicles.read', 'user.read', 'places.read'];
const CREATED = new Date('2026-03-01T12:00:00Z');

let app: Awaited<ReturnType<typeof openHost>>;
let callers: Readonly<Record<'owner' | 'app', Readonly<Record<string, string>>>>;
let small: Readonly<Record<string, string>>;
beforeAll(async () => {
  app = await openHost([await gatewayEndpoint()]);
  const { key, headers } = await account();
  callers = { owner: headers, app: (await appFor(await user(key), DEFAULT_SCOPES)).headers };
  await fill(key, { groups: 302, vehicles: 100 });
  const other = await account();
  small = other.headers;
  await fill(other.key, { groups: 3, vehicles: 5 });
});

/** Gives an account groups beside each other, and vehicles that are in all of them. */
async function fill(account_key: string, { groups, vehicles }: Readonly<Record<'groups' | 'vehicles', number>>) {
  const keys = Array.from({ length: groups }, () => newKey());
  const times = { created: CREATED, updated: CREATED };
  const place = (key: string) => ({ parent_key: null, group_path: [key], tree_depth: 2, active: true });
  await GroupStore.insertMany(
    unrestricted(testService),
    keys.map((key) => ({ key, name: 'Shift', account_key, ...place(key), ...times })),
  );
  const membership = { account_key, group_keys: keys, group_path: keys };
  const numbers = Array.from({ length: vehicles }, (_, number) => number);
  await VehicleStore.insertMany(
    unrestricted(testService),
    numbers.map((number) => ({ key: newKey(), ...nicknameFields(`Van ${number}`), ...membership, created: CREATED })),
  );
}

async function ask(headers: Readonly<Record<string, string>>, query: string, variables = {}) {
  const payload = { query, variables };
  const answer = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { host: 'localhost', ...headers },
    payload,
  });
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], body: answer.json() };
}

const EVERYWHERE = '{ groups { key vehicles(first: 1000) { nodes { key nickname } } } }';
const NESTED = '{ groups { vehicles(first: 60) { nodes { trips(first: 1) { nodes { key } } } } } }';
const BY_VARIABLE = 'query ($n: Int) { vehicles(first: $n) { nodes { trips(first: $n) { nodes { key } } } } }';
const RELAY = `query List($first: Int = 20, $after: String, $trips: Int!) {
  vehicles(first: $first, after: $after) {
    edges { node { ...Row id __typename } cursor }
    page_info { end_cursor has_next_page }
  }
}
fragment Row on Vehicle {
  trips(first: $trips) { edges { node { key id __typename } cursor } page_info { end_cursor has_next_page } }
}`;
const aliased = (times: number, selection: string) =>
  `{ ${Array.from({ length: times }, (_, at) => `a${at}: vehicles(first: 100) { nodes { ${selection} } }`).join(' ')} }`;

describe.each(['owner', 'app'] as const)('by an %s', (caller) => {
  test.each<[string, string, object, RegExp]>([
    [
      'a page of each group',
      EVERYWHERE,
      {},
      /Group\.vehicles alone costs 3020: lower the sizes in Query\.groups > Group\.vehicles\(first: 1000\)$/,
    ],
    [
      'pages of pages',
      NESTED,
      {},
      /Vehicle\.trips alone costs 181200: lower the sizes in Query\.groups > Group\.vehicles\(first: 60\) > Vehicle\.trips\(first: 1\)$/,
    ],
    ['the same with directives', NESTED.replace('groups {', 'groups @include(if: true) {'), {}, /cost of \d+/],
    ['the same of children', '{ groups { children { vehicles(first: 20) { nodes { key } } } } }', {}, /cost of \d+/],
    [
      'the same in a fragment',
      `${NESTED.replace('trips(first: 1) { nodes { key } }', '...F')} fragment F on Vehicle { trips(first: 1) { nodes { key } } }`,
      {},
      /cost of \d+/,
    ],
    ['pages by variables', BY_VARIABLE, { n: 1000 }, /Query\.vehicles\(first: 1000\) > Vehicle\.trips\(first: 1000\)$/],
    ['a page by a default', BY_VARIABLE.replace('Int', 'Int = 1000'), {}, /cost of \d+/],
  ])('%s is refused before anything of it is read, naming what to reduce', async (_, query, variables, message) => {
    const sent = await queriesDuring(async () => {
      const { status, body } = await ask(callers[caller], query, variables);
      expect(body).toEqual({ errors: [expect.objectContaining({ message: expect.stringMatching(message) })] });
      expect(status).toBe(400);
    });
    expect(sent.map(({ method }) => method)).not.toContain('find');
  });
});

test.each<[string, string, object]>([
  ['lists that are short in the account', NESTED, {}],
  ['a page of each group', EVERYWHERE, {}],
  ['pages by variables, by their values', BY_VARIABLE, { n: 20 }],
  ['nested connections as Relay writes them', RELAY, { trips: 5 }],
  [
    'the last trips of a page by a variable',
    'query ($n: Int) { vehicles(first: $n) { nodes { last_trip { key } } } }',
    { n: 5 },
  ],
])('%s are answered', async (_, query, variables) => {
  const { status, body } = await ask(small, query, variables);
  expect(body.errors).toBeUndefined();
  expect(status).toBe(200);
});

test('an answer that takes too much memory ends with 400, and leaves nothing behind for the next', async () => {
  const { status, body } = await ask(callers.app, aliased(17, '... @include(if: true) { groups { key name } }'));
  expect(body).toEqual({
    data: null,
    errors: [{ message: expect.stringMatching(/more than \d+ values/), extensions: { code: 'BAD_REQUEST' } }],
  });
  expect(status).toBe(400);
  expect((await ask(callers.app, aliased(1, 'key'))).body.errors).toBeUndefined();
});

test('operations of an account share its memory: those that find no room are 429, and later ones are answered', async () => {
  const half = aliased(10, 'groups { key name }');
  const answers = await Promise.all(Array.from({ length: 2 }, () => ask(callers.owner, half)));
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status !== 200 && status !== 429)).toEqual([]);
  expect(refused.length).toBeGreaterThan(0);
  for (const { retryAfter, body } of refused) {
    expect(retryAfter).toBe('10');
    expect(body.errors).toEqual([expect.objectContaining({ extensions: { code: 'TOO_MANY_REQUESTS' } })]);
  }
  expect((await ask(callers.owner, half)).status).toBe(200);
});

test('nothing more is read for a client that has left', async () => {
  const client = await connectTls(await listen(app));
  const query =
    '{ vehicles(first: 90) { nodes { key trips(first: 2) { nodes { key } } events(first: 1) { nodes { key } } } } }';
  const body = JSON.stringify({ query });
  const headers = {
    ...callers.app,
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': body.length,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const reading = signal();
  const over = signal();
  operationAnswered.subscribe(over.give);
  const sent = await queriesDuring(
    async () => {
      client.send(`POST /graphql HTTP/1.1\r\n${head.join('')}\r\n${body}`);
      await reading.given;
      client.leave();
      await over.given;
    },
    ({ collection }) => collection === 'vehicles' && reading.give(),
  );
  operationAnswered.unsubscribe(over.give);
  // Trips and events of vehicles are read by aggregations, as many as there are turns of the event loop in which they are asked for.
  expect(
    sent.filter(({ method, collection }) => collection === 'vehicles' && method === 'aggregate').length,
  ).toBeLessThan(10);
});
