import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { defineConfig, type Plugin } from 'vite';

import { customElementsManifest } from './custom-elements-manifest.ts';
import { cssData, htmlData } from './editor-data.ts';
import { readReference } from './element-reference.ts';
import { bundledNotices, packageLicense } from './bundled-notices.ts';
import { packageManifest, type ProjectManifest } from './package-manifest.ts';
import { reactTypes } from './react-types.ts';

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const read = (path: string): string => readFileSync(at(path), 'utf8');
const project = JSON.parse(read('package.json')) as ProjectManifest;

/** Builds what an npm package of the component holds beside the one file; the types are tsc's (tsconfig.json). */
export default defineConfig({
  root: at('element/package'),
  publicDir: false,
  oxc: { decorator: { legacy: true } },
  define: { __VERSION__: JSON.stringify(project.version) },
  plugins: [describeElement()],
  build: {
    target: 'es2022',
    outDir: at('dist'),
    emptyOutDir: false,
    reportCompressedSize: false,
    lib: { entry: at('element/package/entry.ts'), formats: ['es'], fileName: () => 'service-web-components.js' },
    rollupOptions: { external: [/^lit(?:\/|$)/, 'mapbox-gl'] },
  },
});

/** Adds the files that tell tools and people what the element can do, all of one reference. */
function describeElement(): Plugin {
  return {
    name: 'describe-element',
    generateBundle() {
      const reference = readReference(read('element/trips-map-attributes.ts'), read('element/service-trips-map.ts'));
      const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
      const files = {
        'package.json': json(packageManifest(project)),
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
