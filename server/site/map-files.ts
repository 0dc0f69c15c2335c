import { readPackageFile } from './package-file.ts';
import { StaticFile } from './static-file.ts';

/** The local map styles, which need no other host: land, a grid, and no fonts. */
const STYLES: Readonly<Record<string, string>> = {
  'map/style.json': 'element/local-style.json',
  'map/style-dark.json': 'element/local-style-dark.json',
};

/**
 * Reads the local map styles; pages of every origin may use them.
 *
 * @throws Error naming a file that is missing: the package is not whole
 */
export async function mapFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await Promise.all(
    Object.entries(STYLES).map(async ([path, source]) => {
      const content = await readPackageFile(source);
      if (content === null) throw new Error(`${source} is missing`);
      const type = 'application/json; charset=utf-8';
      return [path, new StaticFile(content, { type, cacheControl: 'public, max-age=300', shared: true })] as const;
    }),
  );
  return new Map(entries);
}
