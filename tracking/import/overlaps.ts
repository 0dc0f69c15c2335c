import type { Service } from '../../models/store/service.ts';
import { pickTripPoints, type TripPoints } from '../../models/trips/trip-points.ts';
import type { TripLimits } from '../../models/trips/trip-limits.ts';
import { metersBetween } from '../geometry/motion.ts';
import { type TripFacts, tripFacts } from '../geometry/trip-facts.ts';
import { overlappingTrips, positionsOf } from '../trips/overlapping-trips.ts';
import { isSameDrive } from '../trips/same-drive.ts';
import { fingerprintOf, type TripToStage } from '../trips/stage-trip.ts';
import type { Overlap } from './file-formats.ts';

/** A trip of a file, and its parts to store. */
export interface Compared<Trip extends TripToStage> {
  readonly trip: Trip;
  /** The trip itself, parts of it, or nothing. */
  readonly parts: readonly Trip[];
  /** The trip of which it is another recording; null if there is none. */
  readonly recorded: Recorded | null;
}

/** A trip that the vehicle has, or gets from the same file. */
interface Recorded {
  /** The key of a visible trip, or the earlier trip of the file. */
  readonly trip: string | TripToStage;
  readonly vehicle_key: string;
  readonly fingerprint: string;
  readonly from: number;
  readonly until: number;
  readonly points: () => TripPoints | Promise<TripPoints>;
}

/** Maximum numbers of trips and of positions of a file that are kept to compare later ones with. */
const MAX_KEPT = { trips: 1000, positions: 200_000 };

/** Finds trips of a file that the vehicle has already, also from the same file. */
export class Overlaps {
  readonly #service: Service;
  readonly #limits: TripLimits;
  readonly #overlap: Overlap;
  readonly #recent: Recorded[] = [];
  #positions = 0;

  constructor(service: Service, limits: TripLimits, overlap: Overlap) {
    this.#service = service;
    this.#limits = limits;
    this.#overlap = overlap;
  }

  /** Compares the next trips of a file with those that are visible, and with those before them. */
  async compare<Trip extends TripToStage>(trips: readonly Trip[]): Promise<Compared<Trip>[]> {
    const compared: Compared<Trip>[] = [];
    const visible = (await overlappingTrips(this.#service, trips)).map((trip): Recorded => {
      let points: Promise<TripPoints> | undefined;
      const load = () => {
        points ??= positionsOf(this.#service, trip);
        return points;
      };
      const { key, vehicle_key, fingerprint } = trip;
      return { trip: key, vehicle_key, fingerprint, ...spanOf(trip), points: load };
    });
    for (const trip of trips) {
      const result = await this.#compare(trip, visible);
      compared.push(result);
      for (const part of result.parts) this.#keep(part);
    }
    return compared;
  }

  async #compare<Trip extends TripToStage>(trip: Trip, visible: readonly Recorded[]): Promise<Compared<Trip>> {
    const { from, until } = spanOf(trip.facts);
    const others = [...visible, ...this.#recent].filter(
      (other) => other.vehicle_key === trip.vehicle_key && other.from <= until && other.until >= from,
    );
    const fingerprint = others.length === 0 ? '' : fingerprintOf(trip.points);
    // Exactly the same trip is found when it is stored.
    if (others.some((other) => other.fingerprint === fingerprint)) return { trip, parts: [trip], recorded: null };
    const same: { readonly recorded: Recorded; readonly from: number; readonly until: number }[] = [];
    for (const recorded of others) {
      const points = await recorded.points();
      if (isSameDrive(trip.points, points)) same.push({ recorded, ...timesOf(points) });
    }
    const common = (one: { readonly from: number; readonly until: number }) =>
      Math.min(until, one.until) - Math.max(from, one.from);
    const [first] = same.toSorted((one, other) => common(other) - common(one));
    if (!first) return { trip, parts: [trip], recorded: null };
    const { recorded } = first;
    if (this.#overlap === 'keep') return { trip, parts: [trip], recorded };
    if (this.#overlap === 'skip') return { trip, parts: [], recorded };
    const parts = partsOutside(trip.points, same).filter((part) => isTrip(part, this.#limits));
    return { trip, parts: parts.map((points) => ({ ...trip, points, facts: tripFacts(points) })), recorded };
  }

  #keep(trip: TripToStage): void {
    const { vehicle_key, points, facts } = trip;
    this.#recent.push({
      ...{ trip, vehicle_key, fingerprint: fingerprintOf(points) },
      ...spanOf(facts),
      points: () => points,
    });
    this.#positions += points.length;
    while (this.#positions > MAX_KEPT.positions || this.#recent.length > MAX_KEPT.trips) {
      const { trip: oldest } = this.#recent.shift() ?? {};
      this.#positions -= typeof oldest === 'object' ? oldest.points.length : 0;
    }
  }
}

function spanOf({ start_point, end_point }: Pick<TripFacts, 'start_point' | 'end_point'>) {
  return { from: start_point.timestamp.getTime(), until: end_point.timestamp.getTime() };
}

function timesOf({ time }: TripPoints) {
  const [from, until] = time.reduce(([min, max], at) => [Math.min(min, at), Math.max(max, at)], [Infinity, -Infinity]);
  return { from, until };
}

type Span = ReturnType<typeof spanOf>;

/** The parts of a trip that are outside of some spans of time. */
function partsOutside(points: TripPoints, spans: readonly Span[]): TripPoints[] {
  const parts: number[][] = [];
  let last: number | null = null;
  for (const [at, time] of points.time.entries()) {
    if (spans.some(({ from, until }) => time >= from && time <= until)) continue;
    const before = last;
    const isCut = before === null || spans.some(({ from, until }) => from > before && until < time);
    if (isCut) parts.push([at]);
    else parts.at(-1)?.push(at);
    last = time;
  }
  return parts.map((numbers) => pickTripPoints(points, numbers));
}

/** Returns true if a part of a trip leads as far and takes as long as a trip. */
function isTrip(points: TripPoints, { movement, minimum_meters, minimum_time }: TripLimits): boolean {
  const { length, time } = points;
  const away = [...time.keys()].map((at) => metersBetween(points, 0, at));
  const isFar = away.some((meters) => meters > movement && meters >= minimum_meters);
  return isFar && (time[length - 1] ?? 0) - (time[0] ?? 0) >= minimum_time;
}
