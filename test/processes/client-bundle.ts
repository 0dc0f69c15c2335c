import { join } from 'node:path';

import { build, type Rolldown } from 'vite';

const ROOT = join(import.meta.dirname, '../..');

/** Builds the client with its packages into one module, or into a script that sets `Waybridge`; minified as in a page. */
export async function clientBundle(format: 'es' | 'iife' = 'es'): Promise<string> {
  const lib = { entry: join(ROOT, 'client/waybridge-client.ts'), name: 'Waybridge', formats: [format] };
  const settings = { write: false, minify: true, target: 'es2022', lib };
  const built = await build({ root: ROOT, publicDir: false, configFile: false, logLevel: 'error', build: settings });
  const [output] = built as Rolldown.RolldownOutput[];
  return output?.output[0].code ?? '';
}
