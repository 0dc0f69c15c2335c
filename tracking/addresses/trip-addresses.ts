import { existsSync, readFileSync } from 'node:fs';

import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import { once } from '../../schema/once.ts';
import type { Address } from '../../schema/trips/trip-end.ts';
import type { TripFacts } from '../geometry/trip-facts.ts';
import { Gazetteer, GAZETTEER_FILE } from './gazetteer-file.ts';

/** Folders of the file, relative to the built program, to the sources, and to compiled sources. */
const PLACES = ['./', '../../build/bundle/', '../../bundle/'];

/** The gazetteer, read when a trip first needs it. */
const gazetteer = once(() => {
  const file = PLACES.map((at) => new URL(`${at}${GAZETTEER_FILE}`, import.meta.url)).find((url) => existsSync(url));
  if (file === undefined) throw new Error(`build/bundle/${GAZETTEER_FILE} is missing; run npm run build first`);
  return new Gazetteer(readFileSync(file));
});

/** The address of a position as far as the gazetteer has it: without street and postal code; null far from any city. */
export function addressAt({ lat, lon }: GeoPoint): Address | null {
  const found = gazetteer().find(lat, lon);
  return found && { street: null, zipcode: null, ...found };
}

/** Adds the addresses of their ends to the facts of a whole trip. */
export function withAddresses({ start_point, end_point, ...facts }: TripFacts): TripFacts {
  return { ...facts, start_point: addressed(start_point), end_point: addressed(end_point) };
}

function addressed(end: TripFacts['start_point']): TripFacts['start_point'] {
  return { ...end, address: end.point && addressAt(end.point) };
}
