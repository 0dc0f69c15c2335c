/** Stored fields of trips to read: a projection. */
export type TripFields = Readonly<Record<string, 0 | 1>>;

/**
 * Stored fields without which no trip can be shown: what it is called, what of it is visible, where its positions are, and
 * their box, which every path with all of them has: fields of a request share the geometry of a trip, whatever each selects.
 */
export const FEWEST_FIELDS: TripFields = {
  _id: 0,
  ...projection(['key', 'vehicle_key', 'device_key', 'point_count', 'bounding_box', 'recording', 'pack', 'epoch']),
  ...projection(['start_point.point', 'start_point.timestamp', 'end_point.point', 'end_point.timestamp']),
};

/** The projection on some stored fields. */
export function projection(names: readonly string[]): TripFields {
  return Object.fromEntries(names.map((name) => [name, 1]));
}
