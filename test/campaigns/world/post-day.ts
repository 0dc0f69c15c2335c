import { issueIngestKey } from '../../../auth/ingest-keys.ts';
import { leasedWorkEnded } from '../../../tracking/recording/device-lease.ts';
import { type ingestHost, recordingDevice } from '../../hosts/ingest-host.ts';
import { canSay, INGEST_PATHS, pointOf, type Saying } from '../../hosts/ingest-paths.ts';
import { account } from '../../services/account-fixture.ts';
import { testService } from '../../services/database.ts';
import type { Dice } from '../hostile/dice.ts';

import type { Day } from './campaign.ts';
import { BEGINNING, type Fix } from './fixes.ts';
import type { FoundTrip } from './score.ts';

type Host = Awaited<ReturnType<typeof ingestHost>>;

/** Positions in a request are sent one by one, on paths that take one, if there are at most so many. */
const ALONE = 4;

/** Speed by which a rule is above every true speed, and meters per second in a mile per hour. */
const [RULE_MARGIN, MPH] = [12, 0.44704];

/**
 * Sends the fixes of a day to a new account, in requests of any size, in any order nearby, on every path. Returns its trips, and
 * the events that are neither their starts nor their ends: a rule names a speed that the vehicle never had, and a place lies
 * where it never was.
 */
export async function postedDay(host: Host, { device: kind, sent, fixes, dice }: Day) {
  const owner = await account({ trip_settings: null });
  const device = await recordingDevice(owner);
  const forwarder = (await issueIngestKey(testService, { account_key: owner.key, device_key: null })).secret;
  const ask = (query: string) => host.ask(query, owner.headers);
  const fastest = fixes.reduce((most, { speed }) => Math.max(most, speed), 0) + RULE_MARGIN;
  await ask(`mutation { createRule(input: { name: "Fast", speed_limit: ${Math.ceil(fastest / MPH)} }) { key } }`);
  const place = '{ name: "Sea", point: { lat: 0, lon: 0 }, radius: 1000 }';
  await ask(`mutation { createPlace(input: ${place}) { key } }`);
  if (kind.limits) {
    const input = `{ gap_seconds: ${kind.limits.gap / 1000} }`;
    await ask(`mutation { updateDeviceTripSettings(key: "${device.device_key}", input: ${input}) { key } }`);
  }
  for (const said of requestsOf(sent.map(sayingOf), dice)) {
    const answers = [];
    for (const one of said.length > ALONE ? [] : said) {
      const paths = Object.entries(INGEST_PATHS).filter(([path]) => canSay(path, one));
      answers.push(await dice.pick(paths.map(([, send]) => send))(host, device, one, forwarder));
    }
    if (said.length > ALONE) answers.push(await host.post(device.secret, { points: said.map(pointOf) }));
    if (answers.some(({ status }) => status !== 200)) throw new Error(JSON.stringify(answers));
  }
  await leasedWorkEnded(testService);
  const ends = 'start_point { timestamp } end_point { timestamp }';
  const { trips } = await ask(
    `{ trips(vehicle_key: "${device.vehicle_key}", first: 1000) { nodes { ${ends} distance_meters } } }`,
  );
  const { events } = await ask('{ events(first: 1000) { nodes { event timestamp } } }');
  const found = (trips as { nodes: SeenTrip[] }).nodes
    .map((trip) => roundedTrip(secondsOf(trip.start_point), secondsOf(trip.end_point), trip.distance_meters))
    .toSorted((a, b) => a.start - b.start);
  const isOfTrips = ({ event, timestamp }: SeenEvent) =>
    event === 'trip_start'
      ? found.some(({ start }) => start === secondsOf({ timestamp }))
      : event === 'trip_end' && found.some(({ end }) => end === secondsOf({ timestamp }));
  return { found, others: (events as { nodes: SeenEvent[] }).nodes.filter((event) => !isOfTrips(event)) };
}

interface SeenTrip {
  readonly start_point: { readonly timestamp: string };
  readonly end_point: { readonly timestamp: string };
  readonly distance_meters: number;
}

interface SeenEvent {
  readonly event: string;
  readonly timestamp: string;
}

/** A trip whose distance is rounded: stored coordinates are. */
export function roundedTrip(start: number, end: number, meters: number): Omit<FoundTrip, 'isOpen'> {
  return { start, end, meters: Math.round(meters / 10) * 10, maxSpeed: 0 };
}

/** Positions in requests: a few, and up to a thousand. */
function requestsOf(said: readonly Saying[], dice: Dice): Saying[][] {
  const requests: { said: Saying[]; rank: number }[] = [];
  for (let from = 0; from < said.length; ) {
    const size = dice.chance(0.5) ? 1 + dice.below(ALONE) : 20 + dice.below(40);
    requests.push({ said: said.slice(from, from + size), rank: requests.length + dice.below(3) });
    from += size;
  }
  return requests.toSorted((a, b) => a.rank - b.rank).map((request) => request.said);
}

function sayingOf({ at, lat, lon, speed, ignition, accuracy }: Fix): Saying {
  return {
    at: new Date(BEGINNING + at * 1000),
    place: [lat, lon],
    speed,
    ...(ignition !== null && { ignition }),
    ...(accuracy !== null && { accuracy }),
  };
}

function secondsOf({ timestamp }: { readonly timestamp: string }): number {
  return (Date.parse(timestamp) - BEGINNING) / 1000;
}
