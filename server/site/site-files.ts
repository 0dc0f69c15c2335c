import { readPackageFile } from './package-file.ts';
import { StaticFile } from './static-file.ts';

/** Types of the site's own files by the ends of their names. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Asked for again at each visit and answered by 304: a page and its files are then always of one version. */
const CACHE_CONTROL = 'no-cache';

/** The files of the site that are served as they are written, by their paths below the site's address. */
const FILES: Readonly<Record<string, string>> = {
  'favicon.svg': 'server/site/favicon.svg',
  'site/base.css': 'server/site/base.css',
  'site/front.css': 'server/site/front.css',
  'site/live.css': 'server/site/live.css',
  'site/browser/calendar.js': 'server/site/browser/calendar.js',
  'site/browser/choices.js': 'server/site/browser/choices.js',
  'site/browser/copy.js': 'server/site/browser/copy.js',
  'site/browser/days.js': 'server/site/browser/days.js',
  'site/browser/event-log.js': 'server/site/browser/event-log.js',
  'site/browser/live.js': 'server/site/browser/live.js',
  'site/browser/snippet.js': 'server/site/browser/snippet.js',
  'site/browser/trip-list.js': 'server/site/browser/trip-list.js',
  'site/browser/vehicle-trips.js': 'server/site/browser/vehicle-trips.js',
};

/**
 * Reads the site's own files.
 *
 * @throws Error naming a file that is missing: the package is not whole
 */
export async function siteFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const entries = await Promise.all(
    Object.entries(FILES).map(async ([path, source]) => {
      const content = await readPackageFile(source);
      if (content === null) throw new Error(`${source} is missing`);
      const type = TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
      return [path, new StaticFile(content, { type, cacheControl: CACHE_CONTROL })] as const;
    }),
  );
  return new Map(entries);
}
