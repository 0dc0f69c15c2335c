import { open, stat } from 'node:fs/promises';

import { Compression, PMTiles, SharedPromiseCache, type Source, TileType } from 'pmtiles';

/** Names of the layers of a map: those of today's basemaps, or those of the first ones, whose properties begin with `pmap:`. */
export type MapScheme = 'today' | 'early';

/** Facts about a map. */
export interface MapFacts {
  readonly scheme: MapScheme;
  /** West, south, east and north in degrees. */
  readonly bounds: readonly [west: number, south: number, east: number, north: number];
  readonly minZoom: number;
  readonly maxZoom: number;
  /** Compression of its tiles, which are sent as they are stored; null if there is none. */
  readonly encoding: 'gzip' | null;
}

const ENCODINGS = new Map<Compression, MapFacts['encoding']>([
  [Compression.None, null],
  [Compression.Gzip, 'gzip'],
]);

/** Directories of all archives, by the keys of their sources. */
class StoredTiles extends SharedPromiseCache {
  /** Tiles are sent as stored, since browsers decompress them. */
  override async getHeader(source: Source) {
    return { ...(await super.getHeader(source)), tileCompression: Compression.None };
  }
}

const cache = new StoredTiles();

/** A file of vector tiles (PMTiles, version 3) in the Protomaps scheme. */
export class MapArchive {
  readonly #tiles: PMTiles;

  private constructor(
    private readonly source: FileSource,
    /** Changes with the content of the file. */
    readonly version: string,
  ) {
    this.#tiles = new PMTiles(source, cache);
  }

  /**
   * Opens a file; each read opens it again, so that a replaced file needs no notification.
   *
   * @throws Error if there is no such file
   */
  static async open(file: string): Promise<MapArchive> {
    const { mtimeMs, size } = await stat(file);
    const version = `${Math.round(mtimeMs).toString(36)}${size.toString(36)}`;
    return new MapArchive(new FileSource(file, version), version);
  }

  /**
   * Reads the metadata of the file.
   *
   * @throws Error with the reason why it cannot be served
   */
  async facts(): Promise<MapFacts> {
    const { tileCompression } = await new SharedPromiseCache().getHeader(this.source);
    const header = await this.#tiles.getHeader();
    const encoding = ENCODINGS.get(tileCompression);
    if (header.tileType !== TileType.Mvt)
      throw new Error('its tiles are images or of an unknown type, not vectors (MVT)');
    if (encoding === undefined) throw new Error('its tiles are neither gzipped nor plain');
    const { minLon, minLat, maxLon, maxLat, minZoom, maxZoom } = header;
    const scheme = schemeOf(layerNames(await this.#tiles.getMetadata()));
    return { scheme, bounds: [minLon, minLat, maxLon, maxLat], minZoom, maxZoom, encoding };
  }

  /** A tile as it is stored; null if the map has none. */
  async tile(zoom: number, x: number, y: number): Promise<Buffer | null> {
    const found = await this.#tiles.getZxy(zoom, x, y);
    return found ? Buffer.from(found.data) : null;
  }
}

/** The names of the layers in an archive's metadata, from `vector_layers` or, in early archives, `tilestats`. */
function layerNames(metadata: unknown): readonly string[] {
  const { vector_layers = [], tilestats } = metadata as {
    readonly vector_layers?: readonly { readonly id: string }[];
    readonly tilestats?: { readonly layers: readonly { readonly layer: string }[] };
  };
  return [...vector_layers.map(({ id }) => id), ...(tilestats?.layers ?? []).map(({ layer }) => layer)];
}

function schemeOf(layers: readonly string[]): MapScheme {
  const missing = ['earth', 'roads', 'water'].filter((name) => !layers.includes(name));
  if (missing.length > 0)
    throw new Error(`its tiles are not in the Protomaps scheme: they have no layer ${missing.join(', ')}`);
  return layers.includes('physical_line') ? 'early' : 'today';
}

class FileSource implements Source {
  constructor(
    private readonly file: string,
    private readonly version: string,
  ) {}

  getKey(): string {
    return `${this.file} ${this.version}`;
  }

  async getBytes(offset: number, length: number) {
    const file = await open(this.file);
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      return { data: buffer.buffer.slice(0, bytesRead) };
    } finally {
      await file.close();
    }
  }
}
