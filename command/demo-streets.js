/**
 * Finds the streets of the demonstration, from place to place, on the roads of its map, and writes them to
 * `server/demo/streets.json`. Run it after a change of the map or of `server/demo/places.json`: `node command/demo-streets.js`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { VectorTile } from '@mapbox/vector-tile';
import Pbf from 'pbf';
import { PMTiles } from 'pmtiles';

const DEMO = join(import.meta.dirname, '../server/demo');
const ZOOM = 14;
/** Units of a tile, and of the whole world at {@link ZOOM}. */
const EXTENT = 4096;
const WORLD = EXTENT * 2 ** ZOOM;
const EARTH_METERS = 40_075_016;
/** Units within which ends of roads are one crossing. */
const NEAR = 3;

/** Kilometers per hour by OpenStreetMap's `highway`; other roads are not driven. */
const KMH = {
  motorway: 90,
  motorway_link: 50,
  trunk: 70,
  trunk_link: 40,
  primary: 50,
  primary_link: 40,
  secondary: 50,
  secondary_link: 40,
  tertiary: 42,
  tertiary_link: 35,
  unclassified: 35,
  residential: 30,
};
/** Roads whose crossings have lights, and the fewest meters from one to the next. */
const LIGHTS = new Set(['trunk', 'primary', 'secondary', 'tertiary']);
const LIGHTS_APART = 220;

/** @typedef {{ x: number, y: number, next: Map<number, { kmh: number, highway: string }>, before: Set<number> }} Node */

/** @type {Node[]} */
const nodes = [];
/** @type {Map<string, number[]>} numbers of nodes by the square that they lie in */
const squares = new Map();

const { places, streets } = JSON.parse(readFileSync(join(DEMO, 'places.json'), 'utf8'));
await readRoads();
const reachable = strongest();
const found = streets.flatMap(([from, to]) => [way(from, to), way(to, from)]);
writeFileSync(join(DEMO, 'streets.json'), `[\n${found.map((street) => JSON.stringify(street)).join(',\n')}\n]\n`);
console.log(`${nodes.length} nodes, ${reachable.size} of them connected; ${found.length} streets`);

/** Reads the roads of all tiles into the graph. */
async function readRoads() {
  const bytes = readFileSync(join(DEMO, 'map/firenze.pmtiles'));
  const archive = new PMTiles({
    getKey: () => 'firenze',
    getBytes: async (offset, length) => ({ data: new Uint8Array(bytes.subarray(offset, offset + length)).buffer }),
  });
  const { minLon, maxLon, minLat, maxLat } = await archive.getHeader();
  const [west, north] = unitsOf([maxLat, minLon]).map((units) => Math.floor(units / EXTENT));
  const [east, south] = unitsOf([minLat, maxLon]).map((units) => Math.floor(units / EXTENT));
  for (let x = west; x <= east; x++) {
    for (let y = north; y <= south; y++) {
      const tile = await archive.getZxy(ZOOM, x, y);
      const roads = tile && new VectorTile(new Pbf(new Uint8Array(tile.data))).layers.roads;
      for (let number = 0; number < (roads?.length ?? 0); number++)
        addRoad(roads.feature(number), x * EXTENT, y * EXTENT);
    }
  }
  connectEnds();
}

/** Adds the part of a road that lies in its tile: tiles overlap. */
function addRoad(feature, left, top) {
  const { highway, oneway } = feature.properties;
  const kmh = KMH[highway];
  if (kmh === undefined || feature.type !== 2) return;
  const scale = EXTENT / feature.extent;
  for (const line of feature.loadGeometry()) {
    for (let at = 1; at < line.length; at++) {
      const piece = clip(line[at - 1].mult(scale), line[at].mult(scale));
      if (piece === null) continue;
      const [from, to] = piece.map(({ x, y }) => nodeAt(left + x, top + y));
      if (oneway !== '-1') connect(from, to, { kmh, highway });
      if (oneway === '-1' || (oneway !== 'yes' && !highway.startsWith('motorway'))) connect(to, from, { kmh, highway });
    }
  }
}

/** The part of a segment within the tile (Liang and Barsky); null if there is none. */
function clip(from, to) {
  let [start, end] = [0, 1];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  for (const [step, room] of [
    [-dx, from.x],
    [dx, EXTENT - from.x],
    [-dy, from.y],
    [dy, EXTENT - from.y],
  ]) {
    if (step === 0 && room < 0) return null;
    if (step < 0) start = Math.max(start, room / step);
    if (step > 0) end = Math.min(end, room / step);
  }
  const point = (share) => ({ x: from.x + dx * share, y: from.y + dy * share });
  return start < end ? [point(start), point(end)] : null;
}

/** The node at a place; a new one unless one is near. */
function nodeAt(x, y) {
  const [column, row] = [Math.floor(x / NEAR), Math.floor(y / NEAR)];
  for (let dx = -1; dx <= 1; dx++) {
    for (let dy = -1; dy <= 1; dy++) {
      const here = squares.get(`${column + dx} ${row + dy}`) ?? [];
      const near = here.find((number) => Math.hypot(nodes[number].x - x, nodes[number].y - y) < NEAR);
      if (near !== undefined) return near;
    }
  }
  const square = `${column} ${row}`;
  squares.set(square, [...(squares.get(square) ?? []), nodes.length]);
  return nodes.push({ x, y, next: new Map(), before: new Set() }) - 1;
}

