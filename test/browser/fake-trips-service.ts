import { createServer, type ServerResponse } from 'node:http';

import type { WireTrip } from '../../element/trips/wire-trip.ts';
import { encodeNumbers, encodePolyline } from '../../schema/trips/polyline.ts';
import { closeServer, listenOnLoopback } from '../hosts/loopback.ts';

/** A request to the service. */
export interface TripsCall {
  readonly authorization: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
  /** true if times and speeds are requested. */
  readonly timed: boolean;
  /** Name of the operation. */
  readonly operation: string;
}

/** Returns the service's answer to a call. */
export interface TripsAnswer {
  readonly status?: number;
  readonly body: unknown;
}

/** A loopback service that answers GraphQL in the shapes of the real one. */
export interface FakeTripsService {
  readonly url: string;
  readonly calls: TripsCall[];
  /** Decides each answer; may wait, so that a test holds a load open. */
  respond: (call: TripsCall) => TripsAnswer | Promise<TripsAnswer>;
  /** Streams of vehicles that are open, by the authorization of the request. */
  readonly streams: ReadonlyMap<ServerResponse, string>;
  /** Sends a result on all open streams, or on those of a token. */
  send(result: object, token?: string): void;
  close(): Promise<void>;
}

/** Starts a service whose first answer is an empty page. */
export async function startFakeTripsService(): Promise<FakeTripsService> {
  const calls: TripsCall[] = [];
  const streams = new Map<ServerResponse, string>();
  const server = createServer(async (request, response) => {
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization, content-type' };
    if (request.method === 'OPTIONS') return response.writeHead(204, cors).end();
    let text = '';
    for await (const chunk of request) text += chunk;
    const { query, variables } = JSON.parse(text) as { query: string; variables: Record<string, unknown> };
    const operation = /^\w+ (\w+)/.exec(query)?.[1] ?? '';
    const { authorization } = request.headers;
    const call = { authorization, variables, timed: query.includes('timed_path'), operation };
    calls.push(call);
    const { status = 200, body } = await service.respond(call);
    if (body === STREAM) {
      response.writeHead(200, { ...cors, 'content-type': 'text/event-stream' }).write(':\n\n');
      streams.set(response, authorization ?? '');
      response.once('close', () => streams.delete(response));
      return;
    }
    response.writeHead(status, { ...cors, 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const port = await listenOnLoopback(server);
  const service: FakeTripsService = {
    url: `http://127.0.0.1:${port}/graphql`,
    calls,
    streams,
    send: (result, token = '') => {
      for (const [stream, authorization] of streams)
        if (authorization.includes(token)) stream.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
    },
    respond: () => pageOf([]),
    close: () => closeServer(server),
  };
  return service;
}

/** Body of an answer that is a stream. */
export const STREAM = Symbol('stream');

/** The result of a subscription that tells of a vehicle's position, a number of seconds ago. */
export function movementTo([lon, lat]: readonly [lon: number, lat: number], secondsAgo = 0) {
  const timestamp = new Date(Date.now() - secondsAgo * 1000).toISOString();
  const vehicle_location = { timestamp, point: { lat, lon }, heading: 90, speed_mph: 30 };
  return { data: { vehicleMoved: { vehicle_key: 'vehicle-1', vehicle_location } } };
}

/** A page of trips; with `cursor` it is not the last one. */
export function pageOf(nodes: readonly WireTrip[], cursor: string | null = null): TripsAnswer {
  return { body: { data: { trips: { nodes, page_info: { end_cursor: cursor, has_next_page: cursor !== null } } } } };
}

/** A GraphQL refusal. */
export function rejection(status: number, code: string, message: string): TripsAnswer {
  return { status, body: { errors: [{ message, extensions: { code } }] } };
}

/** A trip on the wire along these positions, a fix every ten seconds, with a stop in its middle. */
export function wireTrip(
  key: string,
  path: readonly (readonly [lon: number, lat: number])[],
  start = '2026-11-03T08:02:00Z',
): WireTrip {
  const at = (seconds: number): string =>
    new Date(Date.parse(start) + seconds * 1000).toISOString().replace('.000Z', '+00:00');
  const positions = path.map(([lon, lat]) => ({ lat, lon }));
  const first = positions[0] ?? { lat: 0, lon: 0 };
  const last = positions.at(-1) ?? first;
  const middle = positions[Math.floor(positions.length / 2)] ?? first;
  const seconds = positions.length * 10 + 600;
  return {
    key,
    vehicle_key: 'vehicle-1',
    duration_seconds: seconds,
    distance_meters: positions.length * 90,
    start_point: { point: first, timestamp: at(0) },
    end_point: { point: last, timestamp: at(seconds) },
    stops: [{ arrival: at(seconds / 2 - 300), departure: at(seconds / 2 + 300), point: middle }],
    path: { precision: 5, points: encodePolyline(positions) },
  };
}

/** A trip on the wire with gaps in its recording, before the positions of these indices. */
export function withGaps(trip: WireTrip, gaps: readonly number[]): WireTrip {
  const { path, timed_path } = trip;
  return {
    ...trip,
    ...(path && { path: { ...path, gaps } }),
    ...(timed_path && { timed_path: { ...timed_path, gaps } }),
  };
}

/** A trip on the wire with times and speeds: a fix every ten seconds but for the stop, `speeds` in miles per hour. */
export function timedTrip(
  key: string,
  path: readonly (readonly [lon: number, lat: number])[],
  speeds: readonly (number | null)[],
  start = '2026-11-03T08:02:00Z',
): WireTrip {
  const { path: line, ...trip } = wireTrip(key, path, start);
  const first = Date.parse(start) / 1000;
  const half = Math.floor(path.length / 2);
  const times = path.map((_, at) => first + at * 10 + (at > half ? 600 : 0));
  const tenths = path.slice(1).map((_, at) => Math.round((speeds[at] ?? -0.1) * 10));
  return {
    ...trip,
    timed_path: {
      ...(line ?? { precision: 5, points: '' }),
      times: encodeNumbers(times),
      speeds: encodeNumbers(tenths),
    },
  };
}
