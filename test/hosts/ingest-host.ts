import type { FastifyInstance } from 'fastify';

import { issueIngestKey } from '../../auth/ingest-keys.ts';
import type { Admission } from '../../http/admission/admission.ts';
import { accountEndpoint } from '../../server/endpoints/account-endpoint.ts';
import { account, device, vehicle } from '../services/account-fixture.ts';
import { gatewayEndpoint, ORIGIN } from '../clients/graphql-client.ts';
import { openHost } from './open-host.ts';
import { testService } from '../services/database.ts';

/** A trip point as a device sends it. */
export interface SentPoint {
  readonly point: { readonly lat: number; readonly lon: number };
  readonly timestamp: string;
  readonly heading?: number | null;
  readonly speed?: number | null;
  readonly events?: readonly string[];
}

/** Answer of the host. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A host with the account API and GraphQL; without limits unless given. */
export async function ingestHost(options: { readonly admission?: Admission } = {}) {
  const app = await openHost(
    [await accountEndpoint(testService, new URL(`${ORIGIN}/api/v2`), new URL(ORIGIN)), await gatewayEndpoint()],
    options,
  );
  const graphql = async (
    query: string,
    headers: Readonly<Record<string, string>>,
    variables?: Readonly<Record<string, unknown>>,
  ) => {
    const answer = await send(app, '/graphql', headers, JSON.stringify({ query, variables }));
    return answer.body as { data: Record<string, unknown>; errors?: unknown };
  };
  return {
    app,
    /** Posts to `/ingest` with a bearer. */
    post: (bearer: string, payload: unknown) => post(app, { authorization: `Bearer ${bearer}` }, payload),
    graphql,
    /** Asks for what must be answered without errors. */
    ask: async (...asked: Parameters<typeof graphql>) => {
      const { data, errors } = await graphql(...asked);
      if (errors) throw new Error(JSON.stringify(errors));
      return data;
    },
  };
}

/** Posts to `/ingest` with any headers. */
export function post(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
  payload: unknown,
): Promise<Answer> {
  return send(app, '/api/v2/ingest', headers, typeof payload === 'string' ? payload : JSON.stringify(payload));
}

async function send(
  app: FastifyInstance,
  url: string,
  headers: Readonly<Record<string, string>>,
  payload: string,
): Promise<Answer> {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
    payload,
  });
  const { statusCode: status, body, headers: answered } = response;
  return { status, body: body === '' ? '' : JSON.parse(body), headers: answered };
}

/** An account with a device in a vehicle, and the device's key. */
export async function recordingDevice(owner?: Awaited<ReturnType<typeof account>>) {
  const holder = owner ?? (await account());
  const vehicle_key = await vehicle(holder.key);
  const { key: device_key, serial } = await device(holder.key, { vehicle_key });
  const { secret } = await issueIngestKey(testService, { account_key: holder.key, device_key });
  return { owner: holder, vehicle_key, device_key, serial, secret };
}

const START = Date.UTC(2026, 2, 1, 12);

/** A position some seconds after noon, on a road that leads east. */
export function at(seconds: number, ...events: string[]): SentPoint {
  return {
    point: { lat: 53.0758, lon: 8.8 + seconds * 0.0001 },
    timestamp: new Date(START + seconds * 1000).toISOString(),
    speed: 30,
    heading: 90,
    ...(events.length > 0 && { events }),
  };
}

/** The time of such a position as an answer writes it. */
export function timeAt(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString().replace('.000Z', '+00:00');
}

const TRIP = `key start_point { timestamp point { lat lon } } end_point { timestamp point { lat lon } } point_count
  duration_seconds distance_meters bounding_box max_speed mean_speed encoded_polyline
  stops { arrival departure } gaps { started ended }`;

/** Reads a device's trips by GraphQL as its owner, with all positions and without keys. */
export async function seenTrips(
  host: Awaited<ReturnType<typeof ingestHost>>,
  { owner, vehicle_key }: Awaited<ReturnType<typeof recordingDevice>>,
): Promise<Record<string, unknown>[]> {
  const list = `{ trips(vehicle_key: "${vehicle_key}", first: 1000) { nodes { ${TRIP} } } }`;
  const { data } = await host.graphql(list, owner.headers);
  const seen: Record<string, unknown>[] = [];
  for (const { key, ...trip } of (data.trips as { nodes: { key: string }[] }).nodes) {
    const positions = `{ tripPoints(trip_key: "${key}") { nodes { point { lat lon } timestamp speed heading events } } }`;
    const { data: points } = await host.graphql(positions, owner.headers);
    seen.push({ ...trip, points: (points.tripPoints as { nodes: unknown }).nodes });
  }
  return seen;
}
