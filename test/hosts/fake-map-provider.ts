/**
 * The one fake of the tests: a map provider on loopback that answers as Mapbox's interfaces do (styles, vector tiles,
 * static images, reverse geocoding), because tests reach no other network. Everything else in a test is real.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import { decodePolyline } from '../../schema/trips/polyline.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';

/** A running fake provider. */
export interface FakeMapProvider {
  /** Give it to `map-provider-url`. */
  readonly url: string;
  /** Path and query of every request so far, in order. */
  readonly requests: string[];
  /** Next answer of `GET /search/geocode/v6/reverse`: features, or a status. */
  geocode: GeocodeAnswer;
  close(): Promise<void>;
}

/** Features of the geocoder's answer, or the status with which it refuses. */
export type GeocodeAnswer = readonly object[] | number;

/** An address as the provider's geocoder describes it. */
export const FAKE_ADDRESS = {
  type: 'Feature',
  properties: {
    feature_type: 'address',
    name: '12 Test Street',
    context: { street: { name: 'Test Street' }, place: { name: 'Fakeville' }, region: { name: 'Loopback' } },
  },
};

/** Starts the fake provider; tokens must begin with `pk.`, as the provider's do. */
export async function startFakeMapProvider(): Promise<FakeMapProvider> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    answer(request, response, provider);
  });
  const port = await listenOnLoopback(server);
  const provider: FakeMapProvider = {
    url: `http://127.0.0.1:${port}`,
    requests,
    geocode: [FAKE_ADDRESS],
    close: () => closeServer(server),
  };
  return provider;
}

function answer(request: IncomingMessage, response: ServerResponse, provider: FakeMapProvider): void {
  const url = new URL(request.url ?? '/', provider.url);
  const [status, type, body] = answerOf(url, provider.geocode);
  response.writeHead(status, { 'content-type': type, 'access-control-allow-origin': '*' }).end(body);
}

function answerOf(
  { pathname, searchParams }: URL,
  geocode: GeocodeAnswer,
): [status: number, type: string, body: string] {
  const json = (body: unknown, status = 200): [number, string, string] => [
    status,
    'application/json',
    JSON.stringify(body),
  ];
  if (!searchParams.get('access_token')?.startsWith('pk.')) return json({ message: 'Not Authorized' }, 401);
  if (/^\/styles\/v1\/mapbox\/[\w-]+$/.test(pathname)) return json(STYLE);
  if (pathname === '/search/geocode/v6/reverse') {
    return typeof geocode === 'number' ? json({}, geocode) : json({ type: 'FeatureCollection', features: geocode });
  }
  const image = /^\/styles\/v1\/mapbox\/([\w-]+)\/static\/(.+)\/(\d+)x(\d+)(@2x)?$/.exec(pathname);
  if (image)
    return [200, 'image/svg+xml', staticImage(image[1] ?? '', image[2] ?? '', Number(image[3]), Number(image[4]))];
  return json({ message: 'Not Found' }, 404);
}

/** Says what it is by its colours: paper and a grid, no roads. */
const STYLE = {
  version: 8,
  name: 'Fake standard style',
  projection: { name: 'mercator' },
  sources: {
    graticule: {
      type: 'geojson',
      data: {
        type: 'MultiLineString',
        coordinates: [
          ...Array.from({ length: 37 }, (_, at) => [
            [at * 10 - 180, -85],
            [at * 10 - 180, 85],
          ]),
          ...Array.from({ length: 17 }, (_, at) => [
            [-180, at * 10 - 80],
            [180, at * 10 - 80],
          ]),
        ],
      },
    },
  },
  layers: [
    { id: 'ground', type: 'background', paint: { 'background-color': '#eef1ea' } },
    { id: 'graticule', type: 'line', source: 'graticule', paint: { 'line-color': '#c9d2c4' } },
  ],
};

/** Draws the lines that the address asks for, stretched over the image, on a ground that says what it is. */
function staticImage(style: string, overlays: string, width: number, height: number): string {
  const [ground, ink] = style.includes('dark') ? ['#1d232b', '#8593a5'] : ['#eef1ea', '#7a8a70'];
  const paths = [...overlays.matchAll(/path-\d+\+(\w+)-[\d.]+\(([^)]*)\)/g)].map(([, color, points]) => ({
    color,
    line: decodePolyline(decodeURIComponent(points ?? '')),
  }));
  const all = paths.flatMap(({ line }) => line);
  const [west, east] = [Math.min(...all.map(([lon]) => lon)), Math.max(...all.map(([lon]) => lon))];
  const [south, north] = [Math.min(...all.map(([, lat]) => lat)), Math.max(...all.map(([, lat]) => lat))];
  const scale = Math.min((width - 96) / (east - west), (height - 96) / (north - south));
  const lines = paths.map(({ color, line }) => {
    const points = line.map(([lon, lat]) => `${48 + (lon - west) * scale},${48 + (north - lat) * scale}`);
    return `<polyline points="${points.join(' ')}" fill="none" stroke="#${color}" stroke-width="5" stroke-linejoin="round"/>`;
  });
  const note = `<text x="50%" y="${height - 12}" fill="${ink}" font-family="sans-serif" text-anchor="middle">fake static image (${style})</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/>${lines.join('')}${note}</svg>`;
}
