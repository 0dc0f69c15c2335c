/**
 * The relief behind the title: contour lines of a few hills, found by marching squares.
 *
 * @module
 */

const WIDTH = 1200;
const HEIGHT = 640;
const CELL = 12;

/** Hills and, with a negative height, a hollow. */
const HILLS = [
  { x: 1010, y: 170, radius: 190, height: 1 },
  { x: 690, y: 470, radius: 170, height: 0.82 },
  { x: 1160, y: 560, radius: 220, height: 0.9 },
  { x: 560, y: 60, radius: 170, height: 0.62 },
  { x: 850, y: 300, radius: 120, height: -0.42 },
  { x: 180, y: 620, radius: 240, height: 0.55 },
];

type Point = readonly [x: number, y: number];

/** Heights at which the relief has a line; every third one is thicker, as on a hiking map. */
const LEVELS = Array.from({ length: 12 }, (_, index) => -0.24 + index * 0.1);

/** Draws the relief as an SVG in black, to be used as a mask over the page's own color. */
export function reliefSvg(): string {
  const lines = contourPaths(LEVELS).map(
    (path, index) => `<path d="${path}"${index % 3 === 0 ? ' stroke-width="1.8"' : ''}/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="xMaxYMid slice"><g fill="none" stroke="#000" stroke-width="1" stroke-linecap="round">${lines.join('')}</g></svg>`;
}

/** Computes the contour lines at some heights, each as the data of an SVG path. */
function contourPaths(levels: readonly number[]): string[] {
  const paths = levels.map((): string[] => []);
  for (let y = 0; y < HEIGHT; y += CELL) {
    for (let x = 0; x < WIDTH; x += CELL) {
      const corners = cornersOf(x, y);
      for (const [index, level] of levels.entries()) {
        const crossings = crossingsOf(corners, level);
        for (let at = 0; at + 1 < crossings.length; at += 2) {
          paths[index]?.push(`M${text(crossings[at])}L${text(crossings[at + 1])}`);
        }
      }
    }
  }
  return paths.map((parts) => parts.join(''));
}

/** A point with its height. */
type Spot = readonly [x: number, y: number, height: number];

function cornersOf(x: number, y: number): Spot[] {
  const [right, below] = [x + CELL, y + CELL];
  return [
    [x, y, heightAt(x, y)],
    [right, y, heightAt(right, y)],
    [right, below, heightAt(right, below)],
    [x, below, heightAt(x, below)],
  ];
}

/** Finds the points at which a contour crosses the edges between corners, in pairs. */
function crossingsOf(corners: readonly Spot[], level: number): Point[] {
  return corners.flatMap((from, index): Point[] => {
    const to = corners[(index + 1) % 4] ?? from;
    const a = from[2] - level;
    const b = to[2] - level;
    if (a < 0 === b < 0) return [];
    const share = a / (a - b);
    return [[from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]];
  });
}

function heightAt(x: number, y: number): number {
  return HILLS.reduce(
    (sum, hill) => {
      const distance = ((x - hill.x) ** 2 + (y - hill.y) ** 2) / hill.radius ** 2;
      return sum + hill.height * Math.exp(-distance);
    },
    0.06 * Math.sin(x / 130 + y / 170),
  );
}

function text(point: Point | undefined): string {
  return point === undefined ? '' : `${Math.round(point[0] * 10) / 10} ${Math.round(point[1] * 10) / 10}`;
}
