import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { MapArchive, type MapFacts } from './map-archive.ts';

/** Form of the names of maps, which are part of addresses. */
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const EXTENSION = '.pmtiles';

/** Names of other things below `{site_url}/map/`. */
const TAKEN = ['style', 'style-dark', 'fonts'];

/** A map that the service has. */
export interface StoredMap extends MapFacts {
  readonly name: string;
  readonly archive: MapArchive;
}

/** The folder of a data folder's maps. */
export function mapFolder(dataDir: string): string {
  return join(dataDir, 'maps');
}

/** The maps of a folder, in the order of their names; none if there is no such folder. */
export async function listMaps(folder: string): Promise<readonly StoredMap[]> {
  const files = await readdir(folder).catch(nothingIfAbsent);
  const names = (files ?? []).filter((file) => file.endsWith(EXTENSION)).map((file) => basename(file, EXTENSION));
  const maps = await Promise.all(names.toSorted().map((name) => findMap(folder, name)));
  return maps.filter((map) => map !== null);
}

/** A map by its name; null if there is none. */
export async function findMap(folder: string, name: string): Promise<StoredMap | null> {
  if (!NAME.test(name)) return null;
  const archive = await MapArchive.open(join(folder, name + EXTENSION)).catch(nothingIfAbsent);
  return archive && { name, archive, ...(await archive.facts()) };
}

/**
 * Copies a file into the folder, whole or not at all.
 *
 * @param name by default that of the file
 * @throws Error with the reason why it cannot be added
 */
export async function addMap(folder: string, file: string, name = nameOf(file)): Promise<StoredMap> {
  if (!NAME.test(name) || TAKEN.includes(name)) {
    throw new Error(`The map cannot be named "${name}": give --name with lower-case letters, digits and hyphens`);
  }
  const archive = await MapArchive.open(file);
  const facts = await archive.facts().catch((cause: unknown) => {
    throw new Error(`${file} is not a map: ${cause instanceof Error ? cause.message : cause}`, { cause });
  });
  await mkdir(folder, { recursive: true });
  const copy = join(folder, `${name}.${process.pid}.copy`);
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    await rename(copy, join(folder, name + EXTENSION));
  } finally {
    await rm(copy, { force: true });
  }
  return { name, archive, ...facts };
}

/** Removes a map; returns false if there is none. */
export async function removeMap(folder: string, name: string): Promise<boolean> {
  if ((await findMap(folder, name)) === null) return false;
  await rm(join(folder, name + EXTENSION));
  return true;
}

function nameOf(file: string): string {
  return basename(file, EXTENSION).toLowerCase();
}

function nothingIfAbsent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
