import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';

import { encodingFor } from '../../http/answers/content-encoding.ts';
import { listsWeakly } from '../../http/answers/preconditions.ts';
import { StaticFile } from '../../http/answers/static-file.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Config } from '../configuration/config.ts';
import { findMap, listMaps, mapFolder, type StoredMap } from '../maps/map-folder.ts';
import { MAP_FONT } from '../maps/map-font.ts';
import { MAP_LANGUAGES, type MapStyle, type MapTheme, styleOf, tileSource } from '../maps/map-style.ts';
import { readPackageFile } from '../../http/package-file.ts';

/** Paths of the styles below the website's address, by theme, and the files with the plain styles. */
const STYLES = {
  light: { path: 'map/style.json', plain: 'element/local-style.json' },
  dark: { path: 'map/style-dark.json', plain: 'element/local-style-dark.json' },
} as const;

const JSON_OPTIONS = { type: 'application/json; charset=utf-8', cacheControl: 'public, max-age=300', shared: true };
/** Tiles and glyphs are for pages of every origin; the address of a tile changes with its map. */
const SHARED = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
const A_YEAR = 'public, max-age=31536000, immutable';
const A_DAY = 'public, max-age=86400';

/** Maps for the component and any other map engine, `{site_url}/map/`: styles, TileJSON, tiles and glyphs. */
export function mapEndpoint({ siteUrl, dataDir }: Pick<Config, 'siteUrl' | 'dataDir'>): Endpoint {
  const root = `${new URL(siteUrl).pathname.replace(/\/$/, '')}/`;
  const address = siteUrl.replace(/\/$/, '');
  const folder = mapFolder(dataDir);
  const styles = new StyleFiles(folder, address);
  return {
    name: 'maps',
    register: (app) => {
      for (const theme of ['light', 'dark'] as const) {
        app.get<{ Querystring: { lang?: unknown } }>(
          root + STYLES[theme].path,
          { compress: false },
          async (request, reply) => (await styles.file(theme, request.query.lang)).send(request, reply),
        );
      }
      app.get<{ Params: { name: string } }>(`${root}map/:name.json`, async (request, reply) => {
        const map = await findMap(folder, request.params.name);
        if (map === null) return reply.callNotFound();
        return reply.headers({ ...SHARED, 'Cache-Control': 'public, max-age=300' }).send({
          ...{ tilejson: '3.0.0', name: map.name },
          ...tileSource(map, address),
        });
      });
      app.get<{ Params: Record<'name' | 'z' | 'x' | 'y', string>; Querystring: { v?: string } }>(
        `${root}map/:name/:z/:x/:y`,
        { compress: false },
        async (request, reply) => {
          const { name, z, x, y } = request.params;
          const [zoom = -1, column = -1, row = -1] = [z, x, y].map(indexOf);
          const map = isTile(zoom, column, row) ? await findMap(folder, name) : null;
          if (map === null) return reply.callNotFound();
          return sendTile(map, [zoom, column, row], request, reply);
        },
      );
      app.get<{ Params: { font: string; range: string } }>(
        `${root}map/fonts/:font/:range.pbf`,
        async (request, reply) => {
          const { font, range } = request.params;
          if (font !== MAP_FONT || !/^\d{1,5}-\d{1,5}$/.test(range)) return reply.callNotFound();
          const glyphs = await readPackageFile(`build/bundle/glyphs/${range}.pbf`).catch(() => null);
          if (glyphs === null) return reply.callNotFound();
          return reply
            .headers({ ...SHARED, 'Cache-Control': A_DAY })
            .type('application/x-protobuf')
            .send(glyphs);
        },
      );
    },
  };
}

/** Styles as files, created again after a map was added, replaced or removed. */
class StyleFiles {
  readonly #files = new LRUCache<string, StaticFile>({ max: 20 });

  constructor(
    private readonly folder: string,
    private readonly siteUrl: string,
  ) {}

  async file(theme: MapTheme, asked: unknown): Promise<StaticFile> {
    const language = typeof asked === 'string' && MAP_LANGUAGES.has(asked) ? asked : 'en';
    const maps = await listMaps(this.folder);
    const key = [theme, language, ...maps.map(({ name, archive }) => `${name} ${archive.version}`)].join();
    const known = this.#files.get(key);
    if (known) return known;
    const plain = JSON.parse(String(await readPackageFile(STYLES[theme].plain))) as MapStyle;
    const style = styleOf(plain, maps, { theme, language, siteUrl: this.siteUrl });
    const file = new StaticFile(JSON.stringify(style), JSON_OPTIONS);
    this.#files.set(key, file);
    return file;
  }
}

/** Answers with a tile as it is stored; 204 if the map has none, which map engines do not treat as a failure. */
async function sendTile(
  { archive, encoding }: StoredMap,
  place: readonly [zoom: number, x: number, y: number],
  request: FastifyRequest<{ Querystring: { v?: string } }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isCurrent = request.query.v === archive.version;
  const etag = `"${archive.version}"`;
  reply.headers({ ...SHARED, 'Cache-Control': isCurrent ? A_YEAR : A_DAY, ETag: etag, Vary: 'Accept-Encoding' });
  if (listsWeakly(request.headers['if-none-match'], etag)) return reply.code(304).send();
  const tile = await archive.tile(...place);
  if (tile === null) return reply.code(204).send();
  reply.type('application/vnd.mapbox-vector-tile');
  if (encoding === null) return reply.send(tile);
  if (encodingFor(String(request.headers['accept-encoding'] ?? '')) === null) {
    return reply.send(await promisify(gunzip)(tile));
  }
  return reply.header('Content-Encoding', encoding).send(tile);
}

/** A whole number of an address; -1 for anything else. */
function indexOf(text: string): number {
  return /^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : -1;
}

function isTile(zoom: number, x: number, y: number): boolean {
  return zoom >= 0 && zoom <= 24 && x >= 0 && y >= 0 && x < 2 ** zoom && y < 2 ** zoom;
}
