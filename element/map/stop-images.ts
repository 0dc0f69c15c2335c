import type { EngineMap } from '../engine/engine-map.ts';
import type { TripStop } from '../trips/trip.ts';

/** Colors of the markers that depend on the theme. */
export interface MarkerColors {
  readonly surface: string;
  readonly text: string;
  readonly outline: string;
}

/** Width and height of the images in pixels of the page. */
const SIZES: Readonly<Record<TripStop['kind'], readonly [width: number, height: number]>> = {
  start: [26, 26],
  stop: [22, 22],
  end: [36, 44],
};

const PIN = 'M18 41C13.5 32.5 5 27.5 5 17.5a13 13 0 0 1 26 0c0 10-8.5 15-13 23.500Z';
const FLAG = 'M13.5 23.5v-12m0 .6h9.3l-2.2 3.2 2.2 3.2h-9.3';

/** Returns the name of the image of a stop. */
export function stopImage(kind: TripStop['kind'], color: string): string {
  return `service-trips-${kind} ${color}`;
}

/** Adds the image of a stop to a map, unless its style has it already. */
export function addStopImage(map: EngineMap, kind: TripStop['kind'], color: string): void {
  addDrawing(map, stopImage(kind, color), SIZES[kind], (pen) => {
    const [width, height] = SIZES[kind];
    const shadow = { shadowColor: 'rgb(15 23 42 / 0.45)', shadowBlur: 3 * scaleOf(), shadowOffsetY: scaleOf() };
    Object.assign(pen, shadow, { lineCap: 'round', lineJoin: 'round' });
    const circle = (radius: number): Path2D => {
      const path = new Path2D();
      path.arc(width / 2, height / 2, radius, 0, 2 * Math.PI);
      return path;
    };
    if (kind === 'end') paint(pen, new Path2D(PIN), color, '#fff', 2);
    else paint(pen, circle(kind === 'start' ? 8 : 7), '#fff', color, kind === 'start' ? 4 : 2.5);
    pen.shadowColor = 'transparent';
    if (kind === 'start') paint(pen, circle(2.5), color);
    if (kind === 'stop') paint(pen, new Path2D('M9.4 8.5v5m3.2-5v5'), null, color, 2);
    if (kind === 'end') paint(pen, new Path2D(FLAG), '#fff', '#fff', 1.8);
  });
}

const CLUSTER = 'service-trips-cluster ';

/** Expression of the name of a cluster's image; more than 99 stops are written as `99+`. */
export const CLUSTER_IMAGE = [
  'concat',
  CLUSTER,
  ['case', ['>', ['get', 'point_count'], 99], '99+', ['to-string', ['get', 'point_count']]],
] as const;

/** Draws the images of clusters when a map asks for them; they show how many stops there are. */
export function drawClusters(map: EngineMap, colors: () => MarkerColors): void {
  map.on('styleimagemissing', ({ id }) => {
    if (!id.startsWith(CLUSTER)) return;
    const text = id.slice(CLUSTER.length);
    const size = [24, 26, 32][Math.min(3, text.length) - 1] ?? 32;
    addDrawing(map, id, [size, size], (pen) => {
      const { surface, text: ink, outline } = colors();
      const path = new Path2D();
      path.arc(size / 2, size / 2, size / 2 - 2.5, 0, 2 * Math.PI);
      Object.assign(pen, { font: '600 11.5px system-ui, sans-serif', textAlign: 'center', textBaseline: 'middle' });
      Object.assign(pen, { shadowColor: 'rgb(15 23 42 / 0.45)', shadowBlur: 2 * scaleOf() });
      paint(pen, path, surface, outline, 1.5);
      Object.assign(pen, { shadowColor: 'transparent', fillStyle: ink });
      pen.fillText(text, size / 2, size / 2 + 0.5);
    });
  });
}

/** Removes the images of clusters, whose colors have changed. */
export function dropClusterImages(map: EngineMap): void {
  for (const id of map.listImages()) if (id.startsWith(CLUSTER)) map.removeImage(id);
}

/** Adds an arrowhead that points along a line of this color. */
export function addArrowImage(map: EngineMap, id: string, color: string, outline: string): void {
  addDrawing(map, id, [15, 15], (pen) => {
    const head = new Path2D('M3 2.5 13.5 7.5 3 12.5 5 7.5Z');
    Object.assign(pen, { lineJoin: 'round' });
    paint(pen, head, null, outline, 3);
    paint(pen, head, color);
  });
}

/** Pixels of an image per pixel of the page. */
function scaleOf(): number {
  return Math.min(3, Math.max(2, Math.ceil(devicePixelRatio)));
}

/** Draws an image without a request, as a strict Content-Security-Policy asks for. */
function addDrawing(
  map: EngineMap,
  id: string,
  [width, height]: readonly [width: number, height: number],
  draw: (pen: CanvasRenderingContext2D) => void,
): void {
  if (map.hasImage(id)) return;
  const scale = scaleOf();
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: width * scale, height: height * scale });
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) return;
  pen.scale(scale, scale);
  draw(pen);
  map.addImage(id, pen.getImageData(0, 0, canvas.width, canvas.height), { pixelRatio: scale });
}

function paint(pen: CanvasRenderingContext2D, path: Path2D, fill: string | null, stroke?: string, width = 1): void {
  if (fill) {
    pen.fillStyle = fill;
    pen.fill(path);
  }
  if (!stroke) return;
  Object.assign(pen, { strokeStyle: stroke, lineWidth: width });
  pen.stroke(path);
}
