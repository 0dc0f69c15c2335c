import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { bundleBanner } from './package/bundled-notices.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(at('../package.json'), 'utf8')) as { version: string };

/**
 * Builds the component into one file with mapbox-gl and its style sheet inside.
 *
 * The format is a function that is called at once, not UMD to the letter: the element defines itself and exports nothing,
 * and on a page with an AMD loader UMD would wait to be asked for.
 *
 * The target must not be older than ES2022: mapbox-gl makes its worker from the text of its own functions, and helpers
 * that an older target would need are outside of them.
 */
export default defineConfig({
  root: at('.'),
  publicDir: false,
  oxc: { decorator: { legacy: true } },
  plugins: [keepNotices()],
  define: { __VERSION__: JSON.stringify(version) },
  build: {
    target: 'es2022',
    outDir: at('../dist'),
    emptyOutDir: false,
    chunkSizeWarningLimit: 3000,
    reportCompressedSize: false,
    lib: {
      entry: at('service-web-components.ts'),
      name: 'ServiceWebComponents',
      formats: ['iife'],
      fileName: () => 'service-web-components.umd.js',
    },
  },
});

/** Puts the notices of what is in the file at its head; the minifier, which has run by then, keeps no comment. */
function keepNotices(): Plugin {
  return {
    name: 'keep-notices',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = `${bundleBanner()}\n${file.code}`;
    },
  };
}
