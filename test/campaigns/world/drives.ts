import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

import { haversineMeters } from '../../../tracking/geometry/haversine.ts';
import type { TripPoints } from '../../../models/trips/trip-points.ts';
import { recordedTrips } from '../../tracking/import/recorded-trips.ts';
import type { Dice } from '../hostile/dice.ts';

/** The place of a vehicle at a time: seconds, and meters to the east and north of a place. */
export interface Moment {
  readonly at: number;
  readonly east: number;
  readonly north: number;
}

/** A drive from 0, 0 at 0 seconds, without what the vehicle stands before and after it. */
export type Drive = readonly Moment[];

/** Distance at which a vehicle has not departed yet, or has arrived, in meters. */
const STANDING_METERS = 30;

/** Drives that were recorded on roads, one a GPX file of the folder; empty if there is no such folder. */
export async function recordedDrives(folder: string): Promise<Drive[]> {
  if (!existsSync(folder)) return [];
  const drives: Drive[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.gpx')).sort()) {
    for await (const trip of recordedTrips(`${folder}/${name}`)) {
      const points = trip.finish();
      if (points) drives.push(withoutStays(momentsOf(points)));
    }
  }
  return drives;
}

/** Drives through a town: legs of different speeds, turns, and stops at lights. */
export function inventedDrives(dice: Dice, count: number): Drive[] {
  return Array.from({ length: count }, () => {
    const moments: Moment[] = [{ at: 0, east: 0, north: 0 }];
    const legs = 12 + dice.below(20);
    for (let leg = 0; leg < legs; leg++) {
      const { at, east, north } = moments.at(-1) ?? { at: 0, east: 0, north: 0 };
      const isStop = leg % 2 === 1 && leg < legs - 1 && dice.chance(0.5);
      const seconds = 20 + dice.below(isStop ? 120 : 90);
      const meters = isStop ? 0 : seconds * (6 + dice.below(25));
      const angle = (leg * Math.PI) / 40 + (dice.below(100) / 100 - 0.5);
      moments.push({
        at: at + seconds,
        east: east + meters * Math.cos(angle),
        north: north + meters * Math.sin(angle),
      });
    }
    return moments;
  });
}

/** A drive turned about its beginning, which is moved to a moment. */
export function movedTo(drive: Drive, { at, east, north }: Moment, angle: number): Moment[] {
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return drive.map((one) => ({
    at: at + one.at,
    east: east + one.east * cos - one.north * sin,
    north: north + one.east * sin + one.north * cos,
  }));
}

function momentsOf({ length, time, lat, lon }: TripPoints): Moment[] {
  const [lat0 = 0, lon0 = 0] = [lat[0], lon[0]];
  return Array.from({ length }, (_, i) => ({
    at: ((time[i] ?? 0) - (time[0] ?? 0)) / 1000,
    east: haversineMeters(lat[i] ?? 0, lon0, lat[i] ?? 0, lon[i] ?? 0) * Math.sign((lon[i] ?? 0) - lon0),
    north: haversineMeters(lat0, lon0, lat[i] ?? 0, lon0) * Math.sign((lat[i] ?? 0) - lat0),
  }));
}

function withoutStays(moments: readonly Moment[]): Drive {
  const isNear = (one: Moment, other = one) =>
    Math.hypot(one.east - other.east, one.north - other.north) <= STANDING_METERS;
  const departed = moments.findIndex((one) => !isNear(one, moments[0]));
  const last = moments.findLastIndex((one) => !isNear(one, moments.at(-1)));
  const drive = moments.slice(departed - 1, last + 2);
  const from = drive[0] ?? { at: 0, east: 0, north: 0 };
  return drive.map(({ at, east, north }) => ({ at: at - from.at, east: east - from.east, north: north - from.north }));
}
