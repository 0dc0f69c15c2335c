import { readPackageFile } from '../package-file.ts';
import { StaticFile } from '../../../http/answers/static-file.ts';

/** Path of the component that `npm run build:element` writes. */
export const COMPONENT_PATH = 'dist/service-web-components.umd.js';

/** Placeholder in the built file for the address of GraphQL, inside a string of JavaScript. */
const PLACEHOLDER = '__WAYBRIDGE_GRAPHQL_URL__';

/**
 * The component's file with the address of GraphQL written in, so that a copy that somebody saves works unchanged.
 *
 * @returns null where the component has not been built
 */
export async function componentFile(graphqlUrl: string): Promise<StaticFile | null> {
  const built = await readPackageFile(COMPONENT_PATH).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (built === null) return null;
  return new StaticFile(fillIn(built.toString('utf8'), graphqlUrl), {
    type: 'text/javascript; charset=utf-8',
    cacheControl: 'public, max-age=300',
    shared: true,
  });
}

/**
 * Puts an address in the place of the placeholder, within whatever quotes it stands.
 *
 * @throws Error where the placeholder is missing: the file would not know where to ask
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
