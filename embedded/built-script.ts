/**
 * The compiled script of a thread or process, as one of our own scripts finds it. Those run JavaScript only on every Node.js we
 * support: from the sources (as tests do) it is the compiled one.
 */
export function builtScript(name: 'worker' | 'reader' | 'backup-process', ownUrl: string): URL {
  return ownUrl.endsWith('.ts') ? new URL(`../build/bundle/${name}.js`, ownUrl) : new URL(`./${name}.js`, ownUrl);
}
