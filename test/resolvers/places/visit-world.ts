import { vi } from 'vitest';

import { haversineMeters } from '../../../tracking/geometry/haversine.ts';
import type { Headers } from '../../clients/account-client.ts';
import { account } from '../../services/account-fixture.ts';
import { type ingestHost, recordingDevice, type SentPoint, seenTrips } from '../../hosts/ingest-host.ts';

/** The host of the tests. */
export type Host = Awaited<ReturnType<typeof ingestHost>>;

/** A visit as REST answers it. */
export interface SeenVisit {
  readonly key: string;
  readonly place_key: string;
  readonly vehicle_key: string;
  readonly entry_timestamp: string;
  readonly exit_timestamp: string | null;
  readonly status: string;
}

const START = Date.UTC(2026, 2, 1, 12);

/** Degrees of longitude that are 100 metres wide at the latitude of the tests. */
const HUNDRED_METERS = 0.0015;

/** A position some seconds after noon, so many hundred metres east of the depot. */
export function pointAt(seconds: number, east: number, ...events: string[]): SentPoint {
  const point = { lat: 53.0758, lon: Number((8.8 + east * HUNDRED_METERS).toFixed(7)) };
  return { point, timestamp: timeAt(seconds), ...(events.length > 0 && { events }) };
}

/** The time some seconds after noon, as an answer writes it. */
export function timeAt(seconds: number): string {
  return new Date(START + seconds * 1000).toISOString().replace('.000Z', '+00:00');
}

/** Does something some seconds after noon, by the clock of the service. */
export async function atTime<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ['Date'], now: START + seconds * 1000 });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Sends a request to the account API. */
export async function request(
  host: Host,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  headers: Headers,
  payload?: object,
) {
  const url = `/api/v2${path}`;
  const answer = await host.app.inject({
    method,
    url,
    headers: { host: 'localhost', ...headers },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? null : JSON.parse(answer.body) };
}

/** A circle so many hundred metres east of the depot, 150 metres wide to each side, made an hour before noon. */
export async function circle(host: Host, headers: Headers, east = 0, seconds = -3600): Promise<string> {
  const input = { name: `Circle ${east}`, point: pointAt(0, east).point, radius: 150 };
  const { body } = await atTime(seconds, () => request(host, 'POST', '/places', headers, input));
  return (body as { key: string }).key;
}

/** An account with a depot, and a device in a vehicle. */
export async function visitWorld(host: Host, owner?: Awaited<ReturnType<typeof account>>) {
  const holder = owner ?? (await account());
  const depot = await circle(host, holder.headers);
  return { ...(await recordingDevice(holder)), depot };
}

/** All visits of a vehicle, the oldest first. */
export async function visitsOf(
  host: Host,
  { owner, vehicle_key }: { owner: { headers: Headers }; vehicle_key: string },
) {
  const { body } = await request(host, 'GET', `/places/visits?vehicle_key=${vehicle_key}&size=200`, owner.headers);
  return (body as { visits: SeenVisit[] }).visits.toReversed();
}

/** Visits without their keys: place, entry and exit. */
export function stays(visits: readonly SeenVisit[]): (string | null)[][] {
  return visits.map(({ place_key, entry_timestamp, exit_timestamp }) => [place_key, entry_timestamp, exit_timestamp]);
}

/** A circle of {@link circle}, by the time from which it was there. */
export interface MadeCircle {
  readonly key: string;
  readonly east: number;
  readonly since: number;
  readonly until?: number;
}

/** The stays of a device, the oldest first, as they follow from its trips: one position after the other. */
export async function expectedStays(
  host: Host,
  device: Awaited<ReturnType<typeof recordingDevice>>,
  circles: readonly MadeCircle[],
): Promise<(string | null)[][]> {
  const trips = await seenTrips(host, device);
  const points = trips.flatMap((trip) => trip.points as SentPoint[]);
  const found = [...new Set(circles.map(({ key }) => key))].flatMap((key) => {
    const own: (string | null)[][] = [];
    for (const { point, timestamp } of points) {
      const seconds = (Date.parse(timestamp) - START) / 1000;
      const isInside = circles.some(({ east, since, until = Infinity, ...circle }) => {
        const center = pointAt(0, east).point;
        const isNear = haversineMeters(center.lat, center.lon, point.lat, point.lon) <= 150;
        return circle.key === key && isNear && seconds >= since && seconds < until;
      });
      const open = own.at(-1)?.[2] === null ? own.at(-1) : undefined;
      if (isInside && !open) own.push([key, timestamp, null]);
      if (!isInside && open) open[2] = timestamp;
    }
    return own;
  });
  return inOrder(found);
}

/** Stays by entry, then by place. */
export function inOrder(found: readonly (string | null)[][]): (string | null)[][] {
  return found.toSorted((a, b) => (a[1] ?? '').localeCompare(b[1] ?? '') || (a[0] ?? '').localeCompare(b[0] ?? ''));
}
