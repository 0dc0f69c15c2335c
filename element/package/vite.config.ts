import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig, type Plugin } from 'vite';

import { customElementsManifest } from './custom-elements-manifest.ts';
import { cssData, htmlData } from './editor-data.ts';
import { readReference } from './element-reference.ts';
import { bundledNotices, packageLicense } from '../bundled-notices.ts';
import { reactTypes } from './react-types.ts';
import { readProjectFile as read, shared } from '../vite.config.ts';

const TYPES = join(shared.build.outDir, 'types');

/** Builds the npm package of the component around the built files and the types, which tsc emits before (tsconfig.json). */
export default defineConfig({
  ...shared,
  plugins: [...shared.plugins, describeElement()],
  build: {
    ...shared.build,
    lib: {
      entry: { 'service-web-components': 'package/mapbox.ts', maplibre: 'package/maplibre.ts' },
      formats: ['es'],
      fileName: (_format, name) => `${name}.js`,
    },
    rollupOptions: {
      external: [/^lit(?:\/|$)/, 'mapbox-gl', 'maplibre-gl'],
      output: { chunkFileNames: 'service-trips-map.js' },
    },
  },
});

/** The package.json of the built files, which are also a package: that of the workspace with `dist`. */
function packageManifest(): object {
  const workspace = JSON.parse(read('element/package.json').replaceAll('"./dist/', '"./')) as Record<string, unknown>;
  const { scripts, files, ...manifest } = workspace;
  return manifest;
}

/** Types that name the maps of MapLibre GL where those that tsc has emitted name the maps of mapbox-gl, by path. */
function maplibreTypes(): Readonly<Record<string, string>> {
  const paths = readdirSync(TYPES, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.d.ts'));
  return Object.fromEntries(
    paths.map((path) => [
      `maplibre/types/${path}`,
      readFileSync(join(TYPES, path), 'utf8').replaceAll("'mapbox-gl'", "'maplibre-gl'"),
    ]),
  );
}

/** Adds the files that describe the element to tools and people, all derived from one reference. */
function describeElement(): Plugin {
  return {
    name: 'describe-element',
    generateBundle() {
      const attributes = read('element/attributes/trips-map-attributes.ts');
      const reference = readReference(attributes, read('element/service-trips-map.ts'));
      const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
      const files = {
        'package.json': json(packageManifest()),
        'custom-elements.json': json(customElementsManifest(reference, 'README.md')),
        'vscode.html-custom-data.json': json(htmlData(reference)),
        'vscode.css-custom-data.json': json(cssData(reference)),
        'service-web-components.d.ts': "export * from './types/element/package/mapbox.js';\n",
        'react.d.ts': reactTypes(reference, './service-web-components.js'),
        'maplibre.d.ts': "export * from './maplibre/types/element/package/maplibre.js';\n",
        'maplibre/react.d.ts': reactTypes(reference, '../maplibre.js'),
        ...maplibreTypes(),
        'README.md': read('element/README.md'),
        'CHANGELOG.md': read('element/CHANGELOG.md'),
        LICENSE: packageLicense(read('LICENSE')),
        'THIRD-PARTY-NOTICES.txt': bundledNotices('This package', ['mapbox-gl', 'maplibre-gl']),
      };
      for (const [fileName, source] of Object.entries(files)) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
