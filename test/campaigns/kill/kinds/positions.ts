import { setTimeout } from 'node:timers/promises';

import type { Random } from '../../../../server/demo/random.ts';
import { evaluate, evaluateCount } from '../evaluate.ts';
import type { FleetDevice, Headers } from '../fleet.ts';
import { type Service, UnexpectedAnswer } from '../service.ts';
import { jsonBody, type Round, type RoundOfKind, type WriteKind } from '../write-kind.ts';
import { type Finding, shownBy } from '../write.ts';

/**
 * Seconds of driving in a round, with a stop half-way. No engine is said to start: where its stop is not sent, a trip that is
 * known to go on would have the positions of the next round.
 */
const SECONDS = 240;
const STOPS = [119, SECONDS - 1];
const RESUMED = 125;
/** Seconds of the positions that are sent before any server is killed: with them all others are in trips, whichever are sent. */
const DEPARTURES = [0, 2, RESUMED, RESUMED + 2];
/** Hours from the positions of one round to those of the next, so that no trip goes on. */
const ROUND_MS = 2 * 3_600_000;
const MAX_IN_A_REQUEST = 15;
/** Time after the kill of the round before in which every device is accepted again, and from one try to the next, in milliseconds. */
const MAX_RECOVERY_MS = 15_000;
const RETRY_MS = 100;
/** A knot in miles per hour. */
const KNOT = 1852 / 1609.344;

interface Position {
  readonly lat: number;
  readonly lon: number;
  readonly time: number;
  readonly heading: number;
  readonly speed: number;
  readonly events: readonly string[];
}

interface ShownPoint {
  readonly point: { readonly lat: number; readonly lon: number };
  readonly timestamp: string;
  readonly speed: number;
  readonly heading: number;
  readonly events: readonly string[];
}

const idOf = ({ serial }: FleetDevice, time: number) => `${serial} ${new Date(time).toISOString()}`;
const valueOfPosition = ({ lat, lon, speed, heading, events }: Omit<Position, 'time'>) =>
  [lat.toFixed(5), lon.toFixed(5), speed.toFixed(0), heading.toFixed(0), ...[...events].sort()].join(' ');

/** When the positions of a round begin. */
export function startOf({ fleet, number }: Round): number {
  return fleet.start + number * ROUND_MS;
}

/** Positions of devices with keys of their own: many in a request, in any order, every tenth request twice. */
export const devicePositions: WriteKind = {
  name: 'positions of devices (ingest)',
  begin: async (round, server) => positionsOf(round, server, round.fleet.devices, deviceRequests),
};

/** Positions that Traccar forwards: one in a request. */
export const forwardedPositions: WriteKind = {
  name: 'positions forwarded (ingest, Traccar)',
  begin: async (round, server) => positionsOf(round, server, round.fleet.forwarded, forwarderRequests),
};

interface IngestRequest {
  readonly device: FleetDevice;
  readonly positions: readonly Position[];
  readonly body: unknown;
}

/** Requests of a device in a round. */
interface DeviceRequests {
  readonly departures: readonly IngestRequest[];
  readonly others: readonly IngestRequest[];
}

function deviceRequests(device: FleetDevice, start: number, random: Random): DeviceRequests {
  const positions: Position[] = [];
  for (let second = 0; second < SECONDS; second++) {
    if (DEPARTURES.includes(second) || (second > (STOPS[0] ?? 0) && second < RESUMED)) continue;
    positions.push({ ...positionAt(start, second), events: STOPS.includes(second) ? ['engine_stop'] : [] });
  }
  const requestOf = (some: readonly Position[]) => ({ device, positions: some, body: { points: some.map(pointOf) } });
  const mixed = shuffled(positions, random);
  const others: IngestRequest[] = [];
  while (mixed.length > 0) {
    const request = requestOf(mixed.splice(0, Math.ceil(random.between(0, MAX_IN_A_REQUEST))));
    others.push(request);
    if (others.length % 10 === 0) others.push(request);
  }
  return { departures: [requestOf(DEPARTURES.map((second) => positionAt(start, second)))], others };
}

function pointOf({ lat, lon, time, ...others }: Position) {
  return { point: { lat, lon }, timestamp: new Date(time).toISOString(), ...others };
}

function forwarderRequests(device: FleetDevice, start: number, random: Random): DeviceRequests {
  const knots = 20;
  const requestAt = (number: number) => {
    const position = { ...positionAt(start, number * 2), speed: knots * KNOT };
    const { lat: latitude, lon: longitude, time, heading: course } = position;
    const fixTime = new Date(time).toISOString().replace('Z', '+00:00');
    const fix = {
      protocol: 'gt06',
      valid: true,
      fixTime,
      deviceTime: fixTime,
      latitude,
      longitude,
      course,
      speed: knots,
    };
    const body = {
      position: { ...fix, attributes: { ignition: true, motion: true } },
      device: { id: 1, uniqueId: device.serial, name: device.serial, attributes: {} },
    };
    return { device, positions: [position], body };
  };
  const [first, second, ...others] = Array.from({ length: 60 }, (_, number) => requestAt(number));
  return { departures: [first, second].filter((request) => request !== undefined), others: shuffled(others, random) };
}

