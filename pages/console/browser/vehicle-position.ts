/** The latest position of a vehicle. */
export interface VehiclePosition {
  readonly timestamp: string;
  readonly motion_status: 'moving' | 'stopped';
  readonly speed_mph: number | null;
  readonly heading: number | null;
  readonly point: { readonly lat: number; readonly lon: number };
}

/** Selection of a {@link VehiclePosition}. */
export const POSITION_FIELDS = 'timestamp motion_status speed_mph heading point { lat lon }';

/** Newest positions as they arrive, of at most 1,000 vehicles. */
export const MOVED = `subscription ConsoleVehicleMoved($keys: [String!]) {
  vehicleMoved(vehicle_keys: $keys) { vehicle_key vehicle_location { ${POSITION_FIELDS} } }
}`;

/** Result of {@link MOVED}. */
export interface Moved {
  readonly vehicleMoved: { readonly vehicle_key: string; readonly vehicle_location: VehiclePosition };
}
