import { createServer } from 'node:http';

import { closeServer, listenOnLoopback } from './loopback.ts';

/** Answer of a fake geocoder for a place: a status, or properties of a feature. */
type Reply = number | object;

/**
 * A fake of Nominatim or Photon, which tests cannot reach: it answers in the form of either, as their documentation and
 * sources describe it, and keeps the places that it was asked for.
 */
export async function fakeGeocoder() {
  const asked: { lat: number; lon: number; language: string | undefined }[] = [];
  let [open, maxOpen] = [0, 0];
  let reply: (lat: number, lon: number) => Reply = () => ({
    street: 'Marktplatz',
    housenumber: '1',
    postcode: '28195',
  });
  const server = createServer((request, response) => {
    open++;
    maxOpen = Math.max(maxOpen, open);
    response.on('close', () => open--);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const [lat, lon] = [Number(searchParams.get('lat')), Number(searchParams.get('lon'))];
    asked.push({ lat, lon, language: request.headers['accept-language'] });
    const answer = reply(lat, lon);
    if (typeof answer === 'number') return void response.writeHead(answer).end('Out of order');
    const isNominatim = searchParams.get('format') === 'geocodejson';
    const properties = isNominatim ? { geocoding: answer } : answer;
    const isNowhere = Object.keys(answer).length === 0;
    const nothing = isNominatim ? { error: 'Unable to geocode' } : { type: 'FeatureCollection', features: [] };
    const found = { type: 'FeatureCollection', features: [{ type: 'Feature', properties }] };
    response.writeHead(pathname === '/reverse' ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isNowhere ? nothing : found));
  });
  const port = await listenOnLoopback(server);
  return {
    photonUrl: `http://127.0.0.1:${port}/reverse`,
    nominatimUrl: `http://127.0.0.1:${port}/reverse?format=geocodejson`,
    asked,
    /** Maximum number of requests that it had at a time. */
    maxOpen: () => maxOpen,
    /** Has it answer in a way from now on. */
    answer: (next: typeof reply) => {
      reply = next;
    },
    close: () => closeServer(server),
  };
}
