import { randomUUID } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

import { issueIngestKey } from '../../auth/ingest-keys.ts';
import { createAccount } from '../../resolvers/account/create-account.ts';
import { EXAMPLE_DEVICE_KEY } from '../../tracking/ingest/message-reader.ts';
import { EXAMPLE_KEY } from '../../rest-bridge/rest-table.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import type { AccountClient, Headers } from './account-client.ts';
import { drivenPoints } from '../fixtures/driven-points.ts';
import { storeTrip } from '../fixtures/stored-trip.ts';
import { openHost } from '../hosts/open-host.ts';
import { appFor, subscription } from '../services/account-fixture.ts';
import { testService } from '../services/database.ts';

/** A JSON Schema of the description. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly examples?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

/** An operation of the description. */
export interface Operation {
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema; example?: object | string }>> };
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

/** An OpenAPI document. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const DESCRIPTION = await description();

/** All operations, in the order of {@link operationsOf}. */
export const OPERATIONS = operationsOf(DESCRIPTION);

/** Lists the operations of a description: first those that leave all records there, then deletions, then those that bring back. */
export function operationsOf({ paths }: Description) {
  return Object.entries(paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => stageOf(a) - stageOf(b));
}

/** An operation with its method and path. */
export type Described = (typeof OPERATIONS)[number];

/** An account with a record of each kind. */
export interface World {
  readonly client: AccountClient;
  readonly headers: Headers;
  /** Key with which its device sends positions. */
  readonly secret: string;
  /** Keys of the records by kind, which are the tags of operations. */
  readonly keys: Readonly<Record<string, string>>;
}

/** Kinds of the records that parameters and members of bodies name. */
const NAMED_KINDS: Readonly<Record<string, string>> = {
  vehicle_key: 'vehicle',
  user_key: 'user',
  driver_key: 'user',
  place_key: 'place',
  tags: 'tag',
  tag_keys: 'tag',
  group_keys: 'group',
  member_keys: 'vehicle',
  entity_keys: 'trip',
};

/** Opens a host with the account API. */
export async function openApp(): Promise<FastifyInstance> {
  return openHost([
    await accountEndpoint(testService, new URL('https://localhost/api/v2'), new URL('https://localhost')),
  ]);
}

async function description(): Promise<Description> {
  const app = await openApp();
  const document = (await app.inject({ url: '/api/v2/openapi.json', headers: { host: 'localhost' } })).json();
  await app.close();
  return document;
}

/** Order of the requests: first what leaves all records there, then deletions, then what brings back. */
function stageOf({ path, method }: { readonly path: string; readonly method: string }): number {
  // An import that is canceled stays.
  if (method === 'delete') return path.startsWith('/import/') ? 0 : 1;
  return /\/(?:restore|invite)$/.test(path) ? 2 : 0;
}

/** Makes an account with a record of each kind. */
export async function makeWorld(client: AccountClient): Promise<World> {
  const { account_key, owner_key, api_key } = await createAccount(testService, { nickname: 'Bakery' });
  const headers = { 'service-api-key': api_key };
  const post = async (path: string, body: object) => (await client.post(path, body, headers)).json().key as string;
  const vehicle = await post('/vehicles', { nickname: 'Van' });
  const device = await post('/devices', { serial: 'WB-0001', vehicle_key: vehicle });
  const { client_id: app } = await appFor(owner_key, ['account.read']);
  const { app_grants: grants } = (await client.get('/app_grants', headers)).json();
  const trip = await storeTrip({ account_key, vehicle_key: vehicle, points: drivenPoints(60, 1) });
  const keys = {
    ...{ vehicle, device, trip, event: trip },
    user: await post('/users', { email: `${randomUUID()}@bakery.example` }),
    ...{ app, app_grant: grants[0].key, subscription: (await subscription(account_key)).key },
    group: await post('/groups', { name: 'North' }),
    tag: await post('/tags', { type: 'Trip', value: 'Rush' }),
    share: await post('/shares', { vehicle_key: vehicle, expires: '2099-01-01' }),
    webhook: await post('/webhooks', { url: 'https://bakery.example/', events: ['trip_end'] }),
    rule: await post('/rules', { name: 'Fast', speed_limit: 70 }),
    // Of a file that is in no format, so that the trips stay as they are.
    import: (await client.post(`/vehicle/${vehicle}/imports`, 'none', headers)).json().key as string,
    api_key: await post('/api_keys', { name: 'Office' }),
    forwarder_key: await post('/forwarder_keys', { name: 'Traccar' }),
    device_key: await post(`/device/${device}/keys`, {}),
    privacy_zone: await post('/privacy_zones', { point: { lat: 53, lon: 8 }, radius: 50 }),
    place: await post('/places', { name: 'Yard', point: { lat: 53, lon: 8 }, radius: 50 }),
  };
  while ((await client.get(`/import/${keys.import}`, headers)).json().ended === null);
  const { secret } = await issueIngestKey(testService, { account_key, device_key: device });
  return { client, headers, secret, keys };
}

/** Sends the example request of an operation with the keys of a world, and with another body if given. */
export function send(
  world: World,
  { path, method, operation }: Described,
  body: object | string | undefined = exampleOf(operation),
  further: Headers = {},
) {
  const examples = (operation.parameters ?? []).filter(({ example }) => example !== undefined);
  let url = path;
  const query = new URLSearchParams();
  for (const { name, in: place, example } of examples) {
    const value = filled(world, NAMED_KINDS[name] ?? operation.tags[0], String(example));
    if (place === 'path') url = url.replace(`{${name}}`, value);
    else query.append(name, value);
  }
  if (typeof body === 'string') return world.client.send('POST', url, credentialsOf(world, operation), body);
  const payload = body && JSON.stringify(body, (name, value) => filledMember(world, name, value));
  const type = payload && { 'content-type': 'application/json' };
  const headers = { ...credentialsOf(world, operation), ...type, ...further };
  return world.client.send(method.toUpperCase() as 'GET', `${url}?${query}`, headers, payload);
}

function filled({ keys, secret }: World, kind: string | undefined, text: string): string {
  return text.replace(EXAMPLE_KEY, keys[kind ?? ''] ?? '').replace(EXAMPLE_DEVICE_KEY, secret);
}

function filledMember(world: World, name: string, value: unknown): unknown {
  if (typeof value === 'string') return filled(world, NAMED_KINDS[name], value);
  const isListOfKeys = Array.isArray(value) && value[0] === EXAMPLE_KEY;
  return isListOfKeys ? [world.keys[NAMED_KINDS[name] ?? '']] : value;
}

function credentialsOf({ headers, secret }: World, { security }: Operation): Headers {
  const accepts = (scheme: string) => security.some((schemes) => scheme in schemes);
  if (accepts('apiKey')) return headers;
  if (accepts('deviceKeyAsPassword')) return { authorization: `Basic ${btoa(`van:${secret}`)}` };
  return accepts('deviceKeyAsId') ? {} : { authorization: `Bearer ${secret}` };
}

/** The example body of an operation, a text if it is a file; undefined where it takes none. */
export function exampleOf({ requestBody }: Operation): object | string | undefined {
  return Object.values(requestBody?.content ?? {})[0]?.example;
}

/** A schema that is named, or stands there. */
export function resolved(schema: Schema, { components }: Description = DESCRIPTION): Schema {
  return components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;
}
