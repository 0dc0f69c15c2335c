/** GraphQL operation with which the page of a share reads the newest position that it may show (`share.js`). */
export const SHARED_POSITION_QUERY = `query SharedPosition($vehicle: String!) {
  trips(vehicle_key: $vehicle, first: 1, newest_first: true) {
    nodes { key end_point { timestamp point { lat lon } } }
  }
}`;

/** GraphQL operation by which the page of a shared vehicle learns that it has moved, or that the link has ended. */
export const SHARED_MOVEMENT_SUBSCRIPTION = `subscription SharedMovement($vehicle: String!) {
  vehicle_moved(vehicle_keys: [$vehicle]) { vehicle_key }
}`;
