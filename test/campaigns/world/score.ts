import { cutRecording } from '../../../tracking/trips/cut-recording.ts';
import { TRIP_LIMITS, type TripLimits } from '../../../models/trips/trip-limits.ts';
import { haversineMeters, stepDistances } from '../../../tracking/geometry/haversine.ts';

import type { Device } from './devices.ts';
import { BEGINNING, type Fix, recordingOf } from './fixes.ts';
import type { Truth } from './truth.ts';

/** A trip that the service found: seconds since the beginning, meters, meters per second. */
export interface FoundTrip {
  readonly start: number;
  readonly end: number;
  readonly meters: number;
  readonly maxSpeed: number;
  /** True if it has no end yet. */
  readonly isOpen: boolean;
}

/** The truth, and the trips that were found. */
export interface Outcome {
  readonly device: Device;
  readonly truth: Truth;
  /** The fixes that a faultless device would have sent. */
  readonly fixes: readonly Fix[];
  readonly found: readonly FoundTrip[];
  /** The trips that were shown after each request. */
  readonly shown: readonly (readonly FoundTrip[])[];
}

const COUNTS = ['days', 'trips', 'found', 'starts', 'ends', 'distances', 'untrue'] as const;

/** Counts: trips that were and that were found; starts, ends and distances that are right; notifications that are untrue. */
export type Score = Readonly<Record<(typeof COUNTS)[number], number>>;

/** Least error of a time that is right, in seconds. */
const TOLERANCE = 60;

/** Error of a distance that is right. */
const DISTANCE_TOLERANCE = 0.02;

/** Distance from where a vehicle stands at which it is somewhere else, in meters. */
const STANDING_METERS = 75;

/** Speed in meters per second by which one may be above all true ones. */
const SPEED_TOLERANCE = 12;

/** The trips that the service cuts out of what it has. */
export function foundIn(sent: readonly Fix[], limits: TripLimits = TRIP_LIMITS): FoundTrip[] {
  const { pieces, end } = cutRecording(recordingOf(sent), limits);
  return pieces.map(({ points }, i) => ({
    start: ((points.time[0] ?? 0) - BEGINNING) / 1000,
    end: ((points.time[points.length - 1] ?? 0) - BEGINNING) / 1000,
    meters: stepDistances(points).reduce((sum, meters) => sum + meters, 0),
    maxSpeed: points.speed.reduce((most, speed) => (speed > most ? speed : most), 0),
    isOpen: i === pieces.length - 1 && end.motion === 'driving',
  }));
}

/** The error of a start or an end that is right, in seconds: a minute, or the time between two fixes of a sparse device. */
export function toleranceOf({ rhythm: { every, parked }, unbelieved = 0 }: Device): number {
  const isSparse = parked !== null && parked > 5 * TOLERANCE;
  return Math.max(TOLERANCE * (1 + unbelieved), every, isSparse ? parked : 0);
}

/** Compares what was found with what was. */
export function scoreOf({ device, truth, fixes, found, shown }: Outcome): Score {
  const tolerance = toleranceOf(device);
  const isIn = (at: number, from: number, until: number) => at >= from - tolerance && at <= until + tolerance;
  const limit = fixes.reduce((most, { speed }) => Math.max(most, speed), 0) + SPEED_TOLERANCE;
  const edges = truth.trips.map(({ start, end }) => ({
    start: [start, firstDeparture(fixes.filter(({ at }) => at >= start && at <= end)) ?? start] as const,
    end: [lastArrival(fixes.filter(({ at }) => at >= start && at <= end)) ?? end, end] as const,
  }));
  const startOf = (trip: FoundTrip) => edges.findIndex(({ start }) => isIn(trip.start, ...start));
  const endOf = (trip: FoundTrip) => edges.findIndex(({ end }) => isIn(trip.end, ...end));
  const isDuringOne = (trip: FoundTrip) => truth.trips.some(({ start, end }) => trip.end > start && trip.start < end);
  const isRight = (trip: FoundTrip) => startOf(trip) !== -1 && (trip.isOpen || endOf(trip) !== -1);
  const isTrue = (trip: FoundTrip) => (device.isLate ? isDuringOne(trip) : isRight(trip)) && trip.maxSpeed <= limit;
  const told = new Map(shown.flat().map((trip) => [`${trip.start} ${trip.isOpen ? '' : trip.end}`, trip]));
  const isWhole = (trip: FoundTrip) => startOf(trip) !== -1 && startOf(trip) === endOf(trip);
  return {
    days: 1,
    trips: truth.trips.length,
    found: found.length,
    starts: new Set(found.map(startOf).filter((at) => at !== -1)).size,
    ends: new Set(found.map(endOf).filter((at) => at !== -1)).size,
    distances: found.filter((trip) => {
      const from = fixes.findLast(({ at }) => at <= trip.start)?.at ?? trip.start;
      const meters = metersOf(fixes.filter(({ at }) => at >= from && at <= trip.end));
      return isWhole(trip) && Math.abs(trip.meters / meters - 1) <= DISTANCE_TOLERANCE;
    }).length,
    untrue: [...told.values()].filter((trip) => !isTrue(trip)).length,
  };
}

/** The sum of counts. */
export function sumOf(scores: readonly Score[]): Score {
  const sum = (count: (typeof COUNTS)[number]) => scores.reduce((total, score) => total + score[count], 0);
  return Object.fromEntries(COUNTS.map((count) => [count, sum(count)])) as Score;
}

/** The time at which a device was last seen to arrive somewhere: it may have no fix from there on, as in a basement. */
function lastArrival(fixes: readonly Fix[]): number | undefined {
  const isAway = (fix: Fix) => metersOf([fix, ...fixes.slice(-1)]) > STANDING_METERS;
  return fixes[fixes.findLastIndex(isAway) + 1]?.at;
}

/** The time at which a device was first seen to leave a place, as {@link lastArrival}. */
function firstDeparture(fixes: readonly Fix[]): number | undefined {
  const left = fixes.findIndex((fix) => metersOf([fix, ...fixes.slice(0, 1)]) > STANDING_METERS);
  return fixes[left - 1]?.at;
}

function metersOf(fixes: readonly Fix[]): number {
  return fixes.reduce((sum, { lat, lon }, i) => {
    const before = fixes[i - 1];
    return before ? sum + haversineMeters(before.lat, before.lon, lat, lon) : 0;
  }, 0);
}
