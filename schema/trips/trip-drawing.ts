/**
 * Drawing of the lines of trips as SVG, without a map and without a network. This file imports only pure code, so that the
 * web component and the service share it.
 *
 * @module
 */
import { escapeXml } from '../xml.ts';

/** Longitude and latitude in degrees. */
type Position = readonly [lon: number, lat: number];

/** A trip as it is drawn. */
export interface DrawnTrip {
  readonly color: string;
  readonly path: readonly Position[];
  /** Indices of positions of `path` that are not connected to the previous one. */
  readonly breaks: readonly number[];
  /** Indices of positions of `path` with an unknown way from the previous one, which is dashed. */
  readonly gaps: readonly number[];
  readonly stops: readonly { readonly kind: 'start' | 'stop' | 'end'; readonly position: Position }[];
}

/** Size, colors and texts of a drawing. */
export interface DrawingOptions {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly colors: {
    readonly ground: string;
    readonly grid: string;
    readonly casing: string;
    readonly surface: string;
    readonly text: string;
  };
  /** Units of the scale; null for a drawing without texts. */
  readonly units: Units | null;
  /** Text alternative. */
  readonly label: string;
  /** Text at the bottom; none if it is empty. */
  readonly note?: string;
  /** Pixels at each edge without lines; the same at all by default. */
  readonly padding?: Padding;
}

