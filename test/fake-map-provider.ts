/**
 * The one fake of the tests: a map provider on loopback that answers as Mapbox's interfaces do (styles, vector tiles,
 * static images, reverse geocoding), because tests reach no other network. Everything else in a test is real.
 *
 * @module
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running fake provider. */
export interface FakeMapProvider {
  /** Give it to `map-provider-url`. */
  readonly url: string;
  /** Path and query of every request so far, in order. */
  readonly requests: string[];
  /** What `GET /search/geocode/v6/reverse` answers next: features, or a status. */
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: FakeMapProvider = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    geocode: [FAKE_ADDRESS],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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
  if (image) return [200, 'image/svg+xml', staticImage(image[1] ?? '', Number(image[3]), Number(image[4]))];
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

function staticImage(style: string, width: number, height: number): string {
  const [ground, ink] = style.includes('dark') ? ['#1d232b', '#8593a5'] : ['#eef1ea', '#7a8a70'];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/><text x="50%" y="50%" fill="${ink}" font-family="sans-serif" text-anchor="middle">fake static image (${style})</text></svg>`;
}
