import Flatbush from 'flatbush';
import { around } from 'geoflatbush';

import { EARTH_RADIUS_METERS, haversineMeters, RADIANS } from '../geometry/haversine.ts';

/** Name of the file among those of the built program. */
export const GAZETTEER_FILE = 'gazetteer.bin';

/** A city, town or village. */
export interface City {
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  readonly population: number;
  /** Name of the state or region; null if it is not known. */
  readonly state: string | null;
  readonly country: string;
}

/** Names of a city, its state and its country. */
export type CityNames = Pick<City, 'country' | 'state'> & { readonly city: string };

/** Inhabitants per square meter, from which the size of a city follows: 4,000 per square kilometer, as in Berlin. */
const DENSITY = 0.004;

/** Maximum distance from the edge of the nearest city at which a position is named after it. */
const MAX_KILOMETERS = 20;

/** A city's center and radius take three numbers. */
const CIRCLE = 3;

/** Names the nearest city of positions. Each city is a circle as large as its population requires. */
export class Gazetteer {
  readonly #tree: Flatbush;
  /** Latitude and longitude in degrees and radius in meters of each city. */
  readonly #circles: Float32Array;
  /** Number of each city's region. */
  readonly #regions: Uint16Array;
  /** Byte after each city's name among the names. */
  readonly #ends: Uint32Array;
  readonly #names: Buffer;
  readonly #regionNames: readonly (readonly [country: string, state: string | null])[];

  /** @param file as {@link packGazetteer} makes it */
  constructor(file: Buffer) {
    // Number arrays begin at multiples of eight bytes of their memory.
    const bytes = new Uint8Array(file).buffer;
    const [treeBytes = 0, count = 0, nameBytes = 0] = new Uint32Array(bytes, 0, 4);
    let at = 16;
    const next = (length: number) => {
      at += length;
      return at - length;
    };
    this.#tree = Flatbush.from(bytes, next(treeBytes));
    this.#circles = new Float32Array(bytes, next(count * CIRCLE * 4), count * CIRCLE);
    this.#ends = new Uint32Array(bytes, next(count * 4), count);
    this.#regions = new Uint16Array(bytes, next(count * 2), count);
    this.#names = Buffer.from(bytes, next(nameBytes), nameBytes);
    this.#regionNames = JSON.parse(Buffer.from(bytes, at).toString());
  }

  /** The city at a position, or the nearest one; null if none is within 20 km of it. Takes a few microseconds. */
  find(lat: number, lon: number): CityNames | null {
    const within = this.#tree
      .search(lon, lat, lon, lat)
      .map((city) => ({ city, share: this.#shareOf(city, lat, lon) }));
    const [first] = within.filter(({ share }) => share <= 1).sort((one, other) => one.share - other.share);
    const [city = first?.city] = first ? [] : around(this.#tree, lon, lat, 1, MAX_KILOMETERS);
    return city === undefined ? null : this.#namesOf(city);
  }

  /** Distance from the center of a city, as a share of its radius. Of several cities around a position, the least is named. */
  #shareOf(city: number, lat: number, lon: number): number {
    const [centerLat = 0, centerLon = 0, radius = 0] = this.#circles.subarray(city * CIRCLE);
    return haversineMeters(centerLat, centerLon, lat, lon) / radius;
  }

  #namesOf(city: number): CityNames {
    const name = this.#names.toString('utf8', this.#ends[city - 1] ?? 0, this.#ends[city]);
    const [country = '', state = null] = this.#regionNames[this.#regions[city] ?? 0] ?? [];
    return { city: name, state, country };
  }
}

/** Packs cities, more than 65,535, into the file that a {@link Gazetteer} reads, with their index, so that reading is fast. */
export function packGazetteer(cities: readonly City[]): Buffer {
  const tree = new Flatbush(cities.length, 16, Float32Array);
  const circles = new Float32Array(cities.length * CIRCLE);
  const ends = new Uint32Array(cities.length);
  const regions = new Uint16Array(cities.length);
  const numbers = new Map<string, number>();
  let end = 0;
  for (const [city, { name, lat, lon, population, state, country }] of cities.entries()) {
    const radius = Math.sqrt(population / (Math.PI * DENSITY));
    const height = radius / EARTH_RADIUS_METERS / RADIANS;
    const width = height / Math.cos(lat * RADIANS);
    tree.add(lon - width, lat - height, lon + width, lat + height);
    circles.set([lat, lon, radius], city * CIRCLE);
    end += Buffer.byteLength(name);
    ends[city] = end;
    const region = JSON.stringify([country, state]);
    if (!numbers.has(region)) numbers.set(region, numbers.size);
    regions[city] = numbers.get(region) ?? 0;
  }
  tree.finish();
  return Buffer.concat([
    new Uint8Array(Uint32Array.of(tree.data.byteLength, cities.length, end, 0).buffer),
    new Uint8Array(tree.data),
    ...[circles, ends, regions].map(({ buffer }) => new Uint8Array(buffer)),
    Buffer.from(cities.map(({ name }) => name).join('')),
    Buffer.from(`[${[...numbers.keys()].join()}]`),
  ]);
}
