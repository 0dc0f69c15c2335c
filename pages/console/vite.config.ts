import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { thirdPartyNotices } from '../../command/third-party-notices.ts';
import { shared } from '../../element/vite.config.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Writes the terms of the packages that the scripts contain. */
const notices: Plugin = {
  name: 'notices',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const source = thirdPartyNotices('The console', modules);
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
  },
};

/** Builds the scripts of the console: a file for each page, and parts that several share or that load when needed. */
export default defineConfig({
  ...shared,
  root: at('.'),
  plugins: [...shared.plugins, notices],
  build: {
    ...shared.build,
    outDir: at('../../build/bundle/console'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 1500,
    // Preloading needs elements without a nonce.
    modulePreload: false,
    rolldownOptions: {
      input: Object.fromEntries(
        readdirSync(at('views'))
          .filter((name) => name.endsWith('.ts'))
          .map((name) => [basename(name, '.ts'), at(`views/${name}`)]),
      ),
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
    },
  },
});
