import fc, { type GeneratorValue } from 'fast-check';

import { haversineMeters } from '../../../tracking/geometry/haversine.ts';

/** A place on the ground. */
export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** A position to record. */
export interface PlannedPosition extends Place {
  /** Milliseconds since 1970, whole seconds. */
  readonly time: number;
  /** Metres per second. */
  readonly speed: number;
  readonly events: readonly string[];
}

/** A privacy zone to make. */
export interface PlannedZone extends Place {
  readonly radius_meters: number;
  readonly trips: 'cut' | 'hide';
  /** Number of the trip before which it is made. */
  readonly before: number;
}

/** A trip as one of the worlds has it: positions in the order of their recording; none where it was not driven there. */
export interface PlannedTrip {
  readonly origin: 'file' | 'device';
  readonly positions: readonly PlannedPosition[];
  /** In how many requests a device sends them, and how these are shuffled. */
  readonly requests: number;
  readonly shuffle: number;
}

/** A world: what happened in it. */
export interface PlannedWorld {
  readonly trips: readonly PlannedTrip[];
  /** True where trips of offline devices have been closed before the comparison. */
  readonly isSettled: boolean;
}

/** Two worlds that differ only in positions inside zones, or in trips that a zone hides. */
export interface WorldPair {
  readonly zones: readonly PlannedZone[];
  readonly worlds: readonly [PlannedWorld, PlannedWorld];
  /** Positions that both worlds have. */
  readonly shared: readonly PlannedPosition[];
  /** When the worlds are looked at, and instants at which questions and tokens begin or end. */
  readonly now: number;
  readonly instants: readonly number[];
}

/** Later than the clock of a database that forgets what has expired. */
const START = Date.UTC(2050, 4, 1, 4);
const HOUR = 3_600_000;
const MIDDLE: Place = { lat: 53.08, lon: 8.81 };
const FAR: Place = { lat: 53.28, lon: 8.61 };
const METERS_PER_DEGREE = 111_195;

/** A place so many metres from another, in a direction in degrees, with the seven decimals that are stored. */
function placeAt({ lat, lon }: Place, meters: number, direction: number): Place {
  const [north, east] = [Math.cos((direction * Math.PI) / 180), Math.sin((direction * Math.PI) / 180)];
  const eastward = METERS_PER_DEGREE * Math.cos((lat * Math.PI) / 180);
  return {
    lat: Number((lat + (north * meters) / METERS_PER_DEGREE).toFixed(7)),
    lon: Number((lon + (east * meters) / eastward).toFixed(7)),
  };
}

/** Metres between two places. */
export function metersBetween(one: Place, other: Place): number {
  return haversineMeters(one.lat, one.lon, other.lat, other.lon);
}

/** Makes pairs of worlds from the choices of a generator. */
export class PairMaker {
  readonly #choose: GeneratorValue;
  readonly #zones: readonly PlannedZone[];
  /** Zones that cut trips, and one that hides them, if there is one. */
  readonly #cutting: readonly PlannedZone[];
  readonly #hiding: PlannedZone | null;
  readonly #shared: PlannedPosition[] = [];
  readonly #tripCount: number;

