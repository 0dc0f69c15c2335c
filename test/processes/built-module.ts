import { join } from 'node:path';

import { build, type Rolldown } from 'vite';

import config from '../../server/vite.config.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Builds a module of the server as the program is built, for a process of a test; resolves to a URL to import it from. */
export async function builtModule(path: string): Promise<string> {
  const settings = { ...config.build, write: false, rolldownOptions: { input: join(ROOT, path), output: {} } };
  const built = await build({ ...config, configFile: false, logLevel: 'error', build: settings });
  const [module] = (built as Rolldown.RolldownOutput).output;
  return `data:text/javascript;base64,${Buffer.from(module.code).toString('base64')}`;
}
