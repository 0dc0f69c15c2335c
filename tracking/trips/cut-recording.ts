import { isMarkWord } from '../../models/trips/position-marks.ts';
import { pickTripPoints, placedNumbers, type TripPoints } from '../../models/trips/trip-points.ts';
import { SETTLED_LIMITS, TRIP_LIMITS, type TripLimits } from '../../models/trips/trip-limits.ts';
import { hasStoodBetween, isJump, metersBetween, placeAt, type TimedPlace, withoutJumps } from '../geometry/motion.ts';
import { withBelievedSpeeds, withSentSpeeds } from '../geometry/marked-speeds.ts';
import { engineEvent } from '../geometry/engine.ts';
import { finish, type Steps } from '../scheduling/steps.ts';

import { UsualInterval } from './usual-interval.ts';

/** A trip as it is cut out of a recording. */
export interface RecordedPiece {
  readonly points: TripPoints;
  readonly engine_started: boolean;
  readonly engine_stopped: boolean;
  /** Limits by which it begins and ends; null for the default. */
  readonly limits: TripLimits | null;
}

/** Motion of a vehicle at the end of its recording: what follows decides if a `departing` one is on a trip. */
export type Motion = 'driving' | 'standing' | 'departing';

/** The end of a recording, as far as it decides what later positions mean. */
export interface RecordingEnd {
  readonly motion: Motion;
  /** True if an engine start was reported, and no stop: the vehicle drives, even if it stands. */
  readonly isEngineOn: boolean;
  /** True if the next position decides about earlier ones. */
  readonly isUndecided: boolean;
  /** True if the ignition is off, so that the trip ends if nothing follows. */
  readonly isOff: boolean;
  /** The last state of the ignition; null if unknown. */
  readonly ignition: boolean | null;
  /** Number of the last position that is believed; null if there is none. */
  readonly last: number | null;
  /**
   * Number of the position from which the next ones are judged: of a vehicle that drives, the last one that is away from the
   * last; of one that stands, one that all the latest are near. Null if it depends on more.
   */
  readonly anchor: number | null;
  /** Number of the first position of the stay, of which there may be none yet; null if the vehicle drives. */
  readonly stay: number | null;
}

/** A recording cut into trips. */
export interface CutRecording {
  readonly pieces: readonly RecordedPiece[];
  /** Numbers of the first and the last position of each piece; those between that are not in it are not believed. */
  readonly spans: readonly (readonly [first: number, last: number])[];
  readonly end: RecordingEnd;
  /** True if the times of earlier positions are needed to know if a silence is usual. */
  readonly needsEarlier: boolean;
  /** Times of positions that are, or may be, jumps. */
  readonly jumps: ReadonlySet<number>;
}

/** Speed from which a vehicle certainly moves, in meters per second. */
const MOVING_METERS_PER_SECOND = 3;

/** Time from which a vehicle that is not away from a position has stood there, rather than driven past, in milliseconds. */
const STANDING_MS = 60_000;

/** Maximum number of consecutive positions that are recognized as strays. */
const MAX_STRAYS = 3;

/** A silence that is so many times as long as the time between the positions before it is a sleep. */
const SLEEP = 3;

/** Positions that are cut in one step. */
const PLACES_A_STEP = 200;

/** Event by which earlier programs stored that the ignition is off. */
export const IGNITION_OFF = 'ignition_off';

/** Report at a position, or after it without a place. */
interface Report {
  readonly time: number;
  readonly events: readonly string[];
  readonly ignition: boolean | null;
}

/**
 * Cuts the positions of a device, in the order of their times, into trips (decisions: "Records", Trip), regardless of the order
 * in which they arrived.
 *
 * A trip begins at the last position of a stay from which the vehicle moves, and ends where it has stood for some time, where
 * its ignition went off and it stood, or before a time without positions. Reports that the engine started and stopped bound
 * trips as well; between them there is one trip, however long the vehicle stands. What is left stands, and is in no trip. A
 * secondary device has none.
 *
 * From the beginning of any trip on, the result is the same without the positions before it, except for the times of the last
 * ones of a device that reports seldom.
 *
 * @param earlier times of the positions before, in order, as many as {@link UsualInterval} needs
 */
export function cutRecording(points: TripPoints, limits: TripLimits, earlier?: ArrayLike<number>): CutRecording {
  return finish(cuttingSteps(points, limits, earlier));
}