function connect(from, to, road) {
  if (from === to) return;
  nodes[from].next.set(to, road);
  nodes[to].before.add(from);
}

/** Connects ends of roads with the road on which they lie: simplified roads have lost the points of some crossings. */
function connectEnds() {
  const isEnd = (node) => new Set([...node.next.keys(), ...node.before]).size === 1;
  const ends = nodes.flatMap((node, number) => (isEnd(node) ? [number] : []));
  const segments = nodes.flatMap((node, from) => [...node.next].map(([to, road]) => ({ from, to, road })));
  for (const end of ends) {
    const { x, y } = nodes[end];
    for (const { from, to, road } of segments) {
      if (from === end || to === end || !nodes[from].next.has(to)) continue;
      const [a, b] = [nodes[from], nodes[to]];
      const length = Math.hypot(b.x - a.x, b.y - a.y);
      const share = ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length ** 2;
      const aside = Math.hypot(a.x + share * (b.x - a.x) - x, a.y + share * (b.y - a.y) - y);
      if (share <= 0 || share >= 1 || aside > NEAR) continue;
      nodes[from].next.delete(to);
      connect(from, end, road);
      connect(end, to, road);
    }
  }
}

/** Numbers of the nodes that can be reached from the first place, and from which it can be reached. */
function strongest() {
  const spread = (neighbours) => {
    const reached = new Set([start]);
    for (const number of reached) for (const next of neighbours(nodes[number])) reached.add(next);
    return reached;
  };
  const [x, y] = unitsOf(Object.values(places)[0]);
  const distance = ({ x: nx, y: ny, next }) => (next.size === 0 ? Infinity : Math.hypot(nx - x, ny - y));
  const start = nodes.reduce((best, node, number) => (distance(node) < distance(nodes[best]) ? number : best), 0);
  const [forth, back] = [spread(({ next }) => next.keys()), spread(({ before }) => before)];
  return new Set([...forth].filter((number) => back.has(number)));
}

/** The node of a place: the nearest on a road with lights. */
function nodeOf(place) {
  const [x, y] = unitsOf(places[place]);
  const isMain = (number) => [...nodes[number].next.values()].some(({ highway }) => LIGHTS.has(highway));
  const distance = (number) => Math.hypot(nodes[number].x - x, nodes[number].y - y);
  return [...reachable].filter(isMain).reduce((best, number) => (distance(number) < distance(best) ? number : best));
}

/** The fastest way from place to place: its positions, the speed towards each, and which of them are crossings with lights. */
function way(from, to) {
  const [start, end] = [nodeOf(from), nodeOf(to)];
  const seconds = new Map([[start, 0]]);
  const previous = new Map();
  const open = new Set([start]);
  while (!previous.has(end) || open.has(end)) {
    const here = [...open].reduce((best, number) => (seconds.get(number) < seconds.get(best) ? number : best));
    open.delete(here);
    if (here === end) break;
    for (const [next, { kmh }] of nodes[here].next) {
      const time = seconds.get(here) + metersBetween(nodes[here], nodes[next]) / (kmh / 3.6);
      if (time >= (seconds.get(next) ?? Infinity)) continue;
      seconds.set(next, time);
      previous.set(next, here);
      open.add(next);
    }
  }
  const path = [end];
  while (path[0] !== start) path.unshift(previous.get(path[0]));
  const kmh = path.map((number, at) => nodes[path[at - 1]]?.next.get(number).kmh ?? 0).slice(1);
  const lights = [];
  for (let at = 1, meters = 0; at < path.length - 1; at++) {
    meters += metersBetween(nodes[path[at - 1]], nodes[path[at]]);
    if (meters < LIGHTS_APART || !hasLights(path[at], path[at - 1])) continue;
    lights.push(at);
    meters = 0;
  }
  return { from, to, path: path.map((number) => positionOf(nodes[number])), kmh, lights };
}

/** Returns true if another road with lights crosses at a node. */
function hasLights(number, before) {
  const { next, before: incoming } = nodes[number];
  const others = [...next].filter(([to, { highway }]) => to !== before && LIGHTS.has(highway));
  return new Set([...next.keys(), ...incoming]).size > 2 && others.length > 1;
}

function metersBetween(a, b) {
  const [lat] = positionOf(a);
  return (Math.hypot(b.x - a.x, b.y - a.y) * EARTH_METERS * Math.cos((lat * Math.PI) / 180)) / WORLD;
}

/** Units of the world from west and north of a latitude and longitude (Web Mercator). */
function unitsOf([lat, lon]) {
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return [((lon + 180) / 360) * WORLD, y * WORLD];
}

/** Latitude and longitude, to a meter. */
function positionOf({ x, y }) {
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / WORLD))) * 180) / Math.PI;
  return [lat, (x / WORLD) * 360 - 180].map((degrees) => Number(degrees.toFixed(5)));
}