  constructor(choose: GeneratorValue) {
    this.#choose = choose;
    this.#tripCount = this.#upTo(2, 5);
    const hasHiding = this.#upTo(0, 3) === 0;
    this.#zones = Array.from({ length: this.#upTo(1, 3) }, (_, at) => ({
      ...placeAt(MIDDLE, this.#upTo(0, 2500), this.#upTo(0, 359)),
      radius_meters: this.#one([60, 300, 900]),
      trips: hasHiding && at === 0 ? 'hide' : 'cut',
      before: this.#upTo(0, this.#tripCount),
    }));
    this.#cutting = this.#zones.filter(({ trips }) => trips === 'cut');
    this.#hiding = this.#zones.find(({ trips }) => trips === 'hide') ?? null;
  }

  make(): WorldPair {
    const trips = Array.from({ length: this.#tripCount }, (_, at) => this.#trip(START + at * 3 * HOUR));
    const last = trips.flat().flatMap(({ positions }) => positions.map(({ time }) => time));
    const now = Math.max(START, ...last) + this.#one([30_000, 14 * 60_000, 16 * 60_000]);
    const instants = [now - HOUR, ...last];
    const isSettled = this.#one([false, true]);
    const world = (which: 0 | 1): PlannedWorld => ({
      trips: trips.map((pair) => pair[which]),
      isSettled: this.#hiding || which === 0 ? isSettled : this.#one([false, true]),
    });
    return {
      zones: this.#zones,
      worlds: [world(0), world(1)],
      shared: this.#shared,
      now,
      instants: [this.#one(instants), this.#one(instants)],
    };
  }

  #trip(begin: number): readonly [PlannedTrip, PlannedTrip] {
    const origin = this.#one(['file', 'device', 'device'] as const);
    const sent = () => ({ origin, requests: this.#upTo(1, 3), shuffle: this.#upTo(0, 1000) });
    if (this.#hiding && this.#upTo(0, 2) === 0) {
      const [one, other] = [this.#hiddenTrip(begin, this.#hiding), this.#hiddenTrip(begin, this.#hiding)];
      return [
        { ...sent(), positions: one },
        { ...sent(), positions: other },
      ];
    }
    const shared = this.#sharedPositions(begin);
    this.#shared.push(...shared);
    const order = origin === 'file' && this.#upTo(0, 2) === 0 ? this.#shuffled(shared) : shared;
    const trip = (): PlannedTrip => {
      // In one world the vehicle may have been in no zone at all.
      if (this.#upTo(0, 2) === 0) return { ...sent(), positions: order };
      const positions = origin === 'device' ? this.#deviceTrip(begin, order) : this.#fileTrip(begin, order);
      return { ...sent(), positions };
    };
    return [trip(), trip()];
  }

  /** A trip that comes into the hiding zone, or no trip at all. */
  #hiddenTrip(begin: number, zone: PlannedZone): readonly PlannedPosition[] {
    const count = this.#upTo(0, 6);
    const inside = this.#upTo(0, Math.max(0, count - 1));
    return Array.from({ length: count }, (_, at) =>
      this.#at(begin + at * 40_000, at === inside ? this.#inside(zone) : this.#anywhere()),
    );
  }

  #sharedPositions(begin: number): readonly PlannedPosition[] {
    const positions: PlannedPosition[] = [];
    // Some trips are far from all zones wherever they are seen, and may have been inside one all the same.
    const isFar = this.#upTo(0, 2) === 0;
    let time = begin;
    // The vehicle moves at its first and its last positions: a trip begins and ends where it does.
    for (let count = this.#one([0, 2, 4, 9, 14]); count > 0; count--) {
      const before = positions.at(-1);
      const isFrozen = before !== undefined && positions.length > 1 && count > 1 && this.#upTo(0, 7) === 0;
      const place = () => (isFar ? placeAt(FAR, this.#upTo(0, 900), this.#upTo(0, 359)) : this.#somewhere());
      positions.push(this.#at(time, isFrozen ? before : place()));
      time += this.#one([5, 20, 60, 200, 280]) * 1000;
    }
    return positions;
  }

  /** A place that both worlds have: far away, beside a zone or on its edge, inside one, across one. */
  #somewhere(): Place {
    for (;;) {
      const zone = this.#one(this.#zones);
      const beside = this.#one([0.02, 0.4, 0.8, 1.5, 5, 40]);
      const place = this.#one([
        () => this.#anywhere(),
        () => placeAt(zone, zone.radius_meters + beside, this.#upTo(0, 359)),
        () => placeAt(zone, zone.radius_meters + beside, this.#one([80, 90, 260, 270])),
        () => placeAt(zone, zone.radius_meters * 0.9, this.#upTo(0, 359)),
      ])();
      // Beyond what rounding could move into a zone that hides the whole trip.
      if (!this.#hiding || metersBetween(place, this.#hiding) > this.#hiding.radius_meters + 3) return place;
    }
  }

  #anywhere(): Place {
    return placeAt(MIDDLE, this.#upTo(0, 4000), this.#upTo(0, 359));
  }

  #inside(zone: PlannedZone): Place {
    const place = placeAt(zone, zone.radius_meters * this.#one([0, 0.3, 0.9, 0.999]), this.#upTo(0, 359));
    return metersBetween(place, zone) <= zone.radius_meters ? place : { lat: zone.lat, lon: zone.lon };
  }

  /** Positions in one zone that cuts and outside of the one that hides: skirting, crossing, or standing there. */
  #hiddenAt(times: readonly number[]): PlannedPosition[] {
    if (this.#cutting.length === 0) return [];
    const zone = this.#one(this.#cutting);
    const parked = this.#upTo(0, 2) === 0 ? this.#inside(zone) : null;
    const hiding = this.#hiding;
    return times
      .map((time) => this.#at(time, parked ?? this.#inside(zone)))
      .filter((position) => !hiding || metersBetween(position, hiding) > hiding.radius_meters + 3);
  }

  /** Positions that a device records: in order of time, with no pause but those that the shared positions have. */
  #deviceTrip(begin: number, shared: readonly PlannedPosition[]): readonly PlannedPosition[] {
    const [first, last] = [shared[0]?.time ?? begin, shared.at(-1)?.time ?? begin];
    const step = this.#one([10_000, 45_000]);
    const before = this.#hiddenAt(
      Array.from({ length: this.#upTo(0, 6) }, (_, at) => first - (at + 1) * step),
    ).toReversed();
    const after = this.#hiddenAt(Array.from({ length: this.#one([0, 1, 3, 12]) }, (_, at) => last + (at + 1) * step));
    const within = shared.slice(1).map((position, at) => {
      const from = shared[at]?.time ?? 0;
      const between = Math.min(this.#upTo(0, 5), (position.time - from) / 1000 - 1);
      const apart = Math.floor((position.time - from) / 1000 / (between + 1)) * 1000;
      return this.#hiddenAt(Array.from({ length: between }, (_, i) => from + (i + 1) * apart));
    });
    const marked = this.#marked(before, after);
    return [...marked.before, ...shared.flatMap((position, at) => [position, ...(within[at] ?? [])]), ...marked.after];
  }

  /** Marks of the engine, which stands where the vehicle is hidden, and what a parked tracker goes on to report. */
  #marked(before: readonly PlannedPosition[], after: readonly PlannedPosition[]) {
    const [first, ...others] = before;
    const last = after.at(-1);
    const kind = this.#one(['none', 'stop', 'start and stop', 'off'] as const);
    if (!last || kind === 'none') return { before, after };
    const stop = { ...last, events: [kind === 'off' ? 'ignition_off' : 'engine_stop'] };
    const parked = Array.from({ length: kind === 'off' ? this.#upTo(0, 4) : 0 }, (_, at) => ({
      ...stop,
      time: stop.time + (at + 1) * 400_000,
    }));
    const starts = kind === 'start and stop' && first ? [{ ...first, events: ['engine_start'] }, ...others] : before;
    return { before: starts, after: [...after.slice(0, -1), stop, ...parked] };
  }

  /** Positions of a file: hidden positions anywhere, at times that need not be in order. */
  #fileTrip(begin: number, shared: readonly PlannedPosition[]): readonly PlannedPosition[] {
    const hidden = () =>
      this.#hiddenAt(
        Array.from({ length: this.#one([0, 0, 1, 4, 9]) }, () => begin + this.#upTo(-1800, 1800) * 1000 + 500),
      );
    return [...hidden(), ...shared.flatMap((position) => [position, ...hidden()])];
  }

  #at(time: number, { lat, lon }: Place): PlannedPosition {
    const events = this.#upTo(0, 6) === 0 ? ['harsh_brake'] : [];
    return { time, lat, lon, speed: this.#upTo(0, 10), events };
  }

  #shuffled<Item>(items: readonly Item[]): readonly Item[] {
    return this.#choose(fc.shuffledSubarray, [...items], { minLength: items.length });
  }

  #upTo(min: number, max: number): number {
    return this.#choose(fc.integer, { min, max });
  }

  #one<Item>(items: readonly Item[]): Item {
    return items[this.#upTo(0, items.length - 1)] as Item;
  }
}
