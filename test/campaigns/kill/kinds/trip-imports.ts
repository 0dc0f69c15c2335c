import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { spawnWaybridge } from '../../../processes/waybridge-process.ts';
import { evaluate } from '../evaluate.ts';
import { UnexpectedAnswer } from '../service.ts';
import type { Round, RoundOfKind, WriteKind } from '../write-kind.ts';
import { shownBy } from '../write.ts';

import { startOf } from './positions.ts';

interface ShownTrip {
  readonly point_count: number;
  readonly duration_seconds: number;
  readonly start_point: { readonly timestamp: string };
}

const TRIPS = 30;
const POINTS = 60;
const TRIP_MS = 220_000;
const FORMATS = ['gpx', 'csv', 'ndjson', 'geojson'] as const;

/** Files of trips, imported by the command line beside the servers; the next round repeats what was killed. */
export function tripImports(): WriteKind {
  const unfinished: (() => Promise<void>)[] = [];
  return {
    name: 'trip imports (command)',
    // No power is lost for a command that runs on.
    without: ['power loss'],
    begin: (round) => beginRound(round, unfinished),
    finish: async () => {
      while (unfinished.length > 0) await unfinished.shift()?.();
    },
  };
}

/** @param unfinished imports that were killed, of any round: each is repeated by the next command */
async function beginRound(round: Round, unfinished: (() => Promise<void>)[]): Promise<RoundOfKind> {
  const { number, fleet, newLedger } = round;
  const ledger = newLedger();
  const start = startOf(round);
  const format = FORMATS[number % FORMATS.length] ?? 'gpx';
  const file = join(fleet.folder, `round-${number}.${format}`);
  await writeFile(file, written(format, start));
  const running = new Set<ReturnType<typeof spawnWaybridge>>();
  const writes = Array.from({ length: TRIPS }, (_, trip) =>
    ledger.note(new Date(start + trip * TRIP_MS).toISOString(), `${POINTS} points, ${POINTS - 1} seconds`),
  );
  const importIt = async () => {
    const columns = format === 'csv' || format === 'ndjson' ? ['--map', 'trip=trip'] : [];
    const child = spawnWaybridge(
      ['trips', 'import', file, '--vehicle', fleet.importVehicle, ...columns],
      fleet.settings,
    );
    running.add(child);
    child.stdin.end();
    ledger.counts.attempted += writes.length;
    const [, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    running.delete(child);
    if (child.exitCode === 0) ledger.acknowledge(writes);
    else if (child.signalCode === 'SIGKILL') {
      ledger.counts.unanswered += writes.length;
      unfinished.push(importIt);
    } else throw new UnexpectedAnswer(`trips import ${file} ended with ${child.exitCode}: ${stderr}`);
  };
  return {
    ledger,
    writers: 1,
    write: async () => {
      await unfinished.shift()?.();
      await importIt();
      return false;
    },
    kill: () => {
      for (const child of running) child.kill('SIGKILL');
    },
    verify: async (from) => {
      const query = `{ trips(vehicle_key: "${fleet.importVehicle}", started_after: "${new Date(start).toISOString()}",
          started_before: "${new Date(start + TRIPS * TRIP_MS).toISOString()}", first: 1000) {
          nodes { point_count duration_seconds start_point { timestamp } } } }`;
      const { trips } = await from.query<{ trips: { nodes: ShownTrip[] } }>(query, fleet.owner.headers);
      const shown = shownBy(trips.nodes.map(entryOf));
      const missing = writes.filter(({ id }) => !shown.has(id)).length;
      const isPart = missing > 0 && missing < writes.length;
      return [
        ...evaluate(ledger.writes, [{ name: 'GraphQL trips', shown, isExclusive: true }]),
        ...(isPart && !writes[0]?.isAcknowledged
          ? [{ fault: 'half', id: file, detail: `${missing} of ${writes.length} trips are missing` } as const]
          : []),
      ];
    },
  };
}

function entryOf({ point_count, duration_seconds, start_point }: ShownTrip): [string, string] {
  return [new Date(start_point.timestamp).toISOString(), `${point_count} points, ${duration_seconds} seconds`];
}

function written(format: (typeof FORMATS)[number], start: number): string {
  const trips = Array.from({ length: TRIPS }, (_, trip) =>
    Array.from({ length: POINTS }, (_, at) => ({
      trip,
      time: new Date(start + trip * TRIP_MS + at * 1000).toISOString(),
      lat: (52 + trip / 10 + at / 10_000).toFixed(4),
      lon: (9 + at / 10_000).toFixed(4),
    })),
  );
  if (format === 'csv')
    return ['trip,time,lat,lon', ...trips.flat().map((row) => Object.values(row).join(','))].join('\n');
  if (format === 'ndjson')
    return trips
      .flat()
      .map((row) => JSON.stringify(row))
      .join('\n');
  if (format === 'gpx') {
    const point = ({ lat, lon, time }: { lat: string; lon: string; time: string }) =>
      `<trkpt lat="${lat}" lon="${lon}"><time>${time}</time></trkpt>`;
    const tracks = trips.map((trip) => `<trk><trkseg>${trip.map(point).join('')}</trkseg></trk>`);
    return `<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">${tracks.join('\n')}</gpx>`;
  }
  const features = trips.map((trip) => ({
    type: 'Feature',
    geometry: { type: 'LineString', coordinates: trip.map(({ lat, lon }) => [Number(lon), Number(lat)]) },
    properties: { coordTimes: trip.map(({ time }) => time) },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}
