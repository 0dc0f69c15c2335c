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
  plugins: [shortenTemplates()],
  oxc: { decorator: { legacy: true } },
  define: { __VERSION__: JSON.stringify(JSON.parse(readProjectFile('package.json')).version) },
  build: { target: 'es2022', outDir: at('dist'), emptyOutDir: false, reportCompressedSize: false },
} satisfies UserConfig;

/** Names of the built files, and of their entries, by the engine that they contain: the mode of the build. */
const BUILT: Readonly<Record<string, string>> = {
  'mapbox-gl': 'service-web-components',
  'maplibre-gl': 'service-web-components.maplibre',
};

/**
 * Builds the component into one file with an engine and its style sheet inside. Its format is an immediately invoked
 * function, since an AMD loader would not run a UMD module until it is required. The target must not be older than ES2022:
 * the engines create their workers from the source of functions, which cannot reach the helpers of an older target.
 */
export default defineConfig(({ mode: engine }) => {
  const name = BUILT[engine];
  if (name === undefined) throw new Error(`--mode must be one of ${Object.keys(BUILT).join(', ')}`);
  const file = `${name}.umd.js`;
  return {
    ...shared,
    plugins: [...shared.plugins, omitControls(), prependNotices(file, engine)],
    build: {
      ...shared.build,
      chunkSizeWarningLimit: 3000,
      lib: {
        entry: at(`element/${name}.ts`),
        name: 'ServiceWebComponents',
        formats: ['iife'],
        fileName: () => file,
      },
    },
  };
});

/** Removes comments and white space from style sheets and templates, which the minifier does not change. */
function shortenTemplates(): Plugin {
  return {
    name: 'shorten-templates',
    enforce: 'pre',
    transform(code, id) {
      if (!id.startsWith(at('element/')) || !id.endsWith('.ts')) return null;
      const short = code.replaceAll(/\n\s+/g, '\n').replaceAll(/css`[^`]*`/g, shortStyles);
      return { code: short, map: null };
    },
  };
}

/** Returns CSS without comments and spaces that mean nothing. */
function shortStyles(css: string): string {
  const plain = css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\s+/g, ' ');
  return plain
    .replaceAll(/ ?([{};,>]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}');
}

/** Rules of an engine for controls that the element does not have, and which no page can add: the file keeps its engine to itself. */
const UNUSED_RULES =
  /[^{}]*(?:maplibregl-ctrl-logo|-ctrl-(?:compass \.|geolocate|globe|terrain|indoor|level|arrow|scale)|user-location|track-pointer)[^{}]*\{[^{}]*\}/g;

/** Rules for browsers before those that can run the file. */
const OLD_RULES = /@media [^{}]*-ms-high-contrast[^{}]*\{(?:[^{}]*\{[^{}]*\})*\s*\}/g;

/** Removes styles that are not used from the style sheets of engines. */
function omitControls(): Plugin {
  return {
    name: 'omit-controls',
    enforce: 'pre',
    transform(code, id) {
      if (!/gl\.css(?:\?|$)/.test(id)) return null;
      return { code: code.replaceAll(OLD_RULES, '').replaceAll(UNUSED_RULES, ''), map: null };
    },
  };
}

/** Prepends the notices of the bundled packages to the file, after the minifier, which removes comments. */
function prependNotices(file: string, engine: string): Plugin {
  return {
    name: 'prepend-notices',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = `${bundleBanner(file, engine)}\n${chunk.code}`;
      }
    },
  };
}
