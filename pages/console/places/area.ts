/** A point of the earth in degrees. */
export interface Point {
  readonly lat: number;
  readonly lon: number;
}

/** An area: a circle with its radius in meters, or a polygon of at least three corners. */
export type Area = { readonly point: Point; readonly radius: number } | { readonly polygon: readonly Point[] };

/** Length of a degree of latitude in meters. */
const DEGREE_METERS = 111_195;
const CIRCLE_CORNERS = 72;

/** Corners of an area as GeoJSON writes them: longitude first, the first one repeated as the last. */
export function ringOf(area: Area): [lon: number, lat: number][] {
  const corners = 'polygon' in area ? area.polygon : circleCorners(area.point, area.radius);
  return [...corners, ...corners.slice(0, 1)].map(({ lat, lon }) => [lon, lat]);
}

/** The circle around the corners that approximate it. */
export function circleOf(ring: readonly (readonly number[])[]): { readonly point: Point; readonly radius: number } {
  const lats = ring.map(([, lat = 0]) => lat);
  const lons = ring.map(([lon = 0]) => lon);
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  const point = { lat: rounded((south + north) / 2), lon: rounded((Math.min(...lons) + Math.max(...lons)) / 2) };
  return { point, radius: Math.max(1, Math.round(((north - south) / 2) * DEGREE_METERS)) };
}

/** A coordinate to a tenth of a meter. */
export function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6;
}

function circleCorners({ lat, lon }: Point, radius: number): readonly Point[] {
  const height = radius / DEGREE_METERS;
  const width = height / Math.cos((lat * Math.PI) / 180);
  return Array.from({ length: CIRCLE_CORNERS }, (_, index) => {
    const angle = (index / CIRCLE_CORNERS) * 2 * Math.PI;
    return { lat: lat + height * Math.sin(angle), lon: lon + width * Math.cos(angle) };
  });
}
