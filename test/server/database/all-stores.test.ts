import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { everyStore } from '../../../server/database/all-stores.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** The folders in which models are registered. */
const FOLDERS = ['models', 'content/models'];

/** TypeScript files in a folder and all below it, as paths from the root. */
function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));
}

test('every file that registers a model is among all models, so that its indexes are made', async () => {
  const known = everyStore()
    .map(({ name }) => name)
    .sort();
  for (const file of FOLDERS.flatMap(filesIn)) await import(join(ROOT, file));
  expect(
    everyStore()
      .map(({ name }) => name)
      .sort(),
  ).toEqual(known);
  expect(known.length).toBeGreaterThan(20);
});

test('models are registered in the folders of models alone', () => {
  const elsewhere = ['auth', 'content', 'http', 'resolvers', 'rest-bridge', 'schema', 'server']
    .flatMap(filesIn)
    .filter((file) => !FOLDERS.some((folder) => file.startsWith(`${folder}/`)))
    .filter((file) => /mongoose\.model\b|storeOf\(/.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(elsewhere).toEqual([]);
});
