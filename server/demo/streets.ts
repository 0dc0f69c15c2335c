import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../http/package-file.ts';
import { once } from '../../schema/once.ts';

/** Latitude and longitude in degrees. */
export type Position = readonly [lat: number, lon: number];

/** A way from one place of Florence to another, on its roads; `command/demo-streets.js` has found it on the map. */
export interface Street {
  readonly from: string;
  readonly to: string;
  readonly path: readonly Position[];
  /** Kilometers per hour that are driven towards each position but the first, if nothing is in the way. */
  readonly kmh: readonly number[];
  /** Indexes of the positions that are crossings with lights. */
  readonly lights: readonly number[];
}

/** All streets, read from their file at the first call. */
export const allStreets = once(
  () => JSON.parse(readFileSync(join(packageRoot(), 'server/demo/streets.json'), 'utf8')) as readonly Street[],
);
