import type { ingestHost, recordingDevice } from './ingest-host.ts';

type Device = Awaited<ReturnType<typeof recordingDevice>>;
type Host = Awaited<ReturnType<typeof ingestHost>>;

/** A report of a device, in the terms of no path. */
export interface Saying {
  readonly at: Date;
  /** Null if there is no fix. */
  readonly place: readonly [lat: number, lon: number] | null;
  readonly accuracy?: number;
  /** Meters per second. */
  readonly speed?: number;
  /** As the device writes it. */
  readonly ignition?: unknown;
  /** Name of an alarm in our spelling. */
  readonly alarm?: string;
}

/** Sends what a device says on one path; `forwarder` is the key of a forwarder of its account. */
export type Sending = (host: Host, device: Device, saying: Saying, forwarder: string) => Promise<{ status: number }>;

/** Meters per second in other units of speed. */
const [MPH, KNOTS, KMH] = [0.44704, 1852 / 3600, 1 / 3.6];

/** A report as a position of the own endpoint. */
export const pointOf = ({ at, place, alarm, speed, ...facts }: Saying) => ({
  point: place && { lat: place[0], lon: place[1] },
  timestamp: at.toISOString(),
  ...(speed !== undefined && { speed: speed / MPH }),
  ...facts,
  ...(alarm !== undefined && { events: [alarm] }),
});

const send = async (host: Host, url: string, headers: object, body?: object) => {
  const { statusCode: status } = await host.app.inject({
    method: body ? 'POST' : 'GET',
    url: `/api/v2/ingest/${url}`,
    headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
    ...(body && { payload: body }),
  });
  return { status };
};

/** Each way on which positions come. */
export const INGEST_PATHS: Readonly<Record<string, Sending>> = {
  points: (host, { secret }, saying) => host.post(secret, { points: [pointOf(saying)] }),
  batch: (host, { serial }, saying, forwarder) =>
    host.post(forwarder, { batch: [{ serial, points: [pointOf(saying)] }] }),
  Traccar: (host, { serial }, { at, place, accuracy = 0, speed, ignition, alarm }, forwarder) =>
    host.post(forwarder, {
      device: { uniqueId: serial },
      position: {
        ...{ deviceTime: at.toISOString(), fixTime: at.toISOString(), valid: place !== null, accuracy },
        ...{ latitude: place?.[0] ?? 0, longitude: place?.[1] ?? 0, attributes: { ignition, alarm } },
        ...(speed !== undefined && { speed: speed / KNOTS }),
      },
    }),
  OwnTracks: (host, { secret }, { at, place, accuracy, speed, ignition }) => {
    const vel = speed === undefined ? undefined : speed / KMH;
    const message = { _type: 'location', lat: place?.[0], lon: place?.[1], acc: accuracy, vel, ign: ignition };
    const authorization = `Basic ${Buffer.from(`van:${secret}`).toString('base64')}`;
    return send(host, 'owntracks', { authorization }, { ...message, tst: at.getTime() / 1000 });
  },
  'OsmAnd by GET': (host, { secret }, { at, place, speed, ...facts }) => {
    const knots = speed === undefined ? undefined : speed / KNOTS;
    const given = { timestamp: at.getTime(), lat: place?.[0], lon: place?.[1], speed: knots, ...facts };
    const texts = Object.entries(given).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return send(host, `osmand?${new URLSearchParams([['id', secret], ...texts])}`, {});
  },
  'OsmAnd in JSON': (host, { secret }, { at, place, accuracy, speed, ignition, alarm }) => {
    const coords = place && { latitude: place[0], longitude: place[1], accuracy, speed };
    const location = { timestamp: at.toISOString(), coords, alarm, extras: { ignition } };
    return send(host, 'osmand', {}, { device_id: secret, location });
  },
  Overland: (host, { secret }, { at, place, accuracy, speed }) => {
    const geometry = { type: 'Point', coordinates: place && [place[1], place[0]] };
    const properties = { timestamp: at.toISOString(), horizontal_accuracy: accuracy, speed };
    const authorization = `Bearer ${secret}`;
    return send(host, 'overland', { authorization }, { locations: [{ type: 'Feature', geometry, properties }] });
  },
};

/** Returns true if a path has words for all of a report: apps of phones know neither alarms nor, some, the ignition. */
export function canSay(path: string, { place, ignition, alarm }: Partial<Saying>): boolean {
  if (path === 'OwnTracks') return alarm === undefined;
  return path !== 'Overland' || (place !== null && ignition === undefined && alarm === undefined);
}
