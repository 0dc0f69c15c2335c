import { drive } from '../../server/demo/drive.ts';
import { Random } from '../../server/demo/random.ts';
import { routeAlong } from '../../server/demo/route.ts';
import { allStreets } from '../../server/demo/streets.ts';

/** Streets of a drive, and seconds for which a vehicle is parked after it. */
const STREETS_A_DRIVE = [3, 7] as const;
const PARKED_SECONDS = [60, 240] as const;
const MILES_PER_HOUR = 3600 / 1609.344;

/** A trip point as the ingest endpoint takes it. */
export interface SimulatedPoint {
  readonly point: { readonly lat: number; readonly lon: number };
  /** ISO 8601. */
  readonly timestamp: string;
  /** Miles per hour. */
  readonly speed: number;
  /** Degrees clockwise from north. */
  readonly heading: number;
  readonly events?: readonly string[];
}

/** A position, and when the device sends it: milliseconds since 1970. */
export interface Delivery {
  readonly due: number;
  readonly point: SimulatedPoint;
}

/** A vehicle of a simulation. */
export interface SimulatedVehicle {
  readonly seed: string;
  /** Number of the vehicle, from 1. */
  readonly number: number;
  /** Start of the simulation, in milliseconds since 1970: whole seconds. */
  readonly start: number;
  readonly everySeconds: number;
}

/**
 * Records what a vehicle drives, without an end: drives from place to place along the streets of the demonstration, each
 * from `engine_start` to `engine_stop`, and pauses in which it is parked and records nothing. In order of time, each sent when
 * it is recorded; the same for the same vehicle.
 */
export function* recordingsOf({ seed, number, start, everySeconds }: SimulatedVehicle): Generator<Delivery> {
  const random = new Random(`${seed} vehicle ${number}`);
  let place = oneOf(allStreets(), random).from;
  let started = start + Math.floor(random.between(0, everySeconds)) * 1000;
  for (;;) {
    const places = placesFrom(place, Math.floor(random.between(...STREETS_A_DRIVE)), random);
    const { length, time, lat, lon, speed, heading, events } = drive(routeAlong(places), started, random, everySeconds);
    for (let i = 0; i < length; i++) {
      const at = time[i] ?? started;
      const here = events.get(i);
      const point = {
        point: { lat: lat[i] ?? 0, lon: lon[i] ?? 0 },
        timestamp: new Date(at).toISOString(),
        speed: Math.round((speed[i] ?? 0) * MILES_PER_HOUR * 10) / 10,
        heading: heading[i] ?? 0,
        ...(here && { events: here }),
      };
      yield { due: at, point };
    }
    const parked = Math.floor(random.between(...PARKED_SECONDS));
    started += ((length - 1) * everySeconds + parked) * 1000;
    place = places.at(-1) ?? place;
  }
}

/** Places of a drive: at each, a street that does not lead back, if there is one. */
function placesFrom(first: string, streets: number, random: Random): string[] {
  const places = [first];
  let [before, here]: [string | null, string] = [null, first];
  for (let i = 0; i < streets; i++) {
    const near = allStreets().flatMap(({ from, to }) => (from === here ? [to] : []));
    const onward = near.filter((place) => place !== before);
    [before, here] = [here, oneOf(onward.length > 0 ? onward : near, random)];
    places.push(here);
  }
  return places;
}

function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random.between(0, items.length))];
  if (item === undefined) throw new RangeError('Nothing to choose from');
  return item;
}
