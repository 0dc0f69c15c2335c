import { readPackageFile } from '../site/package-file.ts';

/**
 * The styles of the sign-in pages: the site's colours and type, and their own.
 *
 * @throws Error naming a file that is missing: the package is not whole
 */
export async function pageStyles(): Promise<string> {
  const files = ['server/site/styles/base.css', 'server/site/styles/chrome.css', 'server/sign-in/sign-in.css'];
  return (await Promise.all(files.map(readPackageFile))).join('\n');
}
