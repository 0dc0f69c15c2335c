import { packageFolder, readPackageFile } from './package-file.ts';
import { StaticFile } from '../../http/answers/static-file.ts';

/** Types of the site's own files by the ends of their names. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Asked for again at each visit and answered by 304: a page and its files are then always of one version. */
const CACHE_CONTROL = 'no-cache';

/** A file of the site that is served as it is. */
export function siteFile(path: string, content: Buffer | string): StaticFile {
  const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return new StaticFile(content, { type, cacheControl: CACHE_CONTROL });
}

/** Reads the site's style sheets, scripts and pictures, by their paths below the site's address. */
export async function siteFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const sources = new Map([['favicon.svg', 'server/site/favicon.svg']]);
  for (const folder of ['styles', 'browser']) {
    for (const name of await packageFolder(`server/site/${folder}`)) {
      sources.set(`site/${folder}/${name}`, `server/site/${folder}/${name}`);
    }
  }
  const entries = [...sources].map(
    async ([path, source]) => [path, siteFile(path, await readPackageFile(source))] as const,
  );
  return new Map(await Promise.all(entries));
}
