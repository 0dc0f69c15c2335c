import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { WireTrip } from '../../element/trips/wire-trip.ts';
import { retainedPositions, vanishingTolerances } from '../../tracking/geometry/simplification.ts';
import { encodePolyline } from '../../schema/trips/polyline.ts';

/** The engines, of which each built file contains one. */
export type Engine = 'mapbox-gl' | 'maplibre-gl';

/** A running site for the bench of the component. */
export interface ElementSite {
  readonly url: string;
  close(): Promise<void>;
}

/** Longitude and latitude. */
type Way = [lon: number, lat: number][];

const file = (path: string): string => readFileSync(path, 'utf8');

/**
 * Serves pages, for each engine the built component and the engine alone, and the same trips in two forms: `/graphql/<trips>`
 * pages of them, simplified as the service does (`/graphql/<trips>/<stops>` with so many stops a trip), and
 * `/geojson/<trips>` all positions, `/geojson/<trips>/<stops>` their stops. Paths are those of the project's root.
 */
export async function startElementSite(points: number): Promise<ElementSite> {
  const files: Readonly<Record<string, [type: string, body: string]>> = {
    '/': ['text/html', '<!doctype html><html lang="en-US"><body></body></html>'],
    ...filesOf('mapbox-gl', 'service-web-components.umd.js'),
    ...filesOf('maplibre-gl', 'service-web-components.maplibre.umd.js'),
    '/style.json': ['application/json', plainStyle()],
  };
  const answers = new Map<string, string>();
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { pathname } = new URL(request.url ?? '/', 'http://site');
    const [, kind, count, stops] = pathname.split('/');
    const send = (type: string, text: string): void => {
      response.writeHead(200, { 'content-type': type }).end(text);
    };
    const known = (name: string, make: () => string): string => {
      const text = answers.get(name) ?? make();
      answers.set(name, text);
      return text;
    };
    const found = files[pathname];
    if (found) send(...found);
    else if (kind === 'geojson')
      send(
        'application/json',
        known(pathname, () =>
          stops ? stopsOf(Number(count), points, Number(stops)) : geojsonOf(Number(count), points),
        ),
      );
    else if (kind === 'graphql')
      send(
        'application/json',
        known(`${pathname} ${body}`, () => pageOf(Number(count), points, Number(stops ?? 0), JSON.parse(body))),
      );
    else if (kind === 'styles') send('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An engine alone, and the component with it: to be executed, and within a function that nobody calls. */
function filesOf(engine: Engine, built: string): Readonly<Record<string, [type: string, body: string]>> {
  const component = file(`dist/${built}`);
  return {
    [`/${engine}/component.js`]: ['text/javascript', component],
    [`/${engine}/unexecuted.js`]: ['text/javascript', `function unexecuted() {${component}}`],
    [`/${engine}/plain.js`]: ['text/javascript', file(`node_modules/${engine}/dist/${engine}.js`)],
    [`/${engine}/plain.css`]: ['text/css', file(`node_modules/${engine}/dist/${engine}.css`)],
  };
}

/** The local style without its grid, which only the component would draw. */
function plainStyle(): string {
  const { metadata: _, ...style } = JSON.parse(file('element/local-style.json')) as { metadata?: unknown };
  return JSON.stringify(style);
}

interface Query {
  readonly variables: { readonly first: number; readonly after?: string; readonly tolerance_meters: number };
}

function pageOf(
  count: number,
  points: number,
  stops: number,
  { variables: { first, after, tolerance_meters } }: Query,
): string {
  const from = Number(after ?? 0);
  const until = Math.min(count, from + first);
  const nodes = Array.from({ length: until - from }, (_, at) => wireTrip(from + at, points, stops, tolerance_meters));
  const page_info = { end_cursor: String(until), has_next_page: until < count };
  return JSON.stringify({ data: { trips: { nodes, page_info } } });
}

function wireTrip(number: number, points: number, stops: number, toleranceMeters: number): WireTrip {
  const way = wayOf(number, points);
  const track = {
    length: way.length,
    lon: Float64Array.from(way, ([lon]) => lon),
    lat: Float64Array.from(way, ([, lat]) => lat),
  };
  const retained = retainedPositions(vanishingTolerances(track), toleranceMeters);
  const positions = way.map(([lon, lat]) => ({ lon, lat }));
  const first = positions[0] ?? { lat: 0, lon: 0 };
  return {
    key: `trip-${number}`,
    vehicle_key: 'vehicle',
    duration_seconds: points,
    distance_meters: points * 12,
    start_point: { point: first, timestamp: '2026-11-03T08:00:00+00:00' },
    end_point: { point: positions.at(-1) ?? first, timestamp: '2026-11-03T09:00:00+00:00' },
    stops: Array.from({ length: stops }, (_, at) => ({
      arrival: `2026-11-03T08:${String(at).padStart(2, '0')}:10+00:00`,
      departure: `2026-11-03T08:${String(at).padStart(2, '0')}:40+00:00`,
      point: positions[Math.round(((at + 1) * (points - 1)) / (stops + 1))] ?? first,
    })),
    path: { precision: 5, points: encodePolyline(retained.flatMap((at) => positions[at] ?? [])), breaks: [] },
  };
}

function geojsonOf(count: number, points: number): string {
  const features = Array.from({ length: count }, (_, number) => ({
    type: 'Feature',
    properties: { key: `trip-${number}` },
    geometry: { type: 'LineString', coordinates: wayOf(number, points) },
  }));
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** Starts, stops and ends of trips as points. */
function stopsOf(count: number, points: number, stops: number): string {
  const features = Array.from({ length: count }, (_, number) => wayOf(number, points)).flatMap((way) =>
    Array.from({ length: stops + 2 }, (_, at) => ({
      type: 'Feature',
      properties: {},
      geometry: { type: 'Point', coordinates: way[Math.round((at * (points - 1)) / (stops + 1))] },
    })),
  );
  return JSON.stringify({ type: 'FeatureCollection', features });
}

/** A way as a vehicle records it, a position every twelve metres or so: straights, bends, and an error of a metre or two. */
function wayOf(number: number, points: number): Way {
  let seed = number * 7919 + 1;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648 - 0.5;
  };
  let [lon, lat, heading, bend] = [11.5 + random() / 2, 48.1 + random() / 3, random() * 7, 0];
  return Array.from({ length: points }, (_, at) => {
    if (at % 25 === 0) bend = random() > 0.1 ? random() * 0.25 : 0;
    heading += bend;
    lon += 0.00016 * Math.cos(heading);
    lat += 0.000108 * Math.sin(heading);
    return [Number((lon + random() * 2e-5).toFixed(6)), Number((lat + random() * 2e-5).toFixed(6))];
  });
}
