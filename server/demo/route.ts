import { PLACES, type Position, STREETS, type Street } from './streets.ts';

/** Meters east and north of {@link ORIGIN}: over a city, the earth is flat enough. */
type Point = readonly [x: number, y: number];

/** A way along streets, as points every few meters. */
export interface Route {
  /** Meters from one point to the next. */
  readonly step: number;
  readonly positions: readonly Position[];
  /** Meters per second that are driven there where nothing is in the way. */
  readonly speeds: readonly number[];
  /** Indexes of the points that are crossings. */
  readonly crossings: readonly number[];
}

/** Meters of a degree of latitude. */
export const METERS_PER_DEGREE = 111_195;

const ORIGIN: Position = [52.5, 13.4];
const METERS_PER_DEGREE_EAST = METERS_PER_DEGREE * Math.cos((ORIGIN[0] * Math.PI) / 180);
const STEP = 5;
/** Streets this slow have crossings on their way, too, and after how many points. */
const CITY_KMH = 60;
const BLOCK = 90;
/** Maximum distance before and after a corner over which it is rounded, in meters: in a city, and on faster roads. */
const CORNER = { city: 35, open: 400 } as const;
const CURVE = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1] as const;
/** Streets are not ruled: how far they swing to each side, and over which lengths. */
const SWINGS = [
  { amplitude: 7, length: 830 },
  { amplitude: 3, length: 310 },
] as const;

/**
 * Finds the way along streets.
 *
 * @throws TypeError if no street leads from one place to the next
 */
export function routeAlong(places: readonly string[]): Route {
  const positions: Position[] = [];
  const speeds: number[] = [];
  const crossings: number[] = [];
  for (const [at, to] of places.entries()) {
    const from = places[at - 1];
    if (from === undefined) continue;
    const street = findStreet(from, to);
    if (positions.length > 0) crossings.push(positions.length);
    const points = street.from === from ? knownPointsOf(street) : knownPointsOf(street).toReversed();
    for (const [along, position] of points.entries()) {
      if (street.kmh <= CITY_KMH && along > 0 && along % BLOCK === 0) crossings.push(positions.length);
      positions.push(position);
      speeds.push(street.kmh / 3.6);
    }
  }
  return { step: STEP, positions, speeds, crossings };
}

function findStreet(from: string, to: string): Street {
  const found = STREETS.find(
    (street) => (street.from === from && street.to === to) || (street.from === to && street.to === from),
  );
  if (!found) throw new TypeError(`No street leads from ${from} to ${to}`);
  return found;
}

/** Points of streets that were driven before: computing them is half of a drive's work. */
const driven = new Map<Street, readonly Position[]>();

function knownPointsOf(street: Street): readonly Position[] {
  const points = driven.get(street) ?? pointsOf(street);
  driven.set(street, points);
  return points;
}

/** Points every few meters of a street; the same for every trip along it. */
function pointsOf({ from, to, kmh, bends }: Street): Position[] {
  const corners = [PLACES[from], ...bends, PLACES[to]].map(toPoint);
  const ruled = sample(round(corners, kmh > CITY_KMH ? CORNER.open : CORNER.city));
  const total = (ruled.length - 1) * STEP;
  return ruled.map((point, at) => {
    const before = ruled[Math.max(0, at - 1)] ?? point;
    const after = ruled[Math.min(ruled.length - 1, at + 1)] ?? point;
    const length = distance(before, after) || 1;
    const along = at * STEP;
    const ends = Math.min(1, along / 60, (total - along) / 60);
    const swing = SWINGS.reduce(
      (sum, { amplitude, length: wave }) => sum + amplitude * Math.sin((2 * Math.PI * along) / wave),
      0,
    );
    const aside = Math.max(0, ends) * swing;
    return toPosition([
      point[0] - ((after[1] - before[1]) / length) * aside,
      point[1] + ((after[0] - before[0]) / length) * aside,
    ]);
  });
}

/** Puts a curve (a quadratic Bézier) in the place of each corner. */
function round(corners: readonly Point[], reach: number): Point[] {
  return corners.flatMap((corner, at) => {
    const before = corners[at - 1];
    const after = corners[at + 1];
    if (!before || !after) return [corner];
    const entry = towards(corner, before, reach);
    const exit = towards(corner, after, reach);
    return CURVE.map((share): Point => {
      const weights = [(1 - share) ** 2, 2 * share * (1 - share), share ** 2] as const;
      return [
        weights[0] * entry[0] + weights[1] * corner[0] + weights[2] * exit[0],
        weights[0] * entry[1] + weights[1] * corner[1] + weights[2] * exit[1],
      ];
    });
  });
}

/** The point a little way from a corner towards another. */
function towards(corner: Point, other: Point, reach: number): Point {
  const length = distance(corner, other);
  const share = Math.min(reach, length / 2.2) / (length || 1);
  return [corner[0] + (other[0] - corner[0]) * share, corner[1] + (other[1] - corner[1]) * share];
}

/** Points at equal steps along a line. */
function sample(line: readonly Point[]): Point[] {
  const sampled: Point[] = [];
  let next = 0;
  for (const [at, to] of line.entries()) {
    const from = line[at - 1];
    if (!from) continue;
    const length = distance(from, to);
    for (; next < length; next += STEP) {
      sampled.push([from[0] + ((to[0] - from[0]) * next) / length, from[1] + ((to[1] - from[1]) * next) / length]);
    }
    next -= length;
  }
  return sampled;
}

function distance([x1, y1]: Point, [x2, y2]: Point): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

function toPoint([lat, lon]: Position): Point {
  return [(lon - ORIGIN[1]) * METERS_PER_DEGREE_EAST, (lat - ORIGIN[0]) * METERS_PER_DEGREE];
}

function toPosition([x, y]: Point): Position {
  return [ORIGIN[0] + y / METERS_PER_DEGREE, ORIGIN[1] + x / METERS_PER_DEGREE_EAST];
}

/** Direction from a point of a line to the next one, in degrees clockwise from north. */
export function headingAt(positions: readonly Position[], at: number): number {
  const from = Math.min(Math.max(0, at), positions.length - 2);
  const [lat1, lon1] = positions[from] ?? [0, 0];
  const [lat2, lon2] = positions[from + 1] ?? [0, 0];
  const east = (lon2 - lon1) * Math.cos((lat1 * Math.PI) / 180);
  return ((Math.atan2(east, lat2 - lat1) * 180) / Math.PI + 360) % 360;
}
