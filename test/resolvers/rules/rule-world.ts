import type { Headers } from '../../clients/account-client.ts';
import type { recordingDevice, SentPoint } from '../../hosts/ingest-host.ts';
import { seenTrips } from '../../hosts/ingest-host.ts';
import { atTime, type Host, pointAt, request } from '../places/visit-world.ts';

/** An event as REST answers it. */
export interface SeenEvent {
  readonly key: string;
  readonly event: string;
  readonly timestamp: string;
  readonly context: {
    readonly rule: { readonly key: string } | null;
    readonly ended: string | null;
    readonly max_speed: number | null;
    readonly trip: { readonly key: string } | null;
  };
}

/** A rule, by the time in seconds after noon from which it holds. */
export interface MadeRule {
  readonly key: string;
  readonly speed_limit?: number;
  readonly silent_minutes?: number;
  readonly since: number;
}

/** Makes a rule some seconds after noon. */
export async function rule(
  host: Host,
  headers: Headers,
  limit: { speed_limit: number } | { silent_minutes: number },
  since = -3600,
): Promise<MadeRule> {
  const { body } = await atTime(since, () => request(host, 'POST', '/rules', headers, { name: 'Rule', ...limit }));
  return { key: (body as { key: string }).key, ...limit, since };
}

/** A position some seconds after noon, with a speed in miles per hour that its way of 25 meters a second allows. */
export function drivenAt(seconds: number, speed: number, ...events: string[]): SentPoint {
  return { ...pointAt(seconds, seconds / 4, ...events), speed };
}

/** The events of rules of a vehicle: rule, start, end and greatest speed, in order. */
export async function ruleEventsOf(host: Host, { owner, vehicle_key }: Awaited<ReturnType<typeof recordingDevice>>) {
  const path = `/events?vehicle_key=${vehicle_key}&size=200`;
  const { body } = await request(host, 'GET', path, owner.headers);
  const { events } = body as { events: SeenEvent[] };
  return inOrder(
    events.flatMap(({ timestamp, context: { rule, ended, max_speed } }) =>
      rule === null ? [] : [[rule.key, timestamp, ended, max_speed === null ? null : Math.round(max_speed)]],
    ),
  );
}

type Row = (string | number | null)[];

function inOrder(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => JSON.stringify(a.slice(0, 2)).localeCompare(JSON.stringify(b.slice(0, 2))));
}

const secondsOf = (timestamp: string) => (Date.parse(timestamp) - Date.parse(pointAt(0, 0).timestamp)) / 1000;

/** The events that rules make of a device's trips and of all positions that it sent, one position after the other. */
export async function expectedEvents(
  host: Host,
  device: Awaited<ReturnType<typeof recordingDevice>>,
  sent: readonly SentPoint[],
  rules: readonly MadeRule[],
  isSilentNow: boolean,
): Promise<Row[]> {
  const trips = (await seenTrips(host, device)).toSorted((a, b) => startOf(a).localeCompare(startOf(b)));
  const rows: Row[] = [];
  for (const { key, speed_limit, silent_minutes, since } of rules) {
    if (speed_limit !== undefined) {
      for (const trip of trips) {
        const points = trip.points as { timestamp: string; speed: number | null; events: string[] }[];
        let open: Row | null = null;
        for (const { timestamp, speed } of points) {
          if (speed === null || speed <= speed_limit || secondsOf(timestamp) < since) {
            open = null;
          } else if (open) {
            [open[2], open[3]] = [timestamp, Math.max(Number(open[3]), Math.round(speed))];
          } else {
            open = [key, timestamp, timestamp, Math.round(speed)];
            rows.push(open);
          }
        }
        const end = points.at(-1);
        const isFollowed = sent.some(({ timestamp }) => timestamp > (end?.timestamp ?? ''));
        const isOver = isFollowed || end?.events.includes('engine_stop');
        if (open && !isOver) open[2] = null;
      }
    }
    if (silent_minutes !== undefined) {
      const times = [...new Set(sent.map(({ timestamp }) => timestamp))].toSorted();
      for (const [at, from] of times.entries()) {
        const { [at + 1]: until } = times;
        if (secondsOf(from) < since) continue;
        if (until === undefined ? isSilentNow : secondsOf(until) - secondsOf(from) >= silent_minutes * 60)
          rows.push([key, from, until ?? null, null]);
      }
    }
  }
  return inOrder(rows);
}

function startOf(trip: Record<string, unknown>): string {
  return (trip.start_point as { timestamp: string }).timestamp;
}
