import { defineConfig, type Plugin } from 'vite';

import { customElementsManifest } from './custom-elements-manifest.ts';
import { cssData, htmlData } from './editor-data.ts';
import { readReference } from './element-reference.ts';
import { bundledNotices, packageLicense } from '../bundled-notices.ts';
import { packageManifest } from './package-manifest.ts';
import { reactTypes } from './react-types.ts';
import { readProjectFile as read, shared } from '../vite.config.ts';

/** Builds the npm package of the component around the one file; tsc emits its types (tsconfig.json). */
export default defineConfig({
  ...shared,
  plugins: [describeElement()],
  build: {
    ...shared.build,
    lib: { entry: 'package/entry.ts', formats: ['es'], fileName: () => 'service-web-components.js' },
    rollupOptions: { external: [/^lit(?:\/|$)/, 'mapbox-gl'] },
  },
});

/** Adds the files that describe the element to tools and people, all derived from one reference. */
function describeElement(): Plugin {
  return {
    name: 'describe-element',
    generateBundle() {
      const attributes = read('element/attributes/trips-map-attributes.ts');
      const reference = readReference(attributes, read('element/service-trips-map.ts'));
      const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
      const files = {
        'package.json': json(packageManifest(JSON.parse(read('package.json')))),
        'custom-elements.json': json(customElementsManifest(reference, 'README.md')),
        'vscode.html-custom-data.json': json(htmlData(reference)),
        'vscode.css-custom-data.json': json(cssData(reference)),
        'service-web-components.d.ts': "export * from './types/element/package/entry.js';\n",
        'react.d.ts': reactTypes(reference),
        'README.md': read('element/README.md'),
        LICENSE: packageLicense(read('LICENSE')),
        'THIRD-PARTY-NOTICES.txt': bundledNotices(),
      };
      for (const [fileName, source] of Object.entries(files)) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