/** Does in steps what {@link cutRecording} does in one go. */
export function* cuttingSteps(
  points: TripPoints,
  limits: TripLimits,
  earlier?: ArrayLike<number>,
): Steps<CutRecording> {
  const cutter = new RecordingCutter(withSentSpeeds(points), limits, earlier);
  yield;
  return {
    pieces: limits.isSecondary ? [] : yield* cutter.cut(),
    spans: cutter.spans,
    end: cutter.end(),
    jumps: cutter.jumps,
    needsEarlier: cutter.usual.needsEarlier,
  };
}

/** The end of a recording of which only the last positions are known. */
export interface KnownEnd extends RecordingEnd {
  /** The last earlier position of the trip that is away from a position, by their numbers; -1 if none of the known ones is. */
  readonly awayFrom: (number: number) => number;
}

/**
 * The end of a recording of which only the last positions are known, without jumps and engine events: before these the vehicle
 * drove, or it stood for as long as ends a trip or began its stay there. Null if a trip begins or ends meanwhile.
 */
export function continueRecording(
  points: TripPoints,
  limits: TripLimits,
  before: { readonly driving: boolean | null; readonly engine_started: boolean },
): KnownEnd | null {
  const cutter = new RecordingCutter(points, limits);
  return cutter.continues(before.driving === true, before.engine_started)
    ? { ...cutter.end(), awayFrom: (number) => cutter.awayFrom(number) }
    : null;
}

/**
 * Evidence of the ignition in a trip: it is believed if it was on, and never off while the vehicle moved. A setting overrules
 * this.
 */
class IgnitionEvidence {
  readonly #setting: boolean | null;
  /** The last known state; null if there is none. */
  state: boolean | null = null;
  #wasOn = false;
  #isDistrusted = false;
  /** The report since which the ignition has been off; null if it is not. */
  off: { readonly place: number; readonly time: number } | null = null;

  /** The report since which the ignition has been off; null if it is not, or is not believed. */
  get offSince() {
    return (this.#setting ?? (this.#wasOn && !this.#isDistrusted)) ? this.off : null;
  }

  constructor(setting: boolean | null) {
    this.#setting = setting;
  }

  reset(): void {
    this.#wasOn = false;
    this.#isDistrusted = false;
    this.off = null;
  }

  distrust(): void {
    this.#isDistrusted = true;
  }

  hear(place: number, { time, ignition }: Report, isMoving: boolean): void {
    if (ignition === null) return;
    if (isMoving && (this.off !== null || !ignition)) this.distrust();
    this.state = ignition;
    this.off = ignition ? null : (this.off ?? { place, time });
    if (ignition) this.#wasOn = true;
  }
}

/** Returns true if events may end or begin a trip, or tell that a position is not believed. */
export function mayCut(points: TripPoints): boolean {
  const isMeant = (event: string) => isMarkWord(event) || event === IGNITION_OFF || engineEvent([event]) !== undefined;
  return [...points.events.values()].some((events) => events.some(isMeant));
}

class RecordingCutter {
  readonly #points: TripPoints;
  readonly #limits: TripLimits;
  /** The believed positions, as numbers of the recording; everything below names positions by their places here. */
  readonly #places: readonly number[];
  readonly #isUndecided: boolean;
  readonly jumps: ReadonlySet<number>;
  readonly #pieces: RecordedPiece[] = [];
  readonly spans: [first: number, last: number][] = [];
  #motion: Motion = 'standing';
  #isEngineOn = false;
  /** The first position of the trip, or of what may become one. */
  #first = 0;
  /** The first position from which a vehicle that stands may depart. */
  #from = 0;
  /** True once a vehicle that departed was as far away as a trip leads. */
  #isFar = false;
  /** Positions that strayed, each with the last position before it that did not. */
  readonly #strays = new Map<number, number>();
  /** A position, and the first one of those until now that are near it: they are near each other. */
  #calm = { center: 0, since: 0 };
  readonly #ignition: IgnitionEvidence;
  readonly usual: UsualInterval;

  constructor(points: TripPoints, limits: TripLimits, earlier?: ArrayLike<number>) {
    this.#points = points;
    this.#limits = limits;
    this.#ignition = new IgnitionEvidence(limits.ignition_trusted);
    const placed = placedNumbers(points);
    const times = placed.map((at) => points.time[at] ?? 0);
    this.usual = new UsualInterval(times, earlier);
    const { places, jumps, isUndecided } = withoutJumps(points, placed, limits.maximum_speed);
    this.jumps = new Set(jumps.map((at) => points.time[at] ?? 0));
    this.#places = places;
    this.#isUndecided = isUndecided;
  }

