import type { Addresses } from '../site/addresses.ts';
import type { CodeExample } from '../site/code-block.ts';
import { packageFolder, readPackageFile } from '../../http/package-file.ts';

/** Listings by the names of their files in `element/examples`, in the order in which the page shows them. */
const LABELS: Readonly<Record<string, string>> = {
  'plain.html': 'A page with a script',
  'import-map.html': 'A page with an import map, without a bundler',
  'react.tsx': 'React 19',
  'vue.vue': 'Vue 3',
  'svelte.svelte': 'Svelte 5',
  'vite.config.js': 'vite.config.js, for Vue and Svelte',
  'webpack.js': 'Any other bundler',
  'webpack.config.js': 'webpack.config.js',
};

/** Reads the examples of pages that embed the element, which the tests build and open, with the addresses of this service. */
export async function embeddingExamples({ graphqlUrl, siteUrl }: Addresses): Promise<readonly CodeExample[]> {
  const present = new Set(await packageFolder('element/examples'));
  const names = Object.keys(LABELS).filter((name) => present.has(name));
  return Promise.all(
    names.map(async (name) => {
      const text = String(await readPackageFile(`element/examples/${name}`));
      const code = text
        .trimEnd()
        .replaceAll('https://telemetry.example/graphql', graphqlUrl)
        .replaceAll('https://telemetry.example', siteUrl);
      return { id: `example-${name.replace(/\W/g, '-')}`, label: LABELS[name] ?? name, code };
    }),
  );
}
