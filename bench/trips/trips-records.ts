import { newKey } from '../../models/key.ts';
import type { Service } from '../../models/store/service.ts';
import { unrestricted } from '../../models/store/tenancy.ts';
import { TripStore } from '../../models/trips/trip.ts';
import { emptyTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import { bucketsOf, TripPointsBucketStore } from '../../models/trips/trip-points-bucket.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../models/trips/trip-points-codec.ts';
import { storedLines } from '../../tracking/geometry/stored-lines.ts';
import { tripFacts } from '../../tracking/geometry/trip-facts.ts';

const DAY_MS = 86_400_000;
/** Midnight before the first trip. */
export const FIRST_DAY = Date.UTC(2016, 0, 1);
const HIDDEN = { staged: false, staged_by: [], imported_by: null } as const;

/** The trips of a vehicle. */
interface BenchTrips {
  readonly account_key: string;
  readonly vehicle_key: string;
  /** Number of trips, from {@link FIRST_DAY} on. */
  readonly count: number;
  readonly perDay: number;
  readonly points: number;
  /** Of how many different drives they are made; the others repeat them at other times. */
  readonly drives: number;
  /** Vehicle and driver of a trip by its number; the vehicle and nobody by default. */
  readonly ofWhom?: (number: number) => { readonly vehicle_key: string; readonly user_key: string | null };
  /** True to store positions too, not the outline alone. */
  readonly withPoints: boolean;
}

/** Stores trips as an import leaves them. */
export async function benchTrips(service: Service, options: BenchTrips): Promise<void> {
  const { account_key, vehicle_key, count, perDay, points, withPoints } = options;
  const { ofWhom = () => ({ vehicle_key, user_key: null }) } = options;
  const drives = Array.from({ length: options.drives }, (_, seed) => {
    const track = cityDrive(points, FIRST_DAY, seed);
    return { track, facts: tripFacts(track), lines: storedLines(track) };
  });
  for (let from = 0; from < count; from += 500) {
    const trips = Array.from({ length: Math.min(500, count - from) }, (_, i) => {
      const number = from + i;
      const drive = drives[number % drives.length];
      if (!drive) throw new RangeError('A bench of trips needs a drive');
      const shift = Math.floor(number / perDay) * DAY_MS + (number % perDay) * Math.floor(DAY_MS / perDay);
      const key = newKey();
      const record = {
        ...shiftDates(drive.facts, shift),
        ...{ key, account_key, device_key: null, tags: [], ...ofWhom(number) },
        ...HIDDEN,
        ...{ fingerprint: key, ...drive.lines },
      };
      const time = drive.track.time.map((instant) => instant + shift);
      return { record, buckets: withPoints ? bucketsOf(record, { ...drive.track, time }) : [] };
    });
    await TripStore.insertMany(
      unrestricted(service),
      trips.map(({ record }) => record),
      { lean: true },
    );
    await TripPointsBucketStore.insertMany(
      unrestricted(service),
      trips.flatMap(({ buckets }) => buckets),
      { lean: true },
    );
  }
}

/** Moves every date in a record. */
function shiftDates<T>(value: T, shift: number): T {
  if (value instanceof Date) return new Date(value.getTime() + shift) as T;
  if (Array.isArray(value)) return value.map((part) => shiftDates(part, shift)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shiftDates(part, shift)])) as T;
}

/** A drive through a town of blocks: a position a second, turns at crossings, halts, and the slow noise of a receiver. */
export function cityDrive(length: number, start: number, seed: number): TripPoints {
  const points = emptyTripPoints(length);
  let state = seed + 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  let [lat, lon, heading, left, speed] = [53.05 + random() / 20, 8.75 + random() / 10, 0, 0, 0];
  let [latNoise, lonNoise] = [0, 0];
  for (let i = 0; i < length; i++) {
    if (left <= 0) {
      heading = (heading + ([0, 90, 270][Math.floor(random() * 3)] ?? 0)) % 360;
      left = 80 + random() * 250;
    }
    speed = Math.max(0, Math.min(16, speed + (random() - 0.47) * 3));
    left -= speed;
    lat += (speed * Math.cos((heading * Math.PI) / 180)) / 111_195;
    lon += (speed * Math.sin((heading * Math.PI) / 180)) / 66_700;
    points.time[i] = start + i * 1000;
    latNoise = latNoise * 0.98 + (random() - 0.5) * 1.2e-5;
    lonNoise = lonNoise * 0.98 + (random() - 0.5) * 2e-5;
    points.lat[i] = storedDegrees(lat + latNoise);
    points.lon[i] = storedDegrees(lon + lonNoise);
    points.speed[i] = storedSpeed(speed);
    points.heading[i] = storedHeading((heading + random() * 6) % 360);
  }
  return points;
}