/** Widths of the strips at the edges of a map or a picture that contain no lines, in pixels. */
export interface Padding {
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

/** Colors that can be distinguished on light and dark grounds; the first is that of a single trip. */
export const TRIP_COLORS = [
  '#2563eb',
  '#d9480f',
  '#0b8a6a',
  '#9333ea',
  '#c2255c',
  '#0e7490',
  '#a16207',
  '#4d7c0f',
] as const;

/** The same hues for dark panels, each with a contrast of at least 3:1. */
export const DARK_TRIP_COLORS = [
  '#6ea0ff',
  '#f38b80',
  '#00bdaa',
  '#a557f0',
  '#e32e93',
  '#0783b2',
  '#c56100',
  '#4e8b51',
] as const;

const EARTH_METERS = 40_075_016.7;
/** Units of distances. */
export type Units = 'km' | 'mi';

/** Meters per unit. */
export const METERS: Readonly<Record<Units, number>> = { km: 1000, mi: 1609.344 };
/** Latitude at which Web Mercator ends. */
const MAX_LATITUDE = 85.05;
/** Width of the world in pixels at zoom level 16 of maps, the maximum enlargement. */
const MAX_WORLD = 512 * 2 ** 16;

/** A position on a drawing, in pixels. */
type Point = readonly [x: number, y: number];

/** Writes the lines of trips as an SVG document; only the background if there are none. */
export function drawTrips(trips: readonly DrawnTrip[], options: DrawingOptions): string {
  const { width, height, colors, label, note = '', units } = options;
  const { place, metersPerPixel } = projectionOf(trips, width, height, options.padding);
  const lines = trips.map((trip) => ({ ...trip, data: pathData(trip, place) }));
  const dashed = trips.map((trip) => ({ ...trip, data: gapData(trip, place) })).filter(({ data }) => data !== '');
  const step = units && scaleOf(width / 4, metersPerPixel, units);
  const marks = trips.flatMap(({ color, stops }) =>
    stops.map((stop) => mark(stop.kind, place(stop.position), color, colors)),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escapeXml(label)}</title>`,
    `<rect width="100%" height="100%" fill="${escapeXml(colors.ground)}"/>`,
    grid(width, height, step?.pixels ?? 80, colors.grid),
    `<g fill="none" stroke-linecap="round" stroke-linejoin="round">`,
    ...lines.map(({ data }) => `<path d="${data}" stroke="${escapeXml(colors.casing)}" stroke-width="8"/>`),
    ...lines.map(({ data, color }) => `<path d="${data}" stroke="${escapeXml(color)}" stroke-width="4.5"/>`),
    '</g>',
    ...dashed.map(
      ({ data, color }) =>
        `<path d="${data}" fill="none" stroke="${escapeXml(color)}" stroke-width="4.5" stroke-dasharray="4.5 5"/>`,
    ),
    ...marks,
    step ? scaleBar(step, height, colors) : '',
    note === '' || units === null ? '' : textAt(width - 12, height - 12, 'end', note, colors),
    '</svg>',
  ].join('');
}

/** Finds the largest view that shows all trips, in Web Mercator. */
function projectionOf(
  trips: readonly DrawnTrip[],
  width: number,
  height: number,
  { top: above, right: after, bottom: below, left: before } = evenPadding(width, height),
) {
  const positions = trips.flatMap(({ path, stops }) => [...path, ...stops.map(({ position }) => position)]);
  const origin = positions[0]?.[0] ?? 0;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const position of positions) {
    const [x, y] = mercator(position, origin);
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  const center: Point = positions.length === 0 ? [0.5, 0.5] : [(left + right) / 2, (top + bottom) / 2];
  const room = (pixels: number, extent: number): number => pixels / Math.max(extent, 1e-12);
  const [wide, high] = [width - before - after, height - above - below];
  const world = Math.min(MAX_WORLD, room(wide, right - left), room(high, bottom - top));
  const place = (position: Position): Point => {
    const [x, y] = mercator(position, origin);
    return [before + wide / 2 + (x - center[0]) * world, above + high / 2 + (y - center[1]) * world];
  };
  // The length of a degree in the middle of the drawing, where the scale is right.
  const latitude = Math.atan(Math.sinh(Math.PI * (1 - 2 * center[1])));
  return { place, metersPerPixel: (EARTH_METERS * Math.cos(latitude)) / world };
}

function evenPadding(width: number, height: number): Padding {
  const edge = Math.min(48, width / 8, height / 8);
  return { top: edge, right: edge, bottom: edge, left: edge };
}

/** Projects to the unit square; longitudes are those nearest to `origin`, so that no trip is drawn around the earth. */
function mercator([lon, lat]: Position, origin: number): Point {
  const near = lon - 360 * Math.round((lon - origin) / 360);
  const radians = (Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat)) * Math.PI) / 180;
  return [(near + 180) / 360, (1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2];
}

/** Writes the line of a trip, without positions that lie within half a pixel of the one before. */
function pathData({ path, breaks, gaps }: DrawnTrip, place: (position: Position) => Point): string {
  const starts = new Set([0, ...breaks, ...gaps]);
  let last: Point = [Infinity, Infinity];
  const steps = path.map((position, at) => {
    const [x, y] = place(position);
    const isLast = at === path.length - 1 || starts.has(at + 1);
    if (!starts.has(at) && !isLast && Math.hypot(x - last[0], y - last[1]) < 0.5) return '';
    last = [x, y];
    return `${starts.has(at) ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return steps.join('');
}

/** Writes straight lines across the gaps of a trip. */
function gapData({ path, gaps }: DrawnTrip, place: (position: Position) => Point): string {
  const ends = gaps.map((at) => path.slice(at - 1, at + 1).map(place));
  return ends.map((line) => `M${line.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`).join('');
}

function mark(kind: string, [x, y]: Point, color: string, { surface }: DrawingOptions['colors']): string {
  const [radius, fill, stroke] = kind === 'end' ? [7, color, surface] : [kind === 'start' ? 6 : 4, surface, color];
  const [at, fillColor, strokeColor] = [
    `cx="${x.toFixed(1)}" cy="${y.toFixed(1)}"`,
    escapeXml(fill),
    escapeXml(stroke),
  ];
  return `<circle ${at} r="${radius}" fill="${fillColor}" stroke="${strokeColor}" stroke-width="${kind === 'stop' ? 2 : 3}"/>`;
}

function grid(width: number, height: number, step: number, color: string): string {
  const lines = (until: number, line: (at: number) => string): string[] =>
    Array.from({ length: Math.floor(until / step) }, (_, index) => line((index + 1) * step));
  const vertical = lines(width, (x) => `M${x.toFixed(1)} 0V${height}`);
  const horizontal = lines(height, (y) => `M0 ${(height - y).toFixed(1)}H${width}`);
  return `<path d="${[...vertical, ...horizontal].join('')}" fill="none" stroke="${escapeXml(color)}"/>`;
}

/** A length for the scale: 1, 2 or 5 times a power of ten, within a maximum number of pixels. */
function scaleOf(maxPixels: number, metersPerPixel: number, units: Units) {
  const maxLength = (maxPixels * metersPerPixel) / METERS[units];
  const power = 10 ** Math.floor(Math.log10(maxLength));
  const length = ([5, 2, 1].find((factor) => factor * power <= maxLength) ?? 1) * power;
  const isShort = units === 'km' && length < 1;
  const text = isShort ? `${Math.round(length * 1000)} m` : `${Number(length.toPrecision(1))} ${units}`;
  return { text, pixels: (length * METERS[units]) / metersPerPixel };
}

function scaleBar(
  { text, pixels }: { text: string; pixels: number },
  height: number,
  colors: DrawingOptions['colors'],
) {
  const bar = `M12 ${height - 18}v6h${pixels.toFixed(1)}v-6`;
  return `<path d="${bar}" fill="none" stroke="${escapeXml(colors.text)}" stroke-width="1.5"/>${textAt(12 + pixels / 2, height - 24, 'middle', text, colors)}`;
}

function textAt(x: number, y: number, anchor: string, text: string, colors: DrawingOptions['colors']): string {
  const outline = `paint-order="stroke" stroke="${escapeXml(colors.ground)}" stroke-width="4" stroke-linejoin="round"`;
  const font = 'font-family="system-ui, sans-serif" font-size="12"';
  return `<text x="${x.toFixed(1)}" y="${y}" text-anchor="${anchor}" ${font} fill="${escapeXml(colors.text)}" ${outline}>${escapeXml(text)}</text>`;
}
