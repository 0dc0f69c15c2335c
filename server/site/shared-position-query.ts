/** GraphQL operation with which the page of a share reads the newest position that it may show (`share.js`). */
export const SHARED_POSITION_QUERY = `query SharedPosition($vehicle: String!) {
  trips(vehicle_key: $vehicle, first: 1, newest_first: true) {
    nodes { key end_point { timestamp point { lat lon } } }
  }
}`;
