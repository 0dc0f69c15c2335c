/** A layer of a style of the map engines (Mapbox Style Specification, version 8), as far as it is used here. */
export interface MapLayer {
  readonly id: string;
  readonly layout?: Readonly<Record<string, unknown>>;
  readonly paint?: Readonly<Record<string, unknown>>;
}
