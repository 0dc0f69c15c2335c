import { readPackageFile } from '../package-file.ts';
import { StaticFile } from '../../../http/answers/static-file.ts';

/** Path of the component that `npm run build:element` writes. */
export const COMPONENT_PATH = 'dist/service-web-components.umd.js';

/** Placeholder in the built file for the address of GraphQL, inside a string of JavaScript. */
const PLACEHOLDER = '__WAYBRIDGE_GRAPHQL_URL__';

/** Reads the component, with the address of GraphQL filled in; null if it has not been built. */
export async function componentFile(graphqlUrl: string): Promise<StaticFile | null> {
  const built = await readBuilt(COMPONENT_PATH);
  if (built === null) return null;
  return new StaticFile(fillIn(built, graphqlUrl), {
    type: 'text/javascript; charset=utf-8',
    cacheControl: 'public, max-age=300',
    shared: true,
  });
}

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
 * Fills in the address within any kind of quotes.
 *
 * @throws Error if the placeholder is missing
 */
export function fillIn(source: string, graphqlUrl: string): string {
  if (!source.includes(PLACEHOLDER)) throw new Error(`${COMPONENT_PATH} has no place for the address of GraphQL`);
  return source.replaceAll(PLACEHOLDER, () => contentOfString(graphqlUrl));
}

/** Text as the content of a string in double, single or back quotes, which may stand in a script element. */
function contentOfString(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replace(/['`$<>\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
