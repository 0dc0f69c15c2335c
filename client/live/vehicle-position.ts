/** A position of a vehicle. */
export interface VehiclePosition {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly point: { readonly lat: number; readonly lon: number };
  /** Degrees clockwise from north; null if not known. */
  readonly heading: number | null;
  readonly speed_mph: number | null;
  readonly motion_status: 'moving' | 'stopped';
}

/** Selection of a {@link VehiclePosition}. */
export const POSITION_FIELDS = 'timestamp point { lat lon } heading speed_mph motion_status';
