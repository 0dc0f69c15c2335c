import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { zxyToTileId } from 'pmtiles';

import { temporaryFolder } from '../processes/temporary-folder.ts';

/** Options of a file of a map. */
export interface MapFileOptions {
  readonly name?: string;
  readonly layers?: readonly string[];
  /** Type of the tiles by PMTiles: 1 for vectors, 2 for PNG. */
  readonly tileType?: number;
  /** Content of the tile at zoom 1, column 1, row 0: the only one. */
  readonly tile?: Buffer;
}

/** Writes a PMTiles archive (version 3) with one tile, as the tools of Protomaps lay it out; returns its path. */
export async function mapFile(options: MapFileOptions = {}): Promise<string> {
  const { name = 'village', layers = ['earth', 'roads', 'water'], tileType = 1, tile = Buffer.from('tile') } = options;
  const content = gzipSync(tile);
  // One entry: its tile, run length 1, length, and offset 0, which is written as 1.
  const directory = gzipSync(Buffer.from([1, zxyToTileId(1, 1, 0), 1, ...varint(content.length), 1]));
  const metadata = gzipSync(JSON.stringify({ vector_layers: layers.map((id) => ({ id })) }));
  const header = Buffer.alloc(127);
  header.write('PMTiles');
  header.writeUInt8(3, 7);
  const lengths = [directory, metadata, Buffer.alloc(0), content].map(({ length }) => length);
  let offset = header.length;
  for (const [at, length] of lengths.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16);
    header.writeBigUInt64LE(BigInt(length), 16 + at * 16);
    offset += length;
  }
  const [clustered, gzip] = [1, 2];
  for (const [at, value] of [clustered, gzip, gzip, tileType, 0, 1].entries()) header.writeUInt8(value, 96 + at);
  for (const [at, degrees] of [10, 40, 11, 41].entries()) header.writeInt32LE(degrees * 1e7, 102 + at * 4);
  const file = join(await temporaryFolder(), `${name}.pmtiles`);
  await writeFile(file, Buffer.concat([header, directory, metadata, content]));
  return file;
}

function varint(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
}
