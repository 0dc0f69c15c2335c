import timeZoneAt from '@photostructure/tz-lookup';
import type { FastifyInstance } from 'fastify';
import { importJWK, type JWTPayload, jwtVerify } from 'jose';

import { joinOne } from '../../models/store/join-stages.ts';
import { countCaller } from './contender-host.ts';
import type { ContenderRecords } from './contender-records.ts';

/** The variables of the component's request for trips. */
interface Variables {
  readonly vehicle_key: string;
  readonly first: number;
  readonly tolerance_meters: number;
  readonly started_after: string;
}

interface Held {
  readonly user: { readonly account_key: string; readonly disabled: boolean };
  readonly vehicle: { readonly account_key: string };
  readonly zones: readonly object[];
}

/** A trip as far as the map shows it. */
interface TripDocument {
  readonly key: string;
  readonly vehicle_key: string;
  readonly duration_seconds: number;
  readonly distance_meters: number;
  readonly start_point: End;
  readonly end_point: End;
  readonly stops: readonly { readonly arrival: Date; readonly departure: Date; readonly point: Place }[];
  readonly paths: { readonly meters_5: { readonly points: string; readonly gaps: readonly number[] } };
}

type Place = { readonly lat: number; readonly lon: number };
type End = { readonly point: Place; readonly timestamp: Date };

const DAY_MS = 86_400_000;
const FIELDS = {
  ...{ _id: 0, key: 1, vehicle_key: 1, duration_seconds: 1, distance_meters: 1, stops: 1 },
  ...{ 'paths.meters_5.points': 1, 'paths.meters_5.gaps': 1 },
  ...{ 'start_point.point': 1, 'start_point.timestamp': 1, 'end_point.point': 1, 'end_point.timestamp': 1 },
};

/**
 * Answers the component's request for trips as one would by hand: the same three look-ups, the same checks of the token,
 * lines that are encoded at rest, and no execution of GraphQL.
 */
export function addTripMapContender(app: FastifyInstance, records: ContenderRecords, issuer: string): void {
  const tokens = new Map<string, JWTPayload>();
  app.post<{ Body: { variables: Variables } }>('/trips', async ({ headers, body: { variables } }, reply) => {
    const token = (headers.authorization ?? '').slice('Bearer '.length);
    const claims = tokens.get(token) ?? (await verify(records, token, issuer));
    tokens.set(token, claims);
    countCaller(reply, token);
    const isGood =
      claims.aud === headers.origin &&
      claims.sub === `vehicle:${variables.vehicle_key}` &&
      (claims.exp ?? 0) * 1000 > Date.now();
    const held = isGood ? await findHeld(records, String(claims.grant), variables.vehicle_key) : null;
    if (!held || held.user.disabled || held.zones.length > 0) return reply.code(401).send();
    return reply
      .headers({ 'Cache-Control': 'no-store', Vary: 'Origin', 'Access-Control-Allow-Origin': headers.origin })
      .header('Access-Control-Expose-Headers', 'ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id')
      .header('Content-Type', 'application/json; charset=utf-8')
      .send(await answer(records, held.vehicle.account_key, variables));
  });
}

async function verify(records: ContenderRecords, token: string, issuer: string): Promise<JWTPayload> {
  const keyOf = async ({ kid = '' }) => {
    const found = await records.collection('signing_keys').findOne({ kid });
    if (!found) throw new TypeError('The token names no key');
    const { d: _private, ...publicKey } = JSON.parse(found.private_key);
    return importJWK(publicKey, 'ES256');
  };
  return (await jwtVerify(token, keyOf, { algorithms: ['ES256'], issuer })).payload;
}

async function findHeld(records: ContenderRecords, grantHash: string, vehicleKey: string): Promise<Held | undefined> {
  const [held] = await records
    .collection('oauth_records')
    .aggregate<Held>([
      { $match: { kind: 'Grant', id_hash: grantHash } },
      ...joinOne('users', 'user_key', 'key', 'user'),
      ...joinOne('apps', 'client_id', 'client_id', 'app'),
      { $project: { 'user.account_key': 1, 'user.disabled': 1, 'app.scopes': 1 } },
      { $addFields: { vehicle_key: { $literal: vehicleKey } } },
      ...joinOne('vehicles', 'vehicle_key', 'key', 'vehicle'),
      { $lookup: { from: 'privacy_zones', localField: 'user.account_key', foreignField: 'account_key', as: 'zones' } },
    ])
    .toArray();
  return held;
}

async function answer(
  records: ContenderRecords,
  account_key: string,
  { vehicle_key, first, started_after }: Variables,
): Promise<string> {
  const rearranging = { lease_vehicle: vehicle_key, 'care.rearranging': true, account_key };
  const busy = await records.collection('devices').findOne(rearranging, { projection: { key: 1 } });
  if (busy) throw new Error('Trips of the vehicle are being cut');
  const from = new Date(started_after);
  const start = { $gte: from, $lt: new Date(from.getTime() + DAY_MS) };
  const trips = await records
    .collection<TripDocument>('trips')
    .find({ vehicle_key, staged: false, 'start_point.timestamp': start, account_key }, { projection: FIELDS })
    .sort({ 'start_point.timestamp': 1, key: 1 })
    .limit(first + 1)
    .batchSize(first + 1)
    .toArray();
  const nodes = trips.slice(0, first).map(nodeOf);
  const page_info = { end_cursor: trips.slice(0, first).at(-1)?.key ?? null, has_next_page: trips.length > first };
  return `${JSON.stringify({ data: { trips: { nodes, page_info } } })}\n`;
}

function nodeOf({
  key,
  vehicle_key,
  duration_seconds,
  distance_meters,
  start_point,
  end_point,
  stops,
  paths,
}: TripDocument) {
  return {
    ...{ key, vehicle_key, duration_seconds, distance_meters },
    time_zone: timeZoneAt(start_point.point.lat, start_point.point.lon),
    start_point: endOf(start_point),
    end_point: endOf(end_point),
    stops: stops.map(({ arrival, departure, point }) => ({
      arrival: timestamp(arrival),
      departure: timestamp(departure),
      point: placeOf(point),
    })),
    path: { precision: 5, points: paths.meters_5.points, breaks: [], gaps: paths.meters_5.gaps },
  };
}

function endOf({ point, timestamp: instant }: End) {
  return { point: placeOf(point), timestamp: timestamp(instant), place: null, address: null };
}

function placeOf({ lat, lon }: Place): Place {
  return { lat, lon };
}

function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}+00:00`;
}
