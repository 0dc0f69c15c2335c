import type { TripPoints } from '../../models/trip-points.ts';
import { storedDegrees, storedHeading, storedSpeed } from '../../models/trip-points-codec.ts';
import { JUMP_METERS_PER_SECOND } from '../geometry/speeds.ts';
import { stepDistances } from '../geometry/step-distances.ts';

import { GrowingColumn } from './growing-column.ts';
import type { ImportFaultKind } from './import-fault.ts';

/** How long a step without an interval of its own is taken to last, to tell a jump from noise. */
const SECONDS_WITHOUT_INTERVAL = 1;

/** One position as a file has it. */
export interface RecordedPosition {
  readonly lat: number;
  readonly lon: number;
  /** Milliseconds since 1970, or null where the file has none. */
  readonly time: number | null;
  /** Whether the time had no zone. */
  readonly isZoneMissing: boolean;
  /** Metres per second. */
  readonly speed: number | null;
  /** Degrees clockwise from north. */
  readonly heading: number | null;
  /** Line of the file. */
  readonly line: number;
}

/** How often a fault was met, and the line of the first. */
export interface FaultCount {
  count: number;
  readonly line: number;
}

/** A trip while it is read from a file: collects positions, then says what they are and what is wrong with them. */
export class RecordedTrip {
  /** Line of the file on which it began. */
  readonly line: number;
  readonly faults = new Map<ImportFaultKind, FaultCount>();
  readonly #time = new GrowingColumn();
  readonly #lat = new GrowingColumn();
  readonly #lon = new GrowingColumn();
  readonly #speed = new GrowingColumn();
  readonly #heading = new GrowingColumn();
  readonly #line = new GrowingColumn();
  #last: RecordedPosition | null = null;

  constructor(line: number) {
    this.line = line;
  }

  add(position: RecordedPosition): void {
    const { lat, lon, time, isZoneMissing, speed, heading, line } = position;
    if (lat === this.#last?.lat && lon === this.#last.lon) this.#report('repeated_position', line);
    this.#last = position;
    if (time === null) this.#report('no_time', line);
    if (isZoneMissing) this.#report('no_zone', line);
    this.#time.push(time ?? Number.NaN);
    this.#lat.push(storedDegrees(lat));
    this.#lon.push(storedDegrees(lon));
    this.#speed.push(speed === null ? Number.NaN : storedSpeed(speed));
    this.#heading.push(heading === null ? Number.NaN : storedHeading(heading));
    this.#line.push(line);
  }

  /**
   * The positions in the order of the file, all with a time.
   *
   * @returns null for a trip that cannot be imported: without positions, or without any time; `faults` says which
   */
  finish(): TripPoints | null {
    const time = this.#time.values();
    if (time.length === 0) return this.#refuse('empty_trip');
    if (!time.some((instant) => !Number.isNaN(instant))) return this.#refuse('untimed_trip');
    fillMissing(time);
    const points: TripPoints = {
      length: time.length,
      time,
      lat: this.#lat.values(),
      lon: this.#lon.values(),
      speed: this.#speed.values(),
      heading: this.#heading.values(),
      events: new Map(),
    };
    this.#examine(points);
    return points;
  }

  #examine(points: TripPoints): void {
    const { length, time } = points;
    const line = this.#line.values();
    const steps = stepDistances(points);
    if (length === 1) this.#report('one_point', line[0] ?? this.line);
    for (let i = 1; i < length; i++) {
      const here = line[i] ?? this.line;
      const interval = ((time[i] ?? 0) - (time[i - 1] ?? 0)) / 1000;
      if (interval === 0) this.#report('repeated_time', here);
      if (interval < 0) this.#report('time_backwards', here);
      const seconds = interval > 0 ? interval : SECONDS_WITHOUT_INTERVAL;
      if ((steps[i - 1] ?? 0) / seconds > JUMP_METERS_PER_SECOND) this.#report('jump', here);
    }
  }

  #refuse(kind: ImportFaultKind): null {
    this.faults.clear();
    this.#report(kind, this.line);
    return null;
  }

  #report(kind: ImportFaultKind, line: number): void {
    const met = this.faults.get(kind);
    if (met) met.count++;
    else this.faults.set(kind, { count: 1, line });
  }
}

/** Gives positions without a time one: evenly between the neighbours that have one, at the ends that of the nearest. */
function fillMissing(time: Float64Array): void {
  let known = -1;
  for (let i = 0; i <= time.length; i++) {
    const here = time[i];
    if (here !== undefined && Number.isNaN(here)) continue;
    const before = time[known] ?? here ?? 0;
    const after = here ?? before;
    for (let gap = known + 1; gap < i; gap++) {
      time[gap] = Math.round(before + ((after - before) * (gap - known)) / (i - known));
    }
    known = i;
  }
}
