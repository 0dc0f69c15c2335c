/**
 * The compiled script of a thread, as one of our own scripts finds it. A thread runs JavaScript only on every Node.js we
 * support: from the sources (as tests do) it is the compiled one.
 */
export function builtScript(name: 'worker' | 'reader', ownUrl: string): URL {
  return ownUrl.endsWith('.ts') ? new URL(`../build/bundle/${name}.js`, ownUrl) : new URL(`./${name}.js`, ownUrl);
}
