import { setTimeout } from 'node:timers/promises';

import { LRUCache } from 'lru-cache';

import { perService } from '../../models/store/service.ts';
import type { GeoPoint } from '../../schema/trips/geo-point.ts';
import type { Address } from '../../schema/trips/trip-end.ts';

/** Maximum number of places whose addresses are kept in memory. */
const MAX_KNOWN = 10_000;
const TIMEOUT_MS = 10_000;
/** Milliseconds for which a geocoder that has failed is left alone. */
const PAUSE_MS = 60_000;
/** Of a degree: 11 meters or less. */
const UNITS_PER_DEGREE = 10_000;
/** Maximum length of a text, in characters. */
const MAX_LENGTH = 200;

/** The place that the geocoder is asked for in place of a position: addresses are those of rounded places. */
export function geocodedPlace({ lat, lon }: GeoPoint): GeoPoint {
  const rounded = (degrees: number) => Math.round(degrees * UNITS_PER_DEGREE) / UNITS_PER_DEGREE;
  return { lat: rounded(lat), lon: rounded(lon) };
}

/**
 * The operator's Nominatim or Photon. Both answer with a GeoJSON feature whose properties are those of GeocodeJSON
 * (https://github.com/geocoders/geocodejson-spec); Nominatim with `format=geocodejson`.
 */
class Geocoder {
  readonly #url: string;
  readonly #intervalMs: number;
  readonly #known = new LRUCache<string, { readonly address: Address | null }>({ max: MAX_KNOWN });
  /** When the next request may be sent, by the monotonic clock. */
  #next = 0;

  /** @param rate requests per second */
  constructor(url: string, rate: number) {
    this.#url = url;
    this.#intervalMs = 1000 / rate;
  }

  /**
   * Looks up the address of a place; null if there is none. Call it for one place at a time.
   *
   * @param place as {@link geocodedPlace} makes it
   * @throws Error if the geocoder fails, or once the signal is aborted
   */
  async addressAt({ lat, lon }: GeoPoint, signal: AbortSignal): Promise<Address | null> {
    const name = `${lat} ${lon}`;
    const known = this.#known.get(name);
    if (known) return known.address;
    await setTimeout(Math.max(0, this.#next - performance.now()), undefined, { signal });
    this.#next = performance.now() + PAUSE_MS;
    const began = performance.now();
    const address = addressOf(await this.#ask(lat, lon, signal));
    this.#next = began + this.#intervalMs;
    this.#known.set(name, { address });
    return address;
  }

  async #ask(lat: number, lon: number, signal: AbortSignal): Promise<unknown> {
    const url = new URL(this.#url);
    url.searchParams.set('lat', String(lat));
    url.searchParams.set('lon', String(lon));
    const response = await fetch(url, {
      // English, like the names of the gazetteer; a parameter of the address takes precedence.
      headers: { accept: 'application/json', 'accept-language': 'en', 'user-agent': 'Waybridge' },
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`The geocoder answered ${response.status}; check GEOCODER_URL`);
    return response.json();
  }
}

/** The geocoder of a service; null if it has none. */
export const geocoderOf = perService(({ settings: { geocoderUrl, geocoderRate } }) => ({
  geocoder: geocoderUrl === null ? null : new Geocoder(geocoderUrl, geocoderRate),
}));

/** Reads the first feature of an answer; null if it has none. */
function addressOf(answer: unknown): Address | null {
  const [feature] = listIn(answer, 'features');
  const properties = memberOf(feature, 'properties');
  const found = memberOf(properties, 'geocoding') ?? properties;
  if (found === undefined) return null;
  const text = (name: string): string | null => {
    const value = memberOf(found, name);
    return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_LENGTH) : null;
  };
  // A feature that is a street has its name.
  const street = text('street') ?? (text('type') === 'street' ? text('name') : null);
  const number = text('housenumber');
  return {
    street: street !== null && number !== null ? `${street} ${number}` : street,
    city: text('city'),
    state: text('state'),
    zipcode: text('postcode'),
    country: text('country'),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name);
  return Array.isArray(list) ? list : [];
}
