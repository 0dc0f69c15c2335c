/**
 * Google's encoded polyline, latitude first: the form in which a path crosses the wire.
 *
 * This file imports nothing, so that the web component can share it with the server.
 *
 * @see https://developers.google.com/maps/documentation/utilities/polylinealgorithm
 * @module
 */

/** Decimals kept of each coordinate; 5 is about one metre. */
export const POLYLINE_PRECISION = 5;

/** A position on the ground in degrees (WGS 84). */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** Encodes positions with {@link POLYLINE_PRECISION} decimals. */
export function encodePolyline(positions: Iterable<Position>): string {
  const factor = 10 ** POLYLINE_PRECISION;
  let encoded = '';
  let previousLat = 0;
  let previousLon = 0;
  for (const { lat, lon } of positions) {
    const latUnits = Math.round(lat * factor);
    const lonUnits = Math.round(lon * factor);
    encoded += encodeDelta(latUnits - previousLat) + encodeDelta(lonUnits - previousLon);
    previousLat = latUnits;
    previousLon = lonUnits;
  }
  return encoded;
}

/**
 * Decodes to `[longitude, latitude]` pairs, the order that GeoJSON and map libraries want.
 *
 * @throws RangeError where the text ends inside a number or has a character that no encoder writes
 */
export function decodePolyline(encoded: string, precision: number = POLYLINE_PRECISION): [lon: number, lat: number][] {
  const factor = 10 ** precision;
  const pairs: [number, number][] = [];
  let at = 0;
  let lat = 0;
  let lon = 0;

  const nextDelta = (): number => {
    let result = 0;
    let shift = 0;
    for (;;) {
      const chunk = encoded.charCodeAt(at++) - 63;
      if (!(chunk >= 0 && chunk < 64)) throw new RangeError(`Malformed polyline at character ${at - 1}`);
      result += (chunk & 0x1f) * 2 ** shift;
      if (chunk < 0x20) return result % 2 === 1 ? -(result + 1) / 2 : result / 2;
      shift += 5;
    }
  };

  while (at < encoded.length) {
    lat += nextDelta();
    lon += nextDelta();
    pairs.push([lon / factor, lat / factor]);
  }
  return pairs;
}

function encodeDelta(delta: number): string {
  let rest = delta < 0 ? -delta * 2 - 1 : delta * 2;
  let encoded = '';
  while (rest >= 0x20) {
    encoded += String.fromCharCode((rest % 0x20) + 0x20 + 63);
    rest = Math.floor(rest / 0x20);
  }
  return encoded + String.fromCharCode(rest + 63);
}
