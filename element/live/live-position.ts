import type { LonLat } from '../trips/trip.ts';

/** Detail of `live-position`: the newest position of a vehicle. */
export interface LivePosition {
  readonly vehicleKey: string;
  /** Name of the vehicle; null if it has none. */
  readonly name: string | null;
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 8601. */
  readonly timestamp: string;
  /** Degrees clockwise from north; null if not known. */
  readonly heading: number | null;
  /** Meters per second; null if not known. */
  readonly speed: number | null;
}

/** Detail of `live-connected`. */
export interface LiveConnection {
  /** Key of the vehicle; `*` for the vehicles of a group. */
  readonly vehicleKey: string;
  /** `polling` if the stream is blocked. */
  readonly transport: 'stream' | 'polling';
}

/** Detail of `live-disconnected`. */
export interface LiveInterruption {
  readonly vehicleKey: string;
  /**
   * `hidden`: the page is not visible. `interrupted`: the element tries again. `refused`: it needs another token. `stopped`: it
   * follows no longer.
   */
  readonly reason: 'hidden' | 'interrupted' | 'refused' | 'stopped';
  readonly message: string;
}

/** A location as the service sends it. */
export interface WireLocation {
  readonly timestamp: string;
  readonly point: { readonly lat: number; readonly lon: number };
  readonly heading?: number | null;
  readonly speed_mph?: number | null;
}

const METERS_PER_SECOND_IN_MPH = 0.44704;

/** Reads a location as the service sends it; null if it is not one. */
export function livePositionOf(
  vehicleKey: string,
  name: string | null | undefined,
  wire: WireLocation | null | undefined,
): LivePosition | null {
  if (!wire?.point || Number.isNaN(Date.parse(wire.timestamp))) return null;
  const { timestamp, point, heading = null, speed_mph = null } = wire;
  const speed = speed_mph === null ? null : speed_mph * METERS_PER_SECOND_IN_MPH;
  return { vehicleKey, name: name ?? null, latitude: point.lat, longitude: point.lon, timestamp, heading, speed };
}

/** Returns the position in the map's form. */
export function lonLatOfPosition({ longitude, latitude }: LivePosition): LonLat {
  return [longitude, latitude];
}
