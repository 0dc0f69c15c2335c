/**
 * Google's encoded polyline, latitude first, the form in which paths are sent. This file imports nothing, so that the web
 * component can share it.
 * @see https://developers.google.com/maps/documentation/utilities/polylinealgorithm
 * @module
 */

/** Decimals kept of each coordinate; 5 is about one metre. */
export const POLYLINE_PRECISION = 5;

const UNITS_PER_DEGREE = 10 ** POLYLINE_PRECISION;

/** Number of characters that are joined at a time. */
const TOGETHER = 4000;

/** A position on the ground in degrees (WGS 84). */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** Encodes positions with {@link POLYLINE_PRECISION} decimals. */
export function encodePolyline(positions: Iterable<Position>): string {
  const all = [...positions];
  const [lat, lon] = [
    Float64Array.from(all, (position) => position.lat),
    Float64Array.from(all, (position) => position.lon),
  ];
  return encodeRange(lat, lon, 0, all.length);
}

/**
 * Encodes positions `from` to `until` (exclusive) of columns in degrees, as differences to the position before them if there
 * is one: joined, the texts of consecutive ranges are the polyline of all.
 */
export function encodeRange(lat: Float64Array, lon: Float64Array, from: number, until: number): string {
  const text = new DeltaText();
  let previousLat = from === 0 ? 0 : unitsOf(lat[from - 1] ?? 0);
  let previousLon = from === 0 ? 0 : unitsOf(lon[from - 1] ?? 0);
  for (let at = from; at < until; at++) {
    const latUnits = unitsOf(lat[at] ?? 0);
    const lonUnits = unitsOf(lon[at] ?? 0);
    text.add(latUnits - previousLat);
    text.add(lonUnits - previousLon);
    previousLat = latUnits;
    previousLon = lonUnits;
  }
  return text.end();
}

/**
 * Decodes to `[longitude, latitude]` pairs, as in GeoJSON and map libraries.
 *
 * @throws RangeError if the text ends inside a number or contains an invalid character
 */
export function decodePolyline(encoded: string, precision: number = POLYLINE_PRECISION): [lon: number, lat: number][] {
  const factor = 10 ** precision;
  const pairs: [number, number][] = [];
  const deltas = deltasOf(encoded);
  if (deltas.length % 2 === 1) throw new RangeError('Malformed polyline: a latitude without a longitude');
  let lat = 0;
  let lon = 0;
  for (let at = 0; at < deltas.length; at += 2) {
    lat += deltas[at] ?? 0;
    lon += deltas[at + 1] ?? 0;
    pairs.push([lon / factor, lat / factor]);
  }
  return pairs;
}

/** Encodes whole numbers like the latitudes of a polyline: each as the difference to the previous one, the first to `before`. */
export function encodeNumbers(numbers: Iterable<number>, before = 0): string {
  const text = new DeltaText();
  let previous = before;
  for (const number of numbers) {
    text.add(number - previous);
    previous = number;
  }
  return text.end();
}

/**
 * Decodes what {@link encodeNumbers} encoded.
 *
 * @throws RangeError as {@link decodePolyline}
 */
export function decodeNumbers(encoded: string): number[] {
  let number = 0;
  return deltasOf(encoded).map((delta) => {
    number += delta;
    return number;
  });
}

function deltasOf(encoded: string): number[] {
  const deltas: number[] = [];
  let result = 0;
  let unit = 1;
  for (let at = 0; at < encoded.length; at++) {
    const chunk = encoded.charCodeAt(at) - 63;
    if (!(chunk >= 0 && chunk < 64)) throw new RangeError(`Malformed polyline at character ${at}`);
    result += (chunk & 0x1f) * unit;
    unit *= 32;
    if (chunk >= 0x20) continue;
    deltas.push(result % 2 === 1 ? -(result + 1) / 2 : result / 2);
    result = 0;
    unit = 1;
  }
  if (unit > 1) throw new RangeError(`Malformed polyline at character ${encoded.length}`);
  return deltas;
}

function unitsOf(degrees: number): number {
  return Math.round(degrees * UNITS_PER_DEGREE);
}

/** Text of differences. Characters are joined in groups: joined singly, a long text would be a deep tree of strings. */
class DeltaText {
  #text = '';
  #characters: number[] = [];

  add(delta: number): void {
    let rest = delta < 0 ? -delta * 2 - 1 : delta * 2;
    while (rest >= 0x20) {
      this.#characters.push((rest % 0x20) + 0x20 + 63);
      rest = Math.floor(rest / 0x20);
    }
    this.#characters.push(rest + 63);
    if (this.#characters.length >= TOGETHER) this.#join();
  }

  end(): string {
    this.#join();
    return this.#text;
  }

  #join(): void {
    this.#text += String.fromCharCode(...this.#characters);
    this.#characters = [];
  }
}