function positionAt(start: number, second: number): Position {
  return {
    lat: 53 + second / 10_000,
    lon: 8.8 + second / 10_000,
    time: start + second * 1000,
    heading: second % 360,
    speed: 30 + (second % 20),
    events: [],
  };
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => [random.next(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

async function positionsOf(
  round: Round,
  first: Service,
  devices: readonly FleetDevice[],
  requestsOf: (device: FleetDevice, start: number, random: Random) => DeviceRequests,
): Promise<RoundOfKind> {
  const start = startOf(round);
  const ledger = round.newLedger();
  const send = async (server: Service, { device, positions, body }: IngestRequest) => {
    const writes = positions.map((position) => ledger.note(idOf(device, position.time), valueOfPosition(position)));
    const answer = await ledger.send(writes, () => server.ask('/api/v2/ingest', { headers: device.headers, body }));
    if (!answer) return false;
    const { accepted, duplicates } = jsonBody<{ accepted: number; duplicates: number }>(answer);
    if (accepted + duplicates !== positions.length) throw new UnexpectedAnswer(`POST /ingest answered ${answer.text}`);
    return true;
  };
  const requests = devices.map((device) => requestsOf(device, start, round.random));
  const recovered = AbortSignal.timeout(MAX_RECOVERY_MS);
  for (const request of requests.flatMap(({ departures }) => departures))
    while (!(await send(first, request))) {
      if (recovered.aborted) throw new UnexpectedAnswer(`${request.device.serial} is still refused`);
      await setTimeout(RETRY_MS);
    }
  const queue = shuffled(
    requests.flatMap(({ others }) => others),
    round.random,
  );
  return {
    ledger,
    writers: 6,
    write: async (server) => {
      const request = queue.shift();
      if (!request) return false;
      await send(server, request);
      return true;
    },
    verify: async (server, isFirst) => {
      const findings: Finding[] = [];
      const shown: [string, string][] = [];
      for (const device of devices) {
        const seen = await seenOf(server, round.fleet.owner.headers, device, start);
        findings.push(...seen.findings);
        shown.push(...seen.shown);
        if (!isFirst)
          findings.push(
            ...(await sendAgain(
              server,
              device,
              start,
              ledger.acknowledged.map(({ id }) => id),
            )),
          );
      }
      const view = { name: 'GraphQL tripPoints', shown: shownBy(shown), isExclusive: true };
      return [...findings, ...evaluate(ledger.writes, [view])];
    },
  };
}

interface Page<T> {
  readonly page: {
    readonly nodes: readonly T[];
    readonly page_info: { readonly end_cursor: string | null; readonly has_next_page: boolean };
  };
}

/** All positions of a device's trips of a round, and what the counts of trips and the export say otherwise. */
async function seenOf(server: Service, headers: Headers, device: FleetDevice, start: number) {
  const after = new Date(start).toISOString();
  const before = new Date(start + ROUND_MS).toISOString();
  const list = `{ page: trips(vehicle_key: "${device.vehicle_key}", started_after: "${after}", started_before: "${before}", first: 1000) {
    nodes { key point_count } page_info { has_next_page } } }`;
  const trips = (await server.query<Page<{ key: string; point_count: number }>>(list, headers)).page.nodes;
  const findings: Finding[] = [];
  const shown: [string, string][] = [];
  for (const { key, point_count } of trips) {
    const query = `{ page: tripPoints(trip_key: "${key}") {
      nodes { point { lat lon } timestamp speed heading events } page_info { has_next_page } } }`;
    const points = (await server.query<Page<ShownPoint>>(query, headers)).page.nodes;
    for (const { point, timestamp, ...others } of points) {
      shown.push([idOf(device, Date.parse(timestamp)), valueOfPosition({ ...point, ...others })]);
    }
    const exported = await server.ask(`/api/v2/trip/${key}.gpx`, { headers });
    const exportedCount = exported.text.split('<trkpt').length - 1;
    findings.push(
      ...evaluateCount(`point_count of trip ${key}`, point_count, points.length),
      ...evaluateCount(`GET /trip/${key}.gpx`, exportedCount, points.length),
    );
  }
  return { findings, shown };
}

/** Sends what was acknowledged once more: the service must know all of it. */
async function sendAgain(
  server: Service,
  device: FleetDevice,
  start: number,
  ids: readonly string[],
): Promise<Finding[]> {
  const known = new Set(ids);
  const points = Array.from({ length: SECONDS }, (_, second) => positionAt(start, second))
    .filter(({ time }) => known.has(idOf(device, time)))
    .map(pointOf);
  if (points.length === 0 || device.serial.startsWith('FW')) return [];
  const answer = await server.ask('/api/v2/ingest', { headers: device.headers, body: { points } });
  if (answer.status === 503) return [];
  const { accepted } = jsonBody<{ accepted: number }>(answer);
  return accepted === 0 ? [] : [{ fault: 'lost', id: device.serial, detail: `${accepted} positions were taken again` }];
}
