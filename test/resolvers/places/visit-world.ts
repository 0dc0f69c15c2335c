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
export async function circle(
  host: Host,
  headers: Headers,
  east = 0,
  seconds = -3600,
  border: Partial<Border> = {},
): Promise<string> {
  const input = { name: `Circle ${east}`, point: pointAt(0, east).point, radius: 150, ...border };
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

/** The border of a place. */
export interface Border {
  readonly border_meters: number;
  readonly border_seconds: number;
  readonly dwell_seconds: number;
}

const DEFAULT_BORDER: Border = { border_meters: 50, border_seconds: 300, dwell_seconds: 0 };

/** A circle of {@link circle}, by the time from which it was there; those of one place have the same border. */
export interface MadeCircle extends Partial<Border> {
  readonly key: string;
  readonly east: number;
  readonly since: number;
  readonly until?: number;
}

/** The stays of a device, the oldest first, as they follow from all positions of its trips. */
export async function expectedStays(
  host: Host,
  device: Awaited<ReturnType<typeof recordingDevice>>,
  circles: readonly MadeCircle[],
): Promise<(string | null)[][]> {
  const trips = await seenTrips(host, device);
  const points = trips.flatMap((trip) => trip.points as SentPoint[]);
  const places = [...new Set(circles.map(({ key }) => key))];
  return inOrder(
    places.flatMap((key) =>
      staysIn(
        points,
        key,
        circles.filter((one) => one.key === key),
      ),
    ),
  );
}

interface Sample {
  readonly seconds: number;
  readonly side: 'inside' | 'border' | 'outside';
}

/** Distance of a position from the edge of a circle, in meters; negative inside. */
function beyond({ east }: MadeCircle, { point }: SentPoint): number {
  const center = pointAt(0, east).point;
  return haversineMeters(center.lat, center.lon, point.lat, point.lon) - 150;
}

const secondsOf = ({ timestamp }: SentPoint) => (Date.parse(timestamp) - START) / 1000;

/** The stays in a place, found by looking ahead from each arrival. */
function staysIn(points: readonly SentPoint[], key: string, circles: readonly MadeCircle[]): (string | null)[][] {
  const { border_meters, border_seconds, dwell_seconds } = { ...DEFAULT_BORDER, ...circles[0] };
  const patience = Math.max(border_seconds, dwell_seconds);
  const samples = points.flatMap((point, at): Sample[] => {
    const seconds = secondsOf(point);
    const before = points[at - 1];
    const drawn = circles.filter(
      (one) => before && one.since > secondsOf(before) && one.since <= seconds && beyond(one, before) <= 0,
    );
    const now = circles.find(({ since, until = Infinity }) => seconds >= since && seconds < until);
    const meters = now ? beyond(now, point) : Infinity;
    const side = meters <= 0 ? 'inside' : meters <= border_meters ? 'border' : 'outside';
    return [...drawn.map(({ since }) => ({ seconds: since, side: 'inside' }) as const), { seconds, side }];
  });
  const found: (string | null)[][] = [];
  const from = (at: number, isMeant: (one: Sample) => boolean) => {
    const next = samples.findIndex((one, other) => other >= at && isMeant(one));
    return next === -1 ? samples.length : next;
  };
  const secondsAt = (at: number) => samples[at]?.seconds ?? Infinity;
  const isInside = ({ side }: Sample) => side === 'inside';
  for (let at = from(0, isInside); at < samples.length; at = from(at, isInside)) {
    const contradicted = from(at, ({ side }) => side === 'outside');
    if (secondsAt(contradicted) - secondsAt(at) < dwell_seconds) {
      at = contradicted;
      continue;
    }
    const entry = at;
    let exit = samples.length;
    while (at < samples.length) {
      const first = from(at, (one) => !isInside(one));
      const back = from(first, isInside);
      const far = from(first, ({ side }) => side === 'outside');
      const isGone = far < back && secondsAt(back) - secondsAt(far) >= dwell_seconds;
      const isOut = first < samples.length && secondsAt(back - 1) - secondsAt(first) >= patience;
      at = back;
      if (!isGone && !isOut) continue;
      exit = first;
      break;
    }
    found.push([key, timeAt(secondsAt(entry)), exit < samples.length ? timeAt(secondsAt(exit)) : null]);
  }
  return found;
}

/** Stays by entry, then by place. */
export function inOrder(found: readonly (string | null)[][]): (string | null)[][] {
  return found.toSorted((a, b) => (a[1] ?? '').localeCompare(b[1] ?? '') || (a[0] ?? '').localeCompare(b[0] ?? ''));
}
