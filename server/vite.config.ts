import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vite';

/** Packages that stay in `node_modules`: those with machine code, and one whose files are served as they are. */
const EXTERNAL = ['sharp', '@photostructure/sqlite', 'swagger-ui-dist'];

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Name of the package that a file comes from; null for a file of the project. */
function packageOf(file: string): string | null {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1];
  return name?.replace('@', '').replace('/', '-') ?? null;
}

/**
 * Builds the program with its dependencies inside, since reading three thousand small files is half of a start's time.
 *
 * Each package is a file, so that a stack trace tells where a call comes from. Nothing is minified.
 */
export default defineConfig({
  root: at('.'),
  publicDir: false,
  oxc: { decorator: { legacy: true } },
  // One copy: CommonJS packages would load a second one, whose classes are not the same.
  resolve: { alias: [{ find: /^graphql$/, replacement: at('node_modules/graphql/index.mjs') }] },
  ssr: { noExternal: true, external: EXTERNAL },
  build: {
    ssr: true,
    target: 'node20',
    outDir: at('build/bundle'),
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        waybridge: at('server/waybridge.ts'),
        'embedded-database': at('embedded/embedded-database.ts'),
        worker: at('embedded/worker.ts'),
        reader: at('embedded/reader.ts'),
      },
      checks: { eval: false },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // Type-graphql and Mongoose name types after classes.
        keepNames: true,
        codeSplitting: { groups: [{ name: packageOf, debugName: 'packages' }] },
      },
    },
  },
});
