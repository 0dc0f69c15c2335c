import type { Addresses } from '../site/addresses.ts';
import { COMPONENT_NAMES } from '../site/component-names.ts';
import { readPackageFile } from '../../http/package-file.ts';
import { StaticFile } from '../../http/answers/static-file.ts';

/** Reads the files of the component by their names, with addresses filled in; empty if they have not been built. */
export async function componentFiles(addresses: FilledAddresses): Promise<ReadonlyMap<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  for (const name of Object.values(COMPONENT_NAMES)) {
    const built = await readBuilt(`dist/${name}`);
    if (built !== null) files.set(name, new StaticFile(fillIn(built, addresses), OPTIONS));
  }
  return files;
}

const OPTIONS = { type: 'text/javascript; charset=utf-8', cacheControl: 'public, max-age=300', shared: true };

/** Addresses that the built files contain. */
export type FilledAddresses = Pick<Addresses, 'graphqlUrl' | 'siteUrl'>;

/** Reads a file that the build of the component writes; null if it has not been built. */
export async function readBuilt(path: string): Promise<string | null> {
  try {
    return String(await readPackageFile(path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Fills in the addresses within any kind of quotes.
 *
 * @throws Error if there is no placeholder for the address of GraphQL, which every built file needs
 */
export function fillIn(source: string, { graphqlUrl, siteUrl }: FilledAddresses): string {
  if (!source.includes('__WAYBRIDGE_GRAPHQL_URL__')) throw new Error('The component has no place for an address');
  return source
    .replaceAll('__WAYBRIDGE_GRAPHQL_URL__', () => contentOfString(graphqlUrl))
    .replaceAll('__WAYBRIDGE_SITE_URL__', () => contentOfString(siteUrl));
}

/** Text as the content of a string in double, single or back quotes, which may stand in a script element. */
function contentOfString(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/['`$<>\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
