/**
 * Run by the build: starts the service once on an empty data folder, and stores V8's code of what a start runs.
 *
 * @module
 */
import 'reflect-metadata';

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadChunk, storeCode } from '../server/start/load-chunk.ts';

type Program = typeof import('./program.ts');
type Serve = typeof import('../server/service/serve.ts');

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waybridge-build-'));
  process.env.NODE_ENV = 'production';
  // Oidc-provider's, about Node.js 20.
  console.warn = () => undefined;
  try {
    (loadChunk('program.js') as Program).createProgram();
    const { serve } = loadChunk('serve.js') as Serve;
    const service = await serve({
      env: { DATA_DIR: folder, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' },
      demo: 'refused',
    });
    await service.stop();
    storeCode();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
