/** GraphQL operation with which the site's pages count the trips of a vehicle by days (`vehicle-trips.js`). */
export const TRIP_DAYS_QUERY = `query Days($vehicle: String!, $after: String) {
  trips(vehicle_key: $vehicle, first: 1000, after: $after) {
    nodes { key start_point { timestamp } }
    page_info { end_cursor has_next_page }
  }
}`;
