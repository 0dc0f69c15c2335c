import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { serveProcess } from '../processes/waybridge-process.ts';

let template: Promise<string> | undefined;

/** Makes a data folder with a demonstration: a copy of one that the files of a worker share, which takes seconds to make. */
export async function demoFolder(): Promise<string> {
  template ??= makeTemplate();
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-demo-'));
  await cp(await template, folder, { recursive: true });
  return folder;
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-demo-template-'));
  await (await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' })).end();
  return folder;
}
