import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../http/package-file.ts';
import { once } from '../../schema/once.ts';

/** Latitude and longitude in degrees. */
export type Position = readonly [lat: number, lon: number];

/** A way from one place of Florence to another, along roads; found on the map by `command/demo-streets.js`. */
export interface Street {
  readonly from: string;
  readonly to: string;
  readonly path: readonly Position[];
  /** Free-flow speed towards each position except the first, in kilometers per hour. */
  readonly kmh: readonly number[];
  /** Indexes of the positions that are crossings with lights. */
  readonly lights: readonly number[];
}

/** All streets, read from their file at the first call. */
export const allStreets = once(
  () => JSON.parse(readFileSync(join(packageRoot(), 'server/demo/streets.json'), 'utf8')) as readonly Street[],
);
