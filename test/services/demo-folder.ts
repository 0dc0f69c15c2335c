import { cp, mkdir, mkdtemp, rename } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { inject } from 'vitest';

import { serveProcess } from '../processes/waybridge-process.ts';

/** Makes a data folder with a demonstration: a copy of one that all files of a run share, which takes seconds to make. */
export async function demoFolder(): Promise<string> {
  const template = join(inject('runFolder'), 'demo');
  const isFirst = await mkdir(`${template}-made`).then(
    () => true,
    () => false,
  );
  if (isFirst) await makeTemplate(template);
  while (!existsSync(template)) await pause(50);
  const folder = await mkdtemp(join(tmpdir(), 'waybridge-demo-'));
  await cp(template, folder, { recursive: true });
  return folder;
}

/** Makes it beside its place, so that nobody copies a part of it. */
async function makeTemplate(template: string): Promise<void> {
  const folder = await mkdtemp(`${template}-`);
  await (await serveProcess({ DATA_DIR: folder, LOG_LEVEL: 'error' })).end();
  await rename(folder, template);
}
