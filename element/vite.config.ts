import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin, type UserConfig } from 'vite';

import { bundleBanner } from './bundled-notices.ts';

/** Reads a file of the project. */
export const readProjectFile = (path: string): string => readFileSync(at(path), 'utf8');
const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Settings that the one file and the npm package share. */
export const shared = {
  root: at('element'),
  publicDir: false,
  oxc: { decorator: { legacy: true } },
  define: { __VERSION__: JSON.stringify(JSON.parse(readProjectFile('package.json')).version) },
  build: { target: 'es2022', outDir: at('dist'), emptyOutDir: false, reportCompressedSize: false },
} satisfies UserConfig;

/**
 * Builds the component into one file with mapbox-gl and its style sheet inside. Its format is an immediately invoked
 * function, since an AMD loader would not run a UMD module until it is required. The target must not be older than ES2022:
 * mapbox-gl creates its worker from the source of its functions, which cannot reach the helpers of an older target.
 */
export default defineConfig({
  ...shared,
  plugins: [prependNotices()],
  build: {
    ...shared.build,
    chunkSizeWarningLimit: 3000,
    lib: {
      entry: at('element/service-web-components.ts'),
      name: 'ServiceWebComponents',
      formats: ['iife'],
      fileName: () => 'service-web-components.umd.js',
    },
  },
});

/** Prepends the notices of the bundled packages to the file, after the minifier, which removes comments. */
function prependNotices(): Plugin {
  return {
    name: 'prepend-notices',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') file.code = `${bundleBanner()}\n${file.code}`;
    },
  };
}
