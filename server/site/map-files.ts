import { readPackageFile } from './package-file.ts';
import { StaticFile } from '../../http/answers/static-file.ts';

/** The local map styles, which need no other host: land, a grid, and no fonts. */
const STYLES: Readonly<Record<string, string>> = {
  'map/style.json': 'element/local-style.json',
  'map/style-dark.json': 'element/local-style-dark.json',
};

/** Reads the local map styles; pages of every origin may use them. */
export async function mapFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = Object.entries(STYLES).map(async ([path, source]) => {
    const options = { type: 'application/json; charset=utf-8', cacheControl: 'public, max-age=300', shared: true };
    return [path, new StaticFile(await readPackageFile(source), options)] as const;
  });
  return new Map(await Promise.all(entries));
}
