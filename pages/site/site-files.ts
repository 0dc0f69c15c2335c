import { packageFolder, readPackageFile } from '../../http/package-file.ts';
import { StaticFile } from '../../http/answers/static-file.ts';

/** Types of the site's files by extension. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  ico: 'image/x-icon',
};

/** Files are revalidated at each visit, so that a page and its files are always of one version. */
const CACHE_CONTROL = 'no-cache';

/** Makes a file of the site, whose type follows from its name. */
export function siteFile(path: string, content: Buffer | string): StaticFile {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return new StaticFile(content, { type, cacheControl: CACHE_CONTROL });
}

/** Reads the site's style sheets, scripts and pictures, by their paths below the site's address. */
export async function siteFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const sources = new Map(['svg', 'ico'].map((type) => [`favicon.${type}`, `pages/site/favicon.${type}`]));
  for (const folder of ['styles', 'browser']) {
    for (const name of await packageFolder(`pages/site/${folder}`)) {
      sources.set(`site/${folder}/${name}`, `pages/site/${folder}/${name}`);
    }
  }
  const files = [...sources].map(
    async ([path, source]) => [path, siteFile(path, await readPackageFile(source))] as const,
  );
  return new Map(await Promise.all(files));
}
