/** GraphQL operation with which the site's pages list the trips of a vehicle, without their lines (`vehicle-trips.js`). */
export const TRIP_DAYS_QUERY = `query Days($vehicle: String!, $after: String) {
  trips(vehicle_key: $vehicle, first: 1000, after: $after) {
    nodes { key distance_meters duration_seconds start_point { timestamp } end_point { timestamp } }
    page_info { end_cursor has_next_page }
  }
}`;