  *cut(): Steps<RecordedPiece[]> {
    for (let place = 0, added = 1; place < this.#places.length; added += 1) {
      place = this.#add(place);
      if (added % PLACES_A_STEP === 0) yield;
    }
    if (this.#motion === 'driving') this.#take(this.#arrival(this.#places.length - 1), false);
    return this.#pieces;
  }

  /** Adds all positions to a trip, or to a stay, that began before; returns false if a trip begins or ends. */
  continues(isDriving: boolean, isEngineOn: boolean): boolean {
    this.#motion = isDriving ? 'driving' : 'standing';
    this.#isEngineOn = isEngineOn;
    for (let place = 0; place < this.#places.length; ) {
      place = this.#add(place);
      if (this.#pieces.length > 0 || (this.#motion === 'driving') !== isDriving) return false;
    }
    return this.#places.length === this.#points.length;
  }

  awayFrom(place: number): number {
    return this.#lastAway(place, this.#first);
  }

  end(): RecordingEnd {
    return {
      motion: this.#motion,
      isEngineOn: this.#isEngineOn,
      isUndecided: this.#isUndecided,
      isOff: this.#motion === 'driving' && this.#ignition.offSince !== null,
      ignition: this.#ignition.state,
      last: this.#places.at(-1) ?? null,
      anchor: this.#anchor(),
      stay: this.#motion === 'driving' ? null : (this.#places[this.#from] ?? this.#points.length),
    };
  }

  #anchor(): number | null {
    const last = this.#places.length - 1;
    if (last === -1 || this.#isUndecided || this.#motion === 'departing') return null;
    if (this.#isEngineOn) return this.#places[last] ?? null;
    if (this.#motion === 'driving') {
      return this.#places[this.#lastAway(last, this.#first)] ?? null;
    }
    const { center, since } = this.#calm;
    const isCalm = since <= this.#from || this.#timeOf(last) - this.#timeOf(since) >= this.#limits.stop;
    return isCalm ? (this.#places[center] ?? null) : null;
  }

  /** Adds a position; returns the next one, or an earlier one from which the recording is to be read again. */
  #add(place: number): number {
    if (place > 0 && this.#isInterrupted(place)) this.#stay(this.#arrival(place - 1), place);
    const reports = this.#reportsAt(place);
    if (engineEvent(reports[0]?.events ?? []) === 'engine_start') this.#start(place);
    this.#settle(place);
    this.#findStrays(place);
    const wasDriving = this.#motion === 'driving';
    if (!this.#isEngineOn) this.#move(place);
    const first = this.#motion === 'driving' && !wasDriving ? this.#lastInStay(place) : this.#first;
    if (first > this.#first) return this.#standAt(first);
    for (const report of reports) this.#hear(place, report);
    return place + 1;
  }

  /** The last position of the stay from which the vehicle departed: positions scatter, so that the first one away may be earlier. */
  #lastInStay(place: number): number {
    const { movement } = this.#limits;
    // The first one may have scattered away from the others.
    const isThere = (one: number) =>
      this.#meters(this.#first, one) <= movement &&
      [this.#first, this.#first + 1].some((other) => this.#meters(other, one) <= movement / 2);
    let last = place - 1;
    while (last > this.#first && !isThere(last)) last--;
    return this.#timeOf(last) - this.#timeOf(this.#first) >= STANDING_MS ? last : this.#first;
  }

  /** Forgets what was before a position at which the vehicle stands, as if the recording began there. */
  #standAt(place: number): number {
    this.#motion = 'standing';
    this.#from = place;
    this.#calm = { center: place, since: place };
    return place;
  }

  #start(place: number): void {
    if (this.#motion === 'driving') this.#take(place - 1, false);
    this.#depart(place, place);
    this.#motion = 'driving';
    this.#isEngineOn = true;
  }

  /** Follows the vehicle to a position. */
  #move(place: number): void {
    const { stop, minimum_meters, minimum_time } = this.#limits;
    if (this.#motion === 'standing') {
      const last = this.#lastAway(place, this.#from, stop);
      if (last === -1) return;
      this.#depart(last, place);
    }
    const time = this.#timeOf(place);
    const away = this.#lastAway(place, this.#first);
    const since = away === -1 ? this.#first : away + 1;
    if (time - this.#timeOf(since) >= stop) {
      // A vehicle that has begun to depart is away from where it scattered meanwhile.
      this.#stay(Math.min(since, this.#arrival(place - 1)), place);
    } else if (this.#motion === 'departing' && away === -1) {
      this.#motion = 'standing';
    } else if (this.#motion === 'departing') {
      this.#isFar ||= this.#meters(this.#first, place) >= minimum_meters;
      if (this.#isFar && time - this.#timeOf(this.#first) >= minimum_time) this.#motion = 'driving';
    }
  }

  /** Begins what may become a trip at an earlier position, which was found at another one. */
  #depart(first: number, found: number): void {
    this.#motion = 'departing';
    this.#first = first;
    this.#isFar = false;
    this.#ignition.reset();
    for (let place = first; place < found; place++) {
      for (const report of this.#reportsAt(place)) this.#hearIgnition(place, report);
    }
  }

  /**
   * The last position of a trip after which nothing more is known: the first one of a stand, if that is not short. A device that
   * goes on for minutes after its vehicle is parked would else make each trip as much longer.
   */
  #arrival(last: number): number {
    if (this.#isEngineOn || this.#motion !== 'driving') return last;
    const since = Math.max(this.#first, this.#lastAway(last, this.#first) + 1);
    const isShort = this.#timeOf(last) - this.#timeOf(Math.max(this.#first, since - 1)) < STANDING_MS;
    return isShort ? last : since;
  }

  /** Ends the trip at a position; the vehicle stands, and may depart from another one. */
  #stay(last: number, from: number, isEngineStopped = false): void {
    if (this.#motion === 'driving') this.#take(last, isEngineStopped);
    this.#motion = 'standing';
    this.#isEngineOn = false;
    this.#from = Math.max(from, last + 1);
  }

  /** Takes what was reported at a position, or after it without a place. */
  #hear(place: number, report: Report): void {
    if (engineEvent(report.events) === 'engine_stop') this.#stay(place, place, true);
    this.#hearIgnition(place, report);
    const { offSince } = this.#ignition;
    if (this.#motion !== 'driving' || this.#isEngineOn || offSince === null) return;
    if (this.#lastAway(place, offSince.place) !== -1) this.#ignition.distrust();
    else if (report.time - offSince.time >= this.#limits.ignition_off) this.#stay(offSince.place, place);
  }

  #hearIgnition(place: number, report: Report): void {
    const { off } = this.#ignition;
    const isOwn = report.time === this.#timeOf(place);
    const speed = this.#points.speed[this.#places[place] ?? 0] ?? Number.NaN;
    const hasMoved =
      off !== null &&
      report.time - off.time < this.#limits.ignition_off &&
      this.#meters(off.place, place) > this.#limits.movement;
    this.#ignition.hear(place, report, hasMoved || (isOwn && speed >= MOVING_METERS_PER_SECOND));
  }

  #take(last: number, engine_stopped: boolean): void {
    const points = pickTripPoints(this.#points, this.#places.slice(this.#first, last + 1));
    const end = points.length - 1;
    const events = new Map(points.events);
    if (engine_stopped) events.set(end, [...new Set([...(events.get(end) ?? []), 'engine_stop'])]);
    this.spans.push([this.#places[this.#first] ?? 0, this.#places[last] ?? 0]);
    this.#pieces.push({
      points: withBelievedSpeeds({ ...points, events }),
      engine_started: this.#isEngineOn,
      engine_stopped,
      limits: this.#limitsOf(points.time),
    });
  }

  /** Limits that are stored with a trip: its gap is what its device usually needs, and longer than any silence in it. */
  #limitsOf(times: Float64Array): TripLimits | null {
    const { gap, sparse_gap } = this.#limits;
    if (sparse_gap === null) return this.#limits === SETTLED_LIMITS ? null : this.#limits;
    let needed = Math.max(gap, Math.min(this.usual.maximumSilenceAfter(times.at(-1) ?? 0), sparse_gap));
    for (let at = 1; at < times.length; at++) needed = Math.max(needed, (times[at] ?? 0) - (times[at - 1] ?? 0) + 1);
    return this.#limits === TRIP_LIMITS && needed === gap ? null : { ...this.#limits, gap: needed, sparse_gap: null };
  }

  /** Returns the report at a position, and then those after it without a place. */
  #reportsAt(place: number): Report[] {
    const { time, events, readings } = this.#points;
    const until = this.#places[place + 1] ?? this.#points.length;
    const reports: Report[] = [];
    for (let at = this.#places[place] ?? 0; at < until; at++) {
      const there = events.get(at) ?? [];
      const read = readings?.ignition[at] ?? Number.NaN;
      const ignition = Number.isNaN(read) ? (there.includes(IGNITION_OFF) ? false : null) : read === 1;
      reports.push({ time: time[at] ?? 0, events: there, ignition });
    }
    return reports;
  }

  #isInterrupted(place: number): boolean {
    const [before, at] = [this.#placeAt(place - 1), this.#placeAt(place)];
    if (at.time - before.time >= this.#limits.gap && !this.#isUsualSilence(before, at)) return true;
    return this.#hasSlept(place) || (isJump(before, at, this.#limits.maximum_speed) && !this.#wasSilent(place));
  }

  /** True if a device reports so seldom that a silence says nothing about a trip. */
  #isUsualSilence(before: TimedPlace, at: TimedPlace): boolean {
    const { sparse_gap, stop } = this.#limits;
    const silence = at.time - before.time;
    if (sparse_gap === null || silence >= sparse_gap) return false;
    if (this.#motion === 'standing' && hasStoodBetween(before, at, stop)) return false;
    return silence < this.usual.silenceAfter(before.time);
  }

  /** True if the device reported more often before it was silent, and the vehicle stood meanwhile. */
  #hasSlept(place: number): boolean {
    const first = this.#motion === 'standing' ? this.#from : this.#first;
    if (this.#isEngineOn || place - 2 < first || this.#meters(place - 1, place) <= this.#limits.movement) return false;
    const usual = this.#timeOf(place - 1) - this.#timeOf(place - 2);
    const [before, at] = [this.#placeAt(place - 1), this.#placeAt(place)];
    return at.time - before.time >= SLEEP * usual && hasStoodBetween(before, at, this.#limits.stop);
  }

  /** True if the receiver repeated where it was, as in a tunnel, for as long as the vehicle took to where it is next. */
  #wasSilent(place: number): boolean {
    if (this.#motion === 'standing') return false;
    for (let other = place - 2; other >= this.#first; other--) {
      if (this.#timeOf(place) - this.#timeOf(other) >= this.#limits.stop) return false;
      if (this.#meters(other, place - 1) > this.#limits.movement / 2) return false;
      if (!isJump(this.#placeAt(other), this.#placeAt(place), this.#limits.maximum_speed)) return true;
    }
    return false;
  }

  #settle(place: number): void {
    const isCalm = this.#meters(this.#calm.center, place) <= this.#limits.movement / 2;
    if (!isCalm) this.#calm = { center: place, since: place };
  }

  /**
   * Recognizes positions that strayed before one: at most three, near each other, and less far than a trip leads from where the
   * vehicle was before and is again.
   */
  #findStrays(place: number): void {
    const { movement, minimum_meters, stop } = this.#limits;
    for (let before = place - 2; before >= Math.max(0, place - 1 - MAX_STRAYS); before--) {
      const strays = Array.from({ length: place - before - 1 }, (_, nth) => before + 1 + nth);
      const isStray = (one: number) =>
        [before, place].every((end) => isBetween(this.#meters(end, one), movement / 2, minimum_meters)) &&
        strays.every((other) => this.#meters(one, other) <= movement);
      const isBack = this.#meters(before, place) <= movement && this.#timeOf(place) - this.#timeOf(before) < stop;
      if (!isBack || !strays.every(isStray)) continue;
      for (const stray of strays) this.#strays.set(stray, Math.max(before, this.#strays.get(stray) ?? -1));
      return;
    }
  }

  /**
   * The last earlier position that is away from a position, from a first one on; -1 if there is none. The one before always
   * counts, others if they are not older than `within` milliseconds. Positions that strayed do not count.
   */
  #lastAway(place: number, first: number, within = Infinity): number {
    const time = this.#timeOf(place);
    for (let other = Math.min(place, this.#calm.since) - 1; other >= first; other--) {
      if (other < place - 1 && time - this.#timeOf(other) > within) return -1;
      const hasStrayed = (this.#strays.get(other) ?? -1) >= first;
      if (!hasStrayed && this.#meters(other, place) > this.#limits.movement) return other;
    }
    return -1;
  }

  #placeAt(place: number): TimedPlace {
    return placeAt(this.#points, this.#places[place] ?? 0);
  }

  #timeOf(place: number): number {
    return this.#points.time[this.#places[place] ?? 0] ?? 0;
  }

  #meters(from: number, to: number): number {
    return metersBetween(this.#points, this.#places[from] ?? 0, this.#places[to] ?? 0);
  }
}

function isBetween(value: number, least: number, most: number): boolean {
  return value > least && value < most;
}
