import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import { mapEndpoint } from '../../../server/endpoints/map-endpoint.ts';
import { addMap, mapFolder, removeMap } from '../../../server/maps/map-folder.ts';
import { mapFile, type MapFileOptions } from '../../services/map-file.ts';
import { temporaryFolder } from '../../processes/temporary-folder.ts';
import { testHost } from '../../hosts/test-host.ts';

const SITE = 'https://www.example.com/fleet';
const EVERY_ORIGIN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

interface Style {
  readonly glyphs?: string;
  readonly metadata?: object;
  readonly sources: Readonly<Record<string, { readonly tiles?: readonly string[]; readonly attribution?: string }>>;
  readonly layers: readonly { readonly id: string; readonly layout?: Readonly<Record<string, unknown>> }[];
}

/** A service with these maps. */
async function serviceWith(...maps: readonly MapFileOptions[]) {
  const dataDir = await temporaryFolder();
  const folder = mapFolder(dataDir);
  for (const options of maps) await addMap(folder, await mapFile(options));
  const { app } = await testHost([mapEndpoint({ siteUrl: SITE, dataDir })]);
  const get = (path: string, headers = {}) => app.inject({ url: `/fleet/map/${path}`, headers });
  const style = async (path = 'style.json') => (await get(path)).json<Style>();
  return { folder, get, style };
}

describe('a tile', () => {
  test('is sent as it is stored, to pages of every origin, for a year by its address in the style', async () => {
    const { get, style } = await serviceWith({ tile: Buffer.from('a village') });
    const [template = ''] = (await style()).sources.village?.tiles ?? [];
    expect(template).toMatch(/^https:\/\/www\.example\.com\/fleet\/map\/village\/\{z\}\/\{x\}\/\{y\}\?v=\w+$/);
    const path = template.replace(`${SITE}/map/`, '').replace('{z}/{x}/{y}', '1/1/0');
    const answer = await get(path, { 'accept-encoding': 'gzip' });
    expect(answer).toMatchObject({
      statusCode: 200,
      headers: {
        ...EVERY_ORIGIN,
        'content-type': 'application/vnd.mapbox-vector-tile',
        'content-encoding': 'gzip',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    });
    expect(String(gunzipSync(answer.rawPayload))).toBe('a village');
    expect(await get(path, { 'if-none-match': answer.headers.etag })).toMatchObject({ statusCode: 304, body: '' });
  });

  test('is inflated for who does not accept gzip', async () => {
    const { get } = await serviceWith({ tile: Buffer.from('a village') });
    const { body, headers } = await get('village/1/1/0');
    expect(body).toBe('a village');
    expect(headers['content-encoding']).toBeUndefined();
    expect(headers['cache-control']).toBe('public, max-age=86400');
  });

  test.each([
    ['village/1/0/0', 204],
    ['village/24/0/0', 204],
    ['village/25/0/0', 404],
    ['village/1/2/0', 404],
    ['village/1/-1/0', 404],
    ['village/1/01/0', 404],
    ['town/1/1/0', 404],
    ['..%2Fmaps%2Fvillage/1/1/0', 404],
  ])('%s is answered by %i', async (path, status) => {
    const { get } = await serviceWith({});
    expect((await get(path)).statusCode).toBe(status);
  });
});

test('a map is described by TileJSON, with whom to credit', async () => {
  const { get } = await serviceWith({});
  const answer = await get('village.json');
  expect(answer.headers).toMatchObject(EVERY_ORIGIN);
  expect(answer.json()).toMatchObject({
    tilejson: '3.0.0',
    bounds: [10, 40, 11, 41],
    minzoom: 0,
    maxzoom: 1,
    attribution: expect.stringMatching(/Protomaps.*OpenStreetMap/),
  });
  expect((await get('town.json')).statusCode).toBe(404);
});

describe('the style', () => {
  test('without maps is the plain one', async () => {
    const { style } = await serviceWith();
    const { layers, glyphs, metadata } = await style();
    expect(layers.map(({ id }) => id)).toEqual(['water', 'land', 'graticule', 'borders']);
    expect(glyphs).toBeUndefined();
    expect(metadata).toHaveProperty('service-trips-map:grid');
  });

  test('has each map above the plain one, without its grid', async () => {
    const { style } = await serviceWith({ name: 'village' }, { name: 'town' });
    const { layers, sources, metadata } = await style();
    expect(Object.keys(sources)).toEqual(expect.arrayContaining(['land', 'village', 'town']));
    expect(layers.slice(0, 2).map(({ id }) => id)).toEqual(['water', 'land']);
    for (const name of ['village', 'town']) {
      expect(layers.map(({ id }) => id)).toEqual(expect.arrayContaining([`${name}-earth`, `${name}-water`]));
    }
    expect(new Set(layers.map(({ id }) => id)).size).toBe(layers.length);
    expect(metadata).toBeUndefined();
  });

  test.each([
    ['today', ['earth', 'roads', 'water', 'places']],
    ['of the first archives', ['earth', 'roads', 'water', 'physical_line']],
  ])('of the scheme %s has names in the language of the reader, in the font that is served', async (_, layers) => {
    const { style, get } = await serviceWith({ layers });
    const namesIn = async (path: string) =>
      (await style(path)).layers.flatMap(({ layout }) => (layout?.['text-field'] ? [layout] : []));
    const german = await namesIn('style.json?lang=de');
    expect(german.length).toBeGreaterThan(1);
    expect(JSON.stringify(german)).toContain('"name:de"');
    for (const layout of german) {
      expect(layout['text-font']).toEqual(['Noto Sans Regular']);
      expect(layout).not.toHaveProperty('icon-image');
    }
    const { glyphs = '' } = await style();
    const range = glyphs.replace(`${SITE}/map/`, '').replace('{fontstack}', 'Noto%20Sans%20Regular');
    const answer = await get(range.replace('{range}', '0-255'));
    expect(answer).toMatchObject({ statusCode: 200, headers: EVERY_ORIGIN });
    expect(answer.rawPayload.length).toBeGreaterThan(10_000);
  });

  test.each(['style.json', 'style.json?lang=xx', 'style.json?lang=de&lang=fr', 'style.json?lang=__proto__'])(
    '%s has names in English',
    async (path) => {
      const { style } = await serviceWith({});
      expect(await style(path)).toEqual(await style('style.json?lang=en'));
    },
  );

  test('is of other colors in the dark', async () => {
    const { style } = await serviceWith({});
    const [light, dark] = [await style(), await style('style-dark.json')];
    expect(dark.layers.map(({ id }) => id)).toEqual(light.layers.map(({ id }) => id));
    expect(dark.layers).not.toEqual(light.layers);
  });

  test('follows a map that is replaced or removed, without a restart', async () => {
    const { folder, get, style } = await serviceWith({ tile: Buffer.from('before') });
    const before = (await style()).sources.village?.tiles;
    await addMap(folder, await mapFile({ tile: Buffer.from('a longer one') }));
    expect((await style()).sources.village?.tiles).not.toEqual(before);
    expect((await get('village/1/1/0')).body).toBe('a longer one');
    expect(await removeMap(folder, 'village')).toBe(true);
    expect((await style()).sources.village).toBeUndefined();
    expect((await get('village/1/1/0')).statusCode).toBe(404);
  });
});

test.each(['fonts/Noto%20Sans%20Regular/7-9.pbf', 'fonts/Arial/0-255.pbf', 'fonts/..%2F..%2Fx/0-255.pbf'])(
  'there are no glyphs at %s',
  async (path) => {
    const { get } = await serviceWith();
    expect((await get(path)).statusCode).toBe(404);
  },
);
